"""Which theme to draw with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_agent.resources.theme_catalog import ThemeCatalog
from pi_agent.resources.themes import BUNDLED_THEMES, load_theme_file, theme_names
from pi_tui.appearance import Appearance, terminal_appearance
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.color_query import TerminalColors
from pi_tui.colors import Color, rgb_color
from pi_tui.system_theme import SYSTEM_THEME, SystemColors, theme_from_colors
from pi_tui.theme import Theme


class ThemeChoice:
    """The user's choice: one theme, or one for light and one for dark terminals (`a/b`).

    Until the terminal has told its colours, or that it does not tell them, the system theme is without colours.
    The same theme is the same object. `problem` is why the chosen theme cannot be drawn with, `stale` why the
    theme that is drawn with is not what its file says by now.
    """

    def __init__(
        self, setting: str | None, environ: Mapping[str, str], catalog: ThemeCatalog
    ) -> None:
        self.problem: str | None = None
        self.stale: str | None = None
        self._colors: TerminalColors | None = None
        self._reported: Appearance | None = None
        self._environ = environ
        self._catalog = catalog
        self._mode = get_terminal_color_mode(environ)
        self.choose(setting)
        self._made: tuple[object, Theme] | None = None

    def choose(self, setting: str | None) -> None:
        """Choose something else."""
        self.setting = setting
        self._given: Theme | None = None
        self._names = theme_names(setting)

    def give(self, theme: Theme) -> None:
        """Draw with a theme that nobody can choose, whatever the terminal does, until something is chosen."""
        self._given = theme

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
        if self._given is not None:
            return False
        return SYSTEM_THEME in self._names or self._names[0] != self._names[1]

    @property
    def own_file(self) -> Path | None:
        """The file in the user's folder that the theme is in, or could be in once it is there."""
        if self._given is not None or self._name in (SYSTEM_THEME, *BUNDLED_THEMES):
            return None
        try:
            path = self._catalog.path(self._name)
        except PiError:
            return self._catalog.folder / f"{self._name}.json"
        return path if path.parent == self._catalog.folder else None

    def theme(self) -> Theme:
        """Return the theme for this terminal. A file that got worse changes nothing."""
        self.problem = self.stale = None
        if self._given is not None:
            return self._given
        try:
            return self._named(self._name)
        except PiError as error:
            if self._made is not None and self._made[1].name == self._name:
                self.stale = _told(error, "The theme stays as it was.")
                return self._made[1]
            told = _told(error, "Fell back to the system theme.")
            self.problem = f'Failed to load theme "{self._name}": {told}'
            return self._system()

    def load(self, name: str) -> Theme:
        """Return a theme as it would be drawn with if it were chosen; raises `PiError`."""
        made = self._made
        try:
            return self._named(name)
        finally:
            self._made = made

    @property
    def _name(self) -> str:
        return self._names[0] if self._appearance() == "light" else self._names[1]

    def _named(self, name: str) -> Theme:
        return self._system() if name == SYSTEM_THEME else self._from_file(name)

    def _from_file(self, name: str) -> Theme:
        path = self._catalog.path(name)
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


def _told(error: PiError, rest: str) -> str:
    """Return what is wrong and what is done; a list of what is wrong ends before that."""
    return error.message + ("\n" if "\n" in error.message else " ") + rest
