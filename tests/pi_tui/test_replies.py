"""Replies of the terminal and the colours in them."""

from __future__ import annotations

import pytest

from pi_tui.replies import parse_control_reply, parse_reported_color, parse_string_reply


@pytest.mark.parametrize(
    ("sequence", "kind", "numbers"),
    [
        (b"\x1b[?7u", "kitty_flags", (7,)),
        (b"\x1b[?62;22c", "device_attributes", (62, 22)),
        (b"\x1b[?997;1n", "color_scheme", (1,)),
        (b"\x1b[6;18;9t", "cell_size", (18, 9)),
        (b"\x1b[1;2R", "cursor_position", (1, 2)),
        (b"\x1b[?2026;2$y", "mode", (2026, 2)),
    ],
)
def test_control_replies_are_told_apart(
    sequence: bytes, kind: str, numbers: tuple[int, ...]
) -> None:
    reply = parse_control_reply(sequence)
    assert reply is not None
    assert (reply.kind, reply.numbers) == (kind, numbers)


@pytest.mark.parametrize("sequence", [b"\x1b[97;5u", b"\x1b[0n", b"\x1b[8;24;80t", b"\x1b[>0;1c"])
def test_other_sequences_are_no_replies(sequence: bytes) -> None:
    assert parse_control_reply(sequence) is None


def test_several_palette_entries_are_several_replies() -> None:
    replies = parse_string_reply(b"]4;0;rgb:00/00/00;15;rgb:ff/ff/ff")
    assert [(reply.kind, reply.data) for reply in replies] == [
        ("palette", "0;rgb:00/00/00"),
        ("palette", "15;rgb:ff/ff/ff"),
    ]


@pytest.mark.parametrize(
    ("text", "color"),
    [
        ("rgb:1e1e/1e1e/1e1e", (0x1E, 0x1E, 0x1E)),
        ("rgb:f/8/0", (255, 136, 0)),
        ("rgb:ff/80/00", (255, 128, 0)),
        ("rgb:fff/800/000", (255, 128, 0)),
        ("RGB:FFFF/8000/0000", (255, 128, 0)),
        ("rgba:ffff/0000/0000/8000", (255, 0, 0)),
        ("rgb:0080/0081/0082", (0, 1, 1)),
        ("#1c989e", (0x1C, 0x98, 0x9E)),
        ("#ffff80000000", (255, 128, 0)),
        ("#abc", None),
        ("red", None),
        ("rgb:1/2", None),
        ("rgb:12345/0/0", None),
        ("", None),
    ],
)
def test_reported_colors(text: str, color: tuple[int, int, int] | None) -> None:
    assert parse_reported_color(text) == color
