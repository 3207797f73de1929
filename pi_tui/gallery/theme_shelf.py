"""`ThemeShelf`: the themes to switch between, in every depth of colour.

Those that are always there follow from colours of a terminal: those of this one, and likely ones of a dark and of a
light one. Others come from theme files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from pi_tui import (
    Color,
    ColorMode,
    SystemColors,
    TerminalColors,
    Theme,
    ThemeHandle,
    parse_color,
    rgb_color,
    theme_from_colors,
    theme_from_dict,
)

_MODES: Final[tuple[ColorMode, ...]] = ("truecolor", "256color", "16color", "mono")
_PALETTE = (
    *("#1e1e1e", "#c94f4f", "#5fa35f", "#c4a03c", "#5078c8", "#a862b0", "#3fa0a0", "#c8c8c8"),
    *("#6e6e6e", "#e06c6c", "#7cc47c", "#e0c060", "#7398e8", "#c584cc", "#5cc0c0", "#ffffff"),
)


def _of_terminal(background: str, foreground: str, mode: ColorMode) -> Theme:
    palette = [parse_color(color) for color in _PALETTE]
    colors = SystemColors(parse_color(background), parse_color(foreground), palette)
    return theme_from_colors(colors, mode)


class ThemeShelf:
    """The themes by name; `handle` is the one that everything is drawn with.

    Raises `OSError` or `ValueError` for a file that is no theme.
    """

    def __init__(self, mode: ColorMode, files: Sequence[Path] = ()) -> None:
        self._mode = mode
        self._terminal = SystemColors()
        self._makers: dict[str, Callable[[ColorMode], Theme]] = {
            "system": lambda mode: theme_from_colors(self._terminal, mode),
            "for dark": partial(_of_terminal, "#1e1e1e", "#d4d4d4"),
            "for light": partial(_of_terminal, "#fafafa", "#242424"),
        }
        for file in files:
            make = partial(_from_file, _read(file), file)
            self._makers[make(mode).name] = make
        self._name = "system"
        self.handle = ThemeHandle(self._make())

    @property
    def names(self) -> list[str]:
        """All names, in the order of switching."""
        return list(self._makers)

    @property
    def label(self) -> str:
        """Which theme it is, in which depth."""
        return f"{self._name} · {self._mode}"

    def terminal_has(self, colors: TerminalColors) -> None:
        """Take what the terminal says of its colours."""
        palette = None if colors.palette is None else [rgb_color(*rgb) for rgb in colors.palette]
        self._terminal = SystemColors(_known(colors.background), _known(colors.foreground), palette)
        self.handle.set(self._make())

    def next_theme(self) -> None:
        """Go on to the next theme."""
        names = self.names
        self._name = names[(names.index(self._name) + 1) % len(names)]
        self.handle.set(self._make())

    def next_mode(self) -> None:
        """Go on to fewer colours, and from none to all."""
        self._mode = _MODES[(_MODES.index(self._mode) + 1) % len(_MODES)]
        self.handle.set(self._make())

    def _make(self) -> Theme:
        return self._makers[self._name](self._mode)


def _read(file: Path) -> object:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file} is not JSON: {error}") from error


def _from_file(data: object, file: Path, mode: ColorMode) -> Theme:
    return theme_from_dict(data, color_mode=mode, source_path=file)


def _known(rgb: tuple[int, int, int] | None) -> Color | None:
    return None if rgb is None else rgb_color(*rgb)
