"""Which theme to draw with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_agent.resources.themes import (
    BUNDLED_THEMES,
    find_theme_file,
    load_theme_file,
    theme_names,
)
from pi_tui.appearance import Appearance, terminal_appearance
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.color_query import TerminalColors
from pi_tui.colors import Color, rgb_color
from pi_tui.system_theme import SYSTEM_THEME, SystemColors, theme_from_colors
from pi_tui.theme import Theme


class ThemeChoice:
    """The user's choice: one theme, or one for light and one for dark terminals (`a/b`).

    Until the terminal has told its colours, or that it does not tell them, the system theme is without colours.
    The same theme is the same object.
    """

    def __init__(self, setting: str | None, environ: Mapping[str, str], folder: Path) -> None:
        self.problem: str | None = None
        self._colors: TerminalColors | None = None
        self._reported: Appearance | None = None
        self._environ = environ
        self._folder = folder
        self._mode = get_terminal_color_mode(environ)
        self.choose(setting)
        self._made: tuple[object, Theme] | None = None

    def choose(self, setting: str | None) -> None:
        """Choose something else."""
        self.setting = setting
        self._names = theme_names(setting)

    def take_colors(self, colors: TerminalColors) -> None:
        """Note what the terminal says of its colours; what it leaves out stays as it is known."""
        known = self._colors or TerminalColors()
        self._colors = TerminalColors(
            colors.foreground or known.foreground,
            colors.background or known.background,
            colors.palette or known.palette,
        )

    def take_report(self, appearance: Appearance) -> bool:
        """Note what the terminal says it is now, whatever its colours were; tells whether that is new."""
        is_new = appearance != self._appearance()
        self._reported = appearance
        if is_new:
            self._colors = TerminalColors()
        return is_new

    @property
    def follows_terminal(self) -> bool:
        """Whether another theme is drawn with when the terminal becomes light or dark."""
        return SYSTEM_THEME in self._names or self._names[0] != self._names[1]

    @property
    def is_own_file(self) -> bool:
        """Whether the theme is in a file of the user's, which may change."""
        return self._name not in (SYSTEM_THEME, *BUNDLED_THEMES)

    def theme(self) -> Theme:
        """Return the theme for this terminal. A bad choice is in `problem`; a file that got worse changes nothing."""
        if self._name == SYSTEM_THEME:
            self.problem = None
            return self._system()
        try:
            theme = self._from_file(self._name)
            self.problem = None
            return theme
        except PiError as error:
            if self._made is not None and self._made[1].name == self._name:
                self.problem = f"{error.message} The theme stays as it was."
                return self._made[1]
            self.problem = (
                f'Failed to load theme "{self._name}": {error.message}'
                " Fell back to the system theme."
            )
            return self._system()

    @property
    def _name(self) -> str:
        return self._names[0] if self._appearance() == "light" else self._names[1]

    def _from_file(self, name: str) -> Theme:
        path = find_theme_file(name, self._folder)
        try:
            state = path.stat()
        except OSError as error:
            raise PiError(f"Theme file {path} cannot be read: {error.strerror}.") from error
        key = (path, state.st_mtime_ns, state.st_size)
        if self._made is None or self._made[0] != key:
            theme = load_theme_file(
                path, color_mode=self._mode, terminal_appearance=self._appearance()
            )
            self._made = (key, theme)
        return self._made[1]

    def _system(self) -> Theme:
        key = (SYSTEM_THEME, self._colors, self._reported)
        if self._made is None or self._made[0] != key:
            colors = self._colors or TerminalColors()
            palette = (
                None if colors.palette is None else [rgb_color(*rgb) for rgb in colors.palette]
            )
            theme = theme_from_colors(
                SystemColors(_color(colors.background), _color(colors.foreground), palette),
                self._mode,
                saturation=0.0 if self._colors is None else 1.0,
                reported=self._reported,
                colorfgbg=self._environ.get("COLORFGBG", ""),
            )
            self._made = (key, theme)
        return self._made[1]

    def _appearance(self) -> Appearance:
        colors = self._colors or TerminalColors()
        return terminal_appearance(
            background=_color(colors.background),
            foreground=_color(colors.foreground),
            reported=self._reported,
            colorfgbg=self._environ.get("COLORFGBG", ""),
        )


def _color(rgb: tuple[int, int, int] | None) -> Color | None:
    return rgb_color(*rgb) if rgb is not None else None
