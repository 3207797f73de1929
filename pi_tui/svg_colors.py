"""The colours of terminal pictures: what a cell's style means in red, green and blue."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from pi_tui.cell_style import CellStyle
from pi_tui.frozen import frozen
from pi_tui.palette import index_to_rgb

Appearance = Literal["dark", "light"]

_NAMES: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
# How much of its colour dim text keeps.
_DIM: Final = 0.6


@frozen
class PictureColors:
    """A terminal's own colours: `names` are the eight names and their bright ones; `frame` is the window's."""

    background: str
    foreground: str
    frame: str
    names: tuple[str, ...]


PICTURE_COLORS: Final[dict[Appearance, PictureColors]] = {
    "dark": PictureColors(
        background="#14161b",
        foreground="#d6d9df",
        frame="#3b404a",
        names=(
            *("#22252c", "#e06c75", "#7fb069", "#d9a441", "#6ea3e0", "#c083d6", "#55b5b5", "#c3c7cf"),
            *("#5f6672", "#f0868e", "#98cc80", "#efc05f", "#8bbcf5", "#d79eea", "#74d0d0", "#ffffff"),
        ),
    ),
    "light": PictureColors(
        background="#ffffff",
        foreground="#24292f",
        frame="#c4c9d1",
        names=(
            *("#24292f", "#b9242f", "#2f7d32", "#8a5a00", "#1f5fb8", "#8438a8", "#0b7075", "#8a919c"),
            *("#57606a", "#d1353f", "#3b8f3e", "#a56c00", "#2f72d0", "#9a4bc0", "#16868c", "#d7dbe1"),
        ),
    ),
}  # fmt: skip


class CellColors(NamedTuple):
    """What a cell is painted with: its text, what is behind it (`""` for the screen's own), its underline."""

    text: str
    behind: str
    underline: str


def cell_colors(style: CellStyle, colors: PictureColors, *, swapped: bool = False) -> CellColors:
    """Return the colours of a cell; `swapped` reverses them, as a block cursor does."""
    text = _rgb(style.fg, colors) or colors.foreground
    behind = _rgb(style.bg, colors)
    if style.inverse != swapped:
        text, behind = behind or colors.background, text
    if style.dim:
        text = _mixed(text, behind or colors.background)
    return CellColors(text, behind, _rgb(style.underline_color, colors) or text)


def _rgb(color: str, colors: PictureColors) -> str:
    """Return a style's colour as `#rrggbb`; the default colour is `""` and stays so."""
    if not color or color.startswith("#"):
        return color
    if color.isdecimal():
        return "#{:02x}{:02x}{:02x}".format(*map(int, index_to_rgb(int(color))))
    return colors.names[
        _NAMES.index(color.removeprefix("bright-")) + 8 * color.startswith("bright-")
    ]


def _mixed(text: str, behind: str) -> str:
    pairs = zip(bytes.fromhex(text[1:]), bytes.fromhex(behind[1:]), strict=True)
    return "#" + bytes(round(_DIM * a + (1 - _DIM) * b) for a, b in pairs).hex()
