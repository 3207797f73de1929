"""Recognising pictures by their bytes."""

from __future__ import annotations

import struct

import pytest

from pi_tui.image_header import ImageSize, image_size, image_type
from tests.pi_agent.tools.golden import png

GIF = b"GIF89a" + struct.pack("<HH", 7, 5) + b"\x80\0\0"
JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"
    b"\xff\xff\xc0\x00\x11\x08" + struct.pack(">HH", 5, 7) + b"\x03"
)
WEBP_LOSSY = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 7, 5)
WEBP_LOSSLESS = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + (6 | 4 << 14).to_bytes(4, "little")
WEBP_EXTENDED = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x06\0\0\x04\0\0"
BMP = b"BM" + b"\x46\0\0\0" + b"\0\0\0\0" + b"\x36\0\0\0" + b"\x28\0\0\0"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (png(7, 5), "image/png"),
        (GIF, "image/gif"),
        (JPEG, "image/jpeg"),
        (WEBP_LOSSY, "image/webp"),
        (WEBP_LOSSLESS, "image/webp"),
        (WEBP_EXTENDED, "image/webp"),
        (BMP, "image/bmp"),
        (b"GIF89a is a format", None),
        (b"BMW is a car maker from Munich", None),
        (b"RIFF\0\0\0\0WAVE", None),
        (b"", None),
    ],
)
def test_bytes_prove_what_a_picture_is(data: bytes, kind: str | None) -> None:
    assert image_type(data) == kind


@pytest.mark.parametrize(
    ("data", "header_bytes"),
    [
        (png(7, 5), 24),
        (GIF, 10),
        (JPEG, len(JPEG) - 1),
        (WEBP_LOSSY, 30),
        (WEBP_LOSSLESS, 25),
        (WEBP_EXTENDED, 30),
    ],
)
def test_the_header_states_the_size_and_a_cut_one_does_not(data: bytes, header_bytes: int) -> None:
    assert image_size(data[:header_bytes]) == ImageSize(7, 5)
    assert image_size(data[: header_bytes - 1]) is None
