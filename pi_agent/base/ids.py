"""Ids of sessions, runs and entries.

Session ids sort by the time they were made; entry ids are short because every line of a session carries two.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container

from pi_tui.patterns import pattern

RandomBytes = Callable[[int], bytes]

_SESSION_ID = pattern(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_ENTRY_ID_ATTEMPTS = 100


def uuid7(now: float, *, random_bytes: RandomBytes = os.urandom) -> str:
    """Return a UUID of version 7 for `now` in Unix seconds ([RFC 9562](https://www.rfc-editor.org/rfc/rfc9562))."""
    milliseconds = int(now * 1000) & (2**48 - 1)
    random = int.from_bytes(random_bytes(10))
    value = milliseconds << 80 | random
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def entry_id(taken: Container[str], *, random_bytes: RandomBytes = os.urandom) -> str:
    """Return eight hexadecimal digits that are not in `taken`; a longer id when those keep colliding."""
    for _ in range(_ENTRY_ID_ATTEMPTS):
        candidate = random_bytes(4).hex()
        if candidate not in taken:
            return candidate
    return uuid7(0.0, random_bytes=random_bytes)


def is_session_id(text: str) -> bool:
    """Tell whether `text` may be the id of a session, and so part of a file name."""
    return _SESSION_ID.fullmatch(text) is not None
