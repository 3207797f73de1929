"""How many pixels a cell of the terminal has, as far as it has said: what pictures are measured with."""

from __future__ import annotations

from typing import Final

DEFAULT_CELL_SIZE: Final = (9, 18)
CELL_SIZE_QUERY: Final = "\x1b[16t"


class _Here:
    """What holds for the terminal of this process."""

    size = DEFAULT_CELL_SIZE


def get_cell_size() -> tuple[int, int]:
    """Return width and height of a cell in pixels."""
    return _Here.size


def set_cell_size(width: int, height: int) -> bool:
    """Take a size that the terminal tells; says whether that is new. Without pixels there is none."""
    is_new = width > 0 and height > 0 and (width, height) != _Here.size
    if is_new:
        _Here.size = (width, height)
    return is_new
