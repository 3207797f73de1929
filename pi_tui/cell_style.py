"""How one cell of the emulated terminal looks, and the SGR parameters that say so.

Independent of the toolkit's own SGR reader, which is among the things tested with it. Unlike urwid's
`AttrSpec`, a style keeps the colour as it was asked for (no brightening of bold text) and the kind of underline.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from pi_tui.frozen import frozen

_NAMES: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_UNDERLINES: Final = ("", "single", "double", "curly", "dotted", "dashed")

_COLOURED: Final = {38: "fg", 48: "bg", 58: "underline_color"}

_Change = dict[str, str | bool]
_PLAIN: Final[dict[int, _Change]] = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    5: {"blink": True},
    6: {"blink": True},
    7: {"inverse": True},
    8: {"hidden": True},
    9: {"strikethrough": True},
    21: {"underline": "double"},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": ""},
    25: {"blink": False},
    27: {"inverse": False},
    28: {"hidden": False},
    29: {"strikethrough": False},
    39: {"fg": ""},
    49: {"bg": ""},
    59: {"underline_color": ""},
    **{30 + n: {"fg": name} for n, name in enumerate(_NAMES)},
    **{40 + n: {"bg": name} for n, name in enumerate(_NAMES)},
    **{90 + n: {"fg": f"bright-{name}"} for n, name in enumerate(_NAMES)},
    **{100 + n: {"bg": f"bright-{name}"} for n, name in enumerate(_NAMES)},
}


@frozen
class CellStyle:
    """Colours and attributes of a cell.

    A colour is `""` (the terminal's default; of an underline, that of its text), a name (`"red"`, `"bright-red"`),
    an index of the 256-colour palette from 16 on (`"208"`) or `"#rrggbb"`. `underline` is `""` or its kind:
    `"single"`, `"double"`, `"curly"`, `"dotted"`, `"dashed"`. `link` is the target of an OSC 8 link.
    """

    fg: str = ""
    bg: str = ""
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: str = ""
    inverse: bool = False
    strikethrough: bool = False
    blink: bool = False
    hidden: bool = False
    link: str = ""
    underline_color: str = ""

    def __str__(self) -> str:
        """Return the parts that differ from plain text: `bold red on blue link=https://…`."""
        words = [
            name
            for name in ("bold", "dim", "italic", "inverse", "strikethrough", "blink", "hidden")
            if getattr(self, name)
        ]
        if self.underline:
            words.append(
                "underline" if self.underline == "single" else f"{self.underline}-underline"
            )
        if self.underline_color:
            words.append(f"underlined-in={self.underline_color}")
        if self.fg:
            words.append(self.fg)
        if self.bg:
            words.append(f"on {self.bg}")
        if self.link:
            words.append(f"link={self.link}")
        return " ".join(words) or "plain"


PLAIN: Final = CellStyle()


@frozen
class Cell(CellStyle):
    """One cell: its style and `text`, a grapheme cluster; `""` is the second half of a wide one."""

    text: str = " "

    @property
    def style(self) -> CellStyle:
        """The style alone, to compare cells with different text."""
        return CellStyle(
            self.fg,
            self.bg,
            self.bold,
            self.dim,
            self.italic,
            self.underline,
            self.inverse,
            self.strikethrough,
            self.blink,
            self.hidden,
            self.link,
            self.underline_color,
        )


class StyleRun(NamedTuple):
    """Cells `start` to `end` (not included) of a row that share a style other than `PLAIN`."""

    row: int
    start: int
    end: int
    style: CellStyle


def styled_cell(text: str, style: CellStyle) -> Cell:
    """Return the cell that shows `text` in `style`."""
    return Cell(
        style.fg,
        style.bg,
        style.bold,
        style.dim,
        style.italic,
        style.underline,
        style.inverse,
        style.strikethrough,
        style.blink,
        style.hidden,
        style.link,
        style.underline_color,
        text,
    )


@lru_cache(maxsize=4096)
def apply_sgr(style: CellStyle, parameters: str) -> CellStyle:
    """Return `style` after `CSI parameters m`; unknown parameters change nothing, the link always stays.

    Both forms of extended colours are read: `38;2;r;g;b` and `38:2:space:r:g:b`.
    """
    changes: _Change = {}
    rest = iter(parameters.split(";"))
    for parameter in rest:
        code, *details = parameter.split(":")
        number = _number(code)
        if number == 0:
            style, changes = CellStyle(link=style.link), {}
        elif number in _COLOURED:
            colour = _colour_of(details) if details else _colour_from(rest)
            if colour:
                changes[_COLOURED[number]] = colour
        elif number == 4:
            kind = _number(details[0]) if details else 1
            changes["underline"] = _UNDERLINES[kind] if 0 <= kind < len(_UNDERLINES) else "single"
        else:
            changes.update(_PLAIN.get(number, {}))
    return replace(style, **changes) if changes else style  # type: ignore[arg-type]  # one table of str and bool


def _number(text: str) -> int:
    """Return the value of a parameter; an empty one is 0, one that is no number is -1."""
    if not text:
        return 0
    return int(text) if text.isdecimal() and len(text) < 9 else -1


def _colour_of(details: list[str]) -> str:
    """Return the colour of a colon form, whose colour space may be left out or empty."""
    values = [_number(value) for value in details[1:]]
    if details[0] == "5" and values:
        return _indexed(values[0])
    if details[0] == "2" and len(values) >= 3:
        return _rgb(values[1:4] if len(values) > 3 else values)
    return ""


def _colour_from(rest: Iterator[str]) -> str:
    """Return the colour of a semicolon form, taking its values from the parameters that follow."""
    space = next(rest, "")
    if space == "5":
        return _indexed(_number(next(rest, "-")))
    if space == "2":
        return _rgb([_number(next(rest, "-")) for _ in range(3)])
    return ""


def _indexed(index: int) -> str:
    if not 0 <= index <= 255:
        return ""
    if index >= 16:
        return str(index)
    return _NAMES[index] if index < 8 else f"bright-{_NAMES[index - 8]}"


def _rgb(values: list[int]) -> str:
    if len(values) != 3 or not all(0 <= value <= 255 for value in values):
        return ""
    return "#" + "".join(f"{value:02x}" for value in values)
