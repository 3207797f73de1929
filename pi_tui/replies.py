"""What a terminal answers when it is asked about itself, told apart from keys by its form alone."""

from __future__ import annotations

import re
from typing import Literal

from pi_tui.frozen import frozen

ReplyKind = Literal[
    "kitty_flags",
    "device_attributes",
    "color_scheme",
    "cell_size",
    "cursor_position",
    "mode",
    "foreground",
    "background",
    "palette",
    "program_status",
    "terminal_name",
    "graphics",
    "setting",
]

_CONTROL_REPLIES: tuple[tuple[re.Pattern[bytes], ReplyKind], ...] = (
    (re.compile(rb"\x1b\[\?(\d{1,9})u"), "kitty_flags"),
    (re.compile(rb"\x1b\[\?([\d;]*)c"), "device_attributes"),
    (re.compile(rb"\x1b\[\?997;([12])n"), "color_scheme"),
    (re.compile(rb"\x1b\[6;(\d{1,9};\d{1,9})t"), "cell_size"),
    (re.compile(rb"\x1b\[\??(\d{1,9};\d{1,9})R"), "cursor_position"),
    (re.compile(rb"\x1b\[\?(\d{1,9};\d{1,9})\$y"), "mode"),
)
_STRING_REPLIES: tuple[tuple[bytes, ReplyKind], ...] = (
    (b"]10;", "foreground"),
    (b"]11;", "background"),
    (b"]4;", "palette"),
    (b"]7501;", "program_status"),
    (b"P>|", "terminal_name"),
    (b"P1$r", "setting"),
    (b"_G", "graphics"),
)
# How replies begin, after their ESC: nobody types this, so what follows is a reply however late it comes.
STRING_HEADERS = tuple(header for header, _ in _STRING_REPLIES)

_PALETTE_ENTRY = re.compile(r"(\d{1,3});([^;]+)")
_CHANNELS = re.compile(r"rgba?:" + "/".join(["([0-9a-f]{1,4})"] * 3) + "(?:/[0-9a-f]{1,4})?", re.I)
_HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{12})", re.I)


@frozen
class TerminalReply:
    """One reply: its kind, and what it says without introducer, header and end.

    `data` of a `palette` reply is one `index;colour`; a terminal's answer with several of them is
    several replies.
    """

    kind: ReplyKind
    data: str

    @property
    def numbers(self) -> tuple[int, ...]:
        """The fields of `data` as numbers, for the kinds that have only those: `"6;18"` is `(6, 18)`."""
        return tuple(int(field) for field in self.data.split(";") if _is_small_number(field))


def parse_control_reply(sequence: bytes) -> TerminalReply | None:
    """Return the reply that a whole `CSI` sequence is, if it is one."""
    for pattern, kind in _CONTROL_REPLIES:
        if match := pattern.fullmatch(sequence):
            return TerminalReply(kind, match[1].decode("ascii"))
    return None


def parse_string_reply(content: bytes) -> list[TerminalReply]:
    """Return the replies in an `OSC`, `DCS` or `APC` string, given without its ESC and its end."""
    for header, kind in _STRING_REPLIES:
        if content.startswith(header):
            data = content[len(header) :].decode("utf-8", "replace")
            if kind == "palette":
                entries = _PALETTE_ENTRY.finditer(data)
                return [TerminalReply(kind, match[0]) for match in entries]
            return [TerminalReply(kind, data)]
    return []


def parse_reported_color(text: str) -> tuple[int, int, int] | None:
    """Return red, green and blue, 0 to 255, of a colour as terminals report it; `None` if unreadable."""
    if match := _CHANNELS.fullmatch(text):
        red, green, blue = match.groups()
        return _scaled(red), _scaled(green), _scaled(blue)
    if match := _HEX.fullmatch(text):
        digits = match[1]
        size = len(digits) // 3
        return _scaled(digits[:size]), _scaled(digits[size : 2 * size]), _scaled(digits[2 * size :])
    return None


def is_whole_string_reply(content: bytes) -> bool:
    """Whether the beginning of a string is a reply that says all it can, so that its end is due."""
    replies = parse_string_reply(content)
    colors = ("foreground", "background", "palette")
    return bool(replies) and all(
        parse_reported_color(reply.data.rpartition(";")[2]) is not None
        for reply in replies
        if reply.kind in colors
    )


def _scaled(digits: str) -> int:
    most = (1 << 4 * len(digits)) - 1
    return (int(digits, 16) * 510 + most) // (2 * most)


def _is_small_number(field: str) -> bool:
    return field.isdecimal() and len(field) < 10
