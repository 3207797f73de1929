"""A theme in a file of one's own is drawn anew when the file changes; what is wrong with it is told once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pi_agent.ui.app import InteractiveApp

_LOOK_SECONDS = 1.0


class ThemeWatch:
    """Looks at the file every second, as long as the chosen theme is in one."""

    def __init__(self, app: InteractiveApp, seconds: float = _LOOK_SECONDS) -> None:
        self._app = app
        self._seconds = seconds
        self._is_watching = False
        self._told: str | None = None

    def follow(self) -> None:
        """Tell what is wrong with the theme, and begin to look if there is something to look at."""
        choice = self._app.theme_choice
        if choice.problem != self._told:
            self._told = choice.problem
            if choice.problem is not None:
                self._app.notify(choice.problem, "warning")
        if choice.is_own_file and not self._is_watching:
            self._is_watching = True
            self._app.start_task(self._watch())

    async def _watch(self) -> None:
        try:
            while self._app.theme_choice.is_own_file:
                await asyncio.sleep(self._seconds)
                self._app.show_theme()
        finally:
            self._is_watching = False
