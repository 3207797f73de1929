"""Amounts and times as people read them, in few cells."""

from __future__ import annotations

import math

_BYTE_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
_LONGEST_TIME = 100 * 3600


def format_count(amount: float) -> str:
    """Return a number of things: `12,345`; the whole ones of it."""
    return f"{math.floor(amount):,}" if math.isfinite(amount) else "∞"


def format_bytes(amount: float) -> str:
    """Return a size with three digits at most, a kB being 1,000 bytes: `999 B`, `1.2 MB`, `34 GB`."""
    if not math.isfinite(amount):
        return "∞"
    unit = 0
    while amount >= 999.5 and unit < len(_BYTE_UNITS) - 1:
        amount /= 1000
        unit += 1
    digits = 1 if unit and amount < 9.95 else 0
    return f"{amount:.{digits}f} {_BYTE_UNITS[unit]}"


def format_seconds(seconds: float) -> str:
    """Return a time: `0:07`, `12:30`, `1:02:03`; `>99 h` for what nobody waits for."""
    if not seconds < _LONGEST_TIME:
        return ">99 h"
    minutes, rest = divmod(math.ceil(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
