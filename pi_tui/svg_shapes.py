"""Box drawing and block elements as shapes: fonts leave gaps between them, or do not have them.

What a box drawing character looks like is taken from its name in Unicode: `BOX DRAWINGS VERTICAL LIGHT AND RIGHT
HEAVY` has four arms, of which the right one is heavy.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

CELL_WIDTH: Final = 9
CELL_HEIGHT: Final = 18

# The middle lies on half pixels, so that thin lines are sharp.
_MIDDLE_X: Final = 4.5
_MIDDLE_Y: Final = 9.5
_WEIGHTS: Final = {"LIGHT": 1, "SINGLE": 1, "HEAVY": 3, "DOUBLE": 1}
# The lines of a double one lie so far from the middle.
_DOUBLE_GAP: Final = 1
_SHIFTS: Final = {
    "": 0,
    "up": -_DOUBLE_GAP,
    "left": -_DOUBLE_GAP,
    "down": _DOUBLE_GAP,
    "right": _DOUBLE_GAP,
}
_DASHES: Final = {"DOUBLE": 2, "TRIPLE": 3, "QUADRUPLE": 4}
_ARMS: Final = {
    "UP": ("up",),
    "DOWN": ("down",),
    "LEFT": ("left",),
    "RIGHT": ("right",),
    "VERTICAL": ("up", "down"),
    "HORIZONTAL": ("left", "right"),
}
_SHADES: Final = {"░": 0.25, "▒": 0.5, "▓": 0.75}
_UPPER_LEFT, _UPPER_RIGHT = (0, 0, 4, 4), (4, 0, 4, 4)
_LOWER_LEFT, _LOWER_RIGHT = (0, 4, 4, 4), (4, 4, 4, 4)
# Left, top, width and height in eighths of the cell.
_EIGHTHS: Final[dict[str, tuple[tuple[int, int, int, int], ...]]] = {
    "▀": ((0, 0, 8, 4),),
    **{char: ((0, 8 - n, 8, n),) for n, char in enumerate("▁▂▃▄▅▆▇█", 1)},
    **{char: ((0, 0, 7 - n, 8),) for n, char in enumerate("▉▊▋▌▍▎▏")},
    "▐": ((4, 0, 4, 8),),
    "▔": ((0, 0, 8, 1),),
    "▕": ((7, 0, 1, 8),),
    "▖": (_LOWER_LEFT,),
    "▗": (_LOWER_RIGHT,),
    "▘": (_UPPER_LEFT,),
    "▙": (_UPPER_LEFT, _LOWER_LEFT, _LOWER_RIGHT),
    "▚": (_UPPER_LEFT, _LOWER_RIGHT),
    "▛": (_UPPER_LEFT, _UPPER_RIGHT, _LOWER_LEFT),
    "▜": (_UPPER_LEFT, _UPPER_RIGHT, _LOWER_RIGHT),
    "▝": (_UPPER_RIGHT,),
    "▞": (_UPPER_RIGHT, _LOWER_LEFT),
    "▟": (_UPPER_RIGHT, _LOWER_LEFT, _LOWER_RIGHT),
}
_OPPOSITE: Final = {"up": "down", "down": "up", "left": "right", "right": "left"}


class Line(NamedTuple):
    """A stroke from left to right or from top to bottom; `width` is its thickness."""

    x0: float
    y0: float
    x1: float
    y1: float
    width: float


class Curve(NamedTuple):
    """A thin stroke of any form: where it starts, and SVG path data from there on."""

    x: float
    y: float
    path: str


class Block(NamedTuple):
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    opacity: float = 1


Shape = Line | Curve | Block


@lru_cache(maxsize=256)
def shapes_of(text: str) -> tuple[Shape, ...]:
    """Return the shapes that a cell's text is made of, from the cell's corner; none for ordinary text."""
    if len(text) != 1 or not "\u2500" <= text <= "\u259f":
        return ()
    if text >= "\u2580":
        return _block(text)
    words = unicodedata.name(text).removeprefix("BOX DRAWINGS ")
    if "DIAGONAL" in words:
        return tuple(_diagonals(text))
    if "ARC" in words:
        return (_arc(words),)
    if "DASH" in words:
        return tuple(_dashes(words.split()))
    return tuple(_arms(_kinds(words)))


def _kinds(words: str) -> dict[str, str]:
    """Return the kind of line of each arm; a part of the name without one has that of the part before."""
    kinds: dict[str, str] = {}
    kind = ""
    for part in words.split(" AND "):
        kind = next((word for word in part.split() if word in _WEIGHTS), kind)
        kinds |= {arm: kind for word in part.split() for arm in _ARMS.get(word, ())}
    return kinds


def _arms(kinds: dict[str, str]) -> Iterator[Line]:
    """Yield the lines of all arms."""
    for arm, kind in kinds.items():
        sides = ("left", "right") if arm in ("up", "down") else ("up", "down")
        for side in sides if kind == "DOUBLE" else ("",):
            start = _start(kinds, arm, side, sides)
            yield _arm_line(arm, start, _SHIFTS[side], _WEIGHTS[kind])


def _start(kinds: dict[str, str], arm: str, side: str, sides: tuple[str, str]) -> float:
    """Return how far before the middle (or behind it, if negative) a line of an arm starts.

    It reaches over the lines across; one of a double arm stops at a double arm on its own side.
    """
    if side and kinds.get(side) == "DOUBLE":
        return -_DOUBLE_GAP + 0.5
    across = [kinds[each] for each in sides if each in kinds]
    if not side and across == ["DOUBLE", "DOUBLE"] and _OPPOSITE[arm] not in kinds:
        return -_DOUBLE_GAP
    return max((_extent(kind) for kind in across), default=0)


def _extent(kind: str) -> float:
    return _WEIGHTS[kind] / 2 + (_DOUBLE_GAP if kind == "DOUBLE" else 0)


def _arm_line(arm: str, start: float, shift: float, width: float) -> Line:
    match arm:
        case "up":
            return Line(_MIDDLE_X + shift, 0, _MIDDLE_X + shift, _MIDDLE_Y + start, width)
        case "down":
            return Line(_MIDDLE_X + shift, _MIDDLE_Y - start, _MIDDLE_X + shift, CELL_HEIGHT, width)
        case "left":
            return Line(0, _MIDDLE_Y + shift, _MIDDLE_X + start, _MIDDLE_Y + shift, width)
        case _:
            return Line(_MIDDLE_X - start, _MIDDLE_Y + shift, CELL_WIDTH, _MIDDLE_Y + shift, width)


def _dashes(words: list[str]) -> Iterator[Line]:
    weight, count = _WEIGHTS[words[0]], _DASHES[words[1]]
    is_across = words[-1] == "HORIZONTAL"
    step = (CELL_WIDTH if is_across else CELL_HEIGHT) / count
    for start in (step * (number + 0.2) for number in range(count)):
        end = start + step * 0.6
        if is_across:
            yield Line(start, _MIDDLE_Y, end, _MIDDLE_Y, weight)
        else:
            yield Line(_MIDDLE_X, start, _MIDDLE_X, end, weight)


def _arc(words: str) -> Curve:
    """Return a rounded corner: from the edge below or above to the edge at the right or left."""
    x = _MIDDLE_X if "RIGHT" in words else -_MIDDLE_X
    if "DOWN" in words:
        return Curve(_MIDDLE_X, CELL_HEIGHT, f"v-4q0-4.5 {x}-4.5")
    return Curve(_MIDDLE_X, 0, f"v5q0 4.5 {x} 4.5")


def _diagonals(text: str) -> Iterator[Curve]:
    if text in "╱╳":
        yield Curve(0, CELL_HEIGHT, "l9-18")
    if text in "╲╳":
        yield Curve(0, 0, "l9 18")


def _block(text: str) -> tuple[Block, ...]:
    """Return the rectangles of a block element, which are given in eighths of the cell."""
    if text in _SHADES:
        return (Block(0, 0, CELL_WIDTH, CELL_HEIGHT, _SHADES[text]),)
    return tuple(
        Block(x * CELL_WIDTH / 8, y * CELL_HEIGHT / 8, w * CELL_WIDTH / 8, h * CELL_HEIGHT / 8)
        for x, y, w, h in _EIGHTHS[text]
    )
