"""What kind of picture bytes are and how large it is, told by their beginning alone."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from pi_tui.frozen import frozen

# How much of a picture's start `image_type` and `image_size` want to see.
HEAD_BYTES: Final = 64 * 1024

_PNG = b"\x89PNG\r\n\x1a\n"
_BMP_HEADER_SIZES = (12, 40, 52, 56, 64, 108, 124)
# Start-of-frame markers; C4, C8 and CC are other segments.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@frozen
class ImageSize:
    """Width and height in pixels."""

    width: int
    height: int


def image_type(head: bytes) -> str | None:
    """Return the MIME type that the first bytes of a file prove, or `None`.

    A text may well start with `GIF89a` or `BM`: these two need more than their letters.
    """
    if head.startswith(_PNG):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head[:6] in (b"GIF87a", b"GIF89a") and b"\0" in head[6:]:
        return "image/gif"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    if head.startswith(b"BM") and _is_bmp(head):
        return "image/bmp"
    return None


def image_size(head: bytes) -> ImageSize | None:
    """Return the size that a picture's header states; `None` if it cannot be read."""
    readers = {
        "image/png": _png_size,
        "image/gif": _gif_size,
        "image/jpeg": _jpeg_size,
        "image/webp": _webp_size,
    }
    reader = readers.get(image_type(head) or "")
    try:
        return reader(head) if reader else None
    except struct.error:
        return None


def _is_bmp(head: bytes) -> bool:
    if len(head) < 18 or head[6:10] != b"\0\0\0\0":
        return False
    return int.from_bytes(head[14:18], "little") in _BMP_HEADER_SIZES


def _png_size(head: bytes) -> ImageSize:
    return ImageSize(*struct.unpack(">II", head[16:24]))


def _gif_size(head: bytes) -> ImageSize:
    return ImageSize(*struct.unpack("<HH", head[6:10]))


def _jpeg_size(head: bytes) -> ImageSize | None:
    for marker, start in _jpeg_segments(head):
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", head[start + 3 : start + 7])
            return ImageSize(width, height)
    return None


def _jpeg_segments(head: bytes) -> Iterator[tuple[int, int]]:
    at = 2
    while at + 4 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:  # filling between segments
            at += 1
            continue
        yield marker, at + 2
        at += 2 + int.from_bytes(head[at + 2 : at + 4], "big")


def _webp_size(head: bytes) -> ImageSize | None:
    kind = head[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", head[26:30])
        return ImageSize(width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", head[21:25])
        return ImageSize((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8X":
        width, width_top, height, height_top = struct.unpack("<HBHB", head[24:30])
        return ImageSize(width + (width_top << 16) + 1, height + (height_top << 16) + 1)
    return None
