"""Which theme to draw with."""

from __future__ import annotations

from collections.abc import Mapping

from pi_agent.base.errors import PiError
from pi_agent.resources.themes import load_bundled_theme, theme_names
from pi_tui.appearance import Appearance, terminal_appearance
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.color_query import TerminalColors
from pi_tui.colors import Color, rgb_color
from pi_tui.theme import Theme


class ThemeChoice:
    """The user's choice: one theme, or one for light and one for dark terminals (`a/b`).

    `colors` are those of the terminal, as far as they are known.
    """

    def __init__(self, setting: str | None, environ: Mapping[str, str]) -> None:
        self.problem: str | None = None
        self.colors = TerminalColors()
        self._environ = environ
        self._mode = get_terminal_color_mode(environ)
        self._names = theme_names(setting)

    def choose(self, setting: str | None) -> None:
        """Choose something else."""
        self._names = theme_names(setting)

    def theme(self) -> Theme:
        """Return the theme for this terminal. A bad choice is noted in `problem`."""
        appearance = self._appearance()
        name = self._names[0] if appearance == "light" else self._names[1]
        try:
            return load_bundled_theme(name, color_mode=self._mode)
        except PiError as error:
            self.problem = (
                f'Failed to load theme "{name}": {error.message} Fell back to "{appearance}".'
            )
            return load_bundled_theme(appearance, color_mode=self._mode)

    def _appearance(self) -> Appearance:
        return terminal_appearance(
            background=_color(self.colors.background),
            foreground=_color(self.colors.foreground),
            reported=None,
            colorfgbg=self._environ.get("COLORFGBG", ""),
        )


def _color(rgb: tuple[int, int, int] | None) -> Color | None:
    return rgb_color(*rgb) if rgb is not None else None
