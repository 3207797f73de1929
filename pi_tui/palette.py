"""The 256 colours of a terminal's palette, and which of them is nearest to a colour.

Indices 0 to 15 are the classic VGA colours; terminals let people change them, so the search among 256 leaves
them out.
"""

from __future__ import annotations

from pi_tui.oklab import Triple

_BASE_COLORS: tuple[Triple, ...] = (
    (0, 0, 0),
    (128, 0, 0),
    (0, 128, 0),
    (128, 128, 0),
    (0, 0, 128),
    (128, 0, 128),
    (0, 128, 128),
    (192, 192, 192),
    (128, 128, 128),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (0, 0, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
)
_BASE_GRAYS = (0, 8, 7, 15)
_CUBE_LEVELS = (0, 95, 135, 175, 215, 255)
_GRAYS = tuple(8 + 10 * step for step in range(24))

# Channels closer together than this make a gray in the eyes of the palette search.
_GRAY_SPREAD = 10


def index_to_rgb(index: int) -> Triple:
    """Return the usual red, green and blue, 0 to 255, of a palette index, 0 to 255."""
    if index < 16:
        return _BASE_COLORS[index]
    if index >= 232:
        gray = _GRAYS[index - 232]
        return gray, gray, gray
    red, rest = divmod(index - 16, 36)
    green, blue = divmod(rest, 6)
    return _CUBE_LEVELS[red], _CUBE_LEVELS[green], _CUBE_LEVELS[blue]


def nearest_of_256(red: int, green: int, blue: int) -> int:
    """Return the index, 16 to 255, of the palette colour nearest to an sRGB one."""
    steps = [_nearest(_CUBE_LEVELS, channel) for channel in (red, green, blue)]
    cube = 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    if max(red, green, blue) - min(red, green, blue) >= _GRAY_SPREAD:
        return cube
    gray = _nearest(_GRAYS, 0.299 * red + 0.587 * green + 0.114 * blue)
    wanted = (red, green, blue)
    level = _GRAYS[gray]
    cube_rgb = (_CUBE_LEVELS[steps[0]], _CUBE_LEVELS[steps[1]], _CUBE_LEVELS[steps[2]])
    if _distance(wanted, (level, level, level)) < _distance(wanted, cube_rgb):
        return 232 + gray
    return cube


def nearest_of_16(red: int, green: int, blue: int) -> int:
    """Return the index, 0 to 15, of the base colour nearest to an sRGB one; grays only become grays."""
    wanted = (red, green, blue)
    is_gray = max(wanted) - min(wanted) < _GRAY_SPREAD
    candidates = _BASE_GRAYS if is_gray else range(16)
    return min(candidates, key=lambda index: _distance(wanted, _BASE_COLORS[index]))


def _nearest(levels: tuple[int, ...], value: float) -> int:
    return min(range(len(levels)), key=lambda step: abs(levels[step] - value))


def _distance(first: Triple, second: Triple) -> float:
    red, green, blue = (a - b for a, b in zip(first, second, strict=True))
    return 0.299 * red * red + 0.587 * green * green + 0.114 * blue * blue
