"""Numbers that components are given for padding, gaps and sizes."""

from __future__ import annotations

import math

# As good as infinite beside any other, but sums and products of it are numbers.
_MOST_WEIGHT = 1e9


def whole(value: float | None, default: int) -> int:
    """Return a number as a count of cells: whole, not negative; the default for what is no number."""
    if value is None or not math.isfinite(value):
        return default
    return max(0, math.floor(value))


def weight(value: float | None, default: float) -> float:
    """Return a number as a share of something: not negative, finite; the default for what is no number."""
    if value is None or math.isnan(value):
        return default
    return min(max(0.0, value), _MOST_WEIGHT)


def padding_of(padding: int, width: int) -> int:
    """Return the columns to keep free on either side of `width`, of which one at least is for content."""
    return min(padding, max(0, (width - 1) // 2))
