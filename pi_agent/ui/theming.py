"""The theme on the screen: it follows the terminal, the theme's file, the settings and the extensions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pi_agent.base.errors import PiError
from pi_agent.extensions.ui import ThemeResult
from pi_agent.resources.theme_catalog import ThemeCatalog, ThemeInfo
from pi_agent.ui.theme import ThemeChoice
from pi_agent.ui.theme_watch import ThemeWatch
from pi_tui.appearance import Appearance
from pi_tui.color_query import TerminalColors
from pi_tui.theme import Theme, ThemeHandle

if TYPE_CHECKING:
    from pi_agent.ui.app import InteractiveApp


class Theming:
    """Draws with the theme of `choice`, and with another one as soon as that is another."""

    def __init__(
        self, app: InteractiveApp, choice: ThemeChoice, catalog: ThemeCatalog, handle: ThemeHandle
    ) -> None:
        self.choice = choice
        self.catalog = catalog
        self.watch = ThemeWatch(app.start_task, self.show)
        self._app = app
        self._handle = handle
        self._told: str | None = None

    def show(self) -> None:
        """Draw with the theme that is chosen, if it is not in use already. What is wrong with it is told once."""
        theme, tui = self.choice.theme(), self._app.tui
        if not self._handle.is_same(theme):
            self._handle.set(theme)
            tui.invalidate()
            tui.request_render(force=True)
        if self.choice.problem != self._told:
            self._told = self.choice.problem
            if self._told is not None:
                self._app.notify(self._told, "error")
        self.watch.follow(self.choice.own_file)
        tui.set_terminal_color_scheme_notifications(self.choice.follows_terminal)

    def choose(self, setting: str | None) -> None:
        """Choose a theme, or one for each kind of terminal, for this run."""
        self.choice.choose(setting)
        self.show()

    async def tell_problems(self) -> None:
        """Tell which theme files are left out."""
        for problem in await asyncio.to_thread(lambda: self.catalog.problems):
            self._app.notify(problem, "warning")

    async def reload(self) -> None:
        """Look at all theme files anew, and tell what is wrong with them."""
        self.catalog.refresh()
        await self.tell_problems()
        self.show()
        if self.choice.stale is not None:
            self._app.notify(self.choice.stale, "error")

    # The terminal

    async def follow_terminal(self) -> None:
        """Use the theme that fits the terminal's background, as soon as it has answered."""
        self._take_colors(
            await self._app.tui.query_terminal_colors(on_late_reply=self._take_colors)
        )

    def take_report(self, appearance: Appearance) -> None:
        """The terminal says that it is light or dark now: draw so at once, and ask for its colors again."""
        if self.choice.take_report(appearance):
            self.show()
        self._app.start_task(self.follow_terminal())

    def _take_colors(self, colors: TerminalColors) -> None:
        self.choice.take_colors(colors)
        self.show()

    # Extensions

    def infos(self) -> list[ThemeInfo]:
        """Return all themes: `system` first, the others by name."""
        return self.catalog.infos

    def load(self, name: str) -> Theme | None:
        """Return a theme as it would look in this terminal; `None` if there is none that can be used."""
        try:
            return self.choice.load(name)
        except PiError:
            return None

    def use(self, theme: str | Theme) -> ThemeResult:
        """Draw with a theme. A name is the user's choice from now on; a theme is drawn with until then."""
        if isinstance(theme, str):
            return self._use_named(theme)
        self.choice.give(self.choice.theme() if theme is self._handle else theme)
        self.show()
        return ThemeResult(success=True)

    def _use_named(self, name: str) -> ThemeResult:
        names = name.split("/")
        try:
            for each in names if len(names) == 2 else [name]:
                self.choice.load(each.strip())
        except PiError as error:
            return ThemeResult(success=False, error=error.message)
        self.choose(name)
        self._app.start_task(self._app.settings.save({"theme": name}))
        return ThemeResult(success=True)
