"""Who has the mouse: the program, or the terminal with its own way of selecting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pi_agent.resources.settings import SettingsStore
from pi_agent.ui.notices import Notices
from pi_agent.ui.screen import AgentScreen
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.scrollbar import ScrollbarMode
from pi_tui.fullscreen import TuiAltScreen, is_viewport_tui
from pi_tui.keybindings import key_display_text
from pi_tui.mouse import WheelLines

_BARS: Final[dict[str, ScrollbarMode]] = {"auto": "auto", "always": "always", "hidden": "hidden"}
_KEYS: Final = frozenset(
    {"mouse", "fullscreenCopyOnSelect", "fullscreenWheelScrollLines", "fullscreenScrollbar"}
)


class MouseControl:
    """Applies the settings about the mouse, also when they change; does what the key does."""

    def __init__(
        self, tui: TuiAltScreen, view: ScrollView, notices: Notices, settings: SettingsStore
    ) -> None:
        self._tui = tui
        self._view = view
        self._notices = notices
        self._settings = settings
        self._apply()
        settings.subscribe(self._on_change)

    def toggle(self) -> None:
        """Give the mouse to the terminal, or take it back, for as long as the program runs."""
        is_on = not self._tui.is_mouse_on
        self._tui.set_mouse(is_on)
        self._tui.flash("Mouse on" if is_on else "Mouse off")  # the notice may be out of sight
        key = key_display_text("app.mouse.toggle")
        back = f" {key} takes it back." if key else ""
        self._notices.notify(
            "The mouse works here again: it scrolls, clicks and selects."
            if is_on
            else f"The mouse is the terminal's now.{back}"
        )

    def _on_change(self, changed: frozenset[str]) -> None:
        if changed & _KEYS:
            self._apply()
            self._tui.request_render()

    def _apply(self) -> None:
        settings, tui = self._settings, self._tui
        tui.set_mouse(settings.get_bool("mouse"))
        tui.set_copy_on_select(settings.get_bool("fullscreenCopyOnSelect"))
        tui.set_wheel_scroll_lines(_wheel_lines(settings.get("fullscreenWheelScrollLines")))
        self._view.set_scrollbar(_BARS[settings.get_choice("fullscreenScrollbar")])


def mouse_toggle(screen: AgentScreen, settings: SettingsStore) -> Callable[[], None]:
    """Return what the key of the mouse does. Where the terminal scrolls, the mouse is always its own."""
    if is_viewport_tui(screen.tui):
        return MouseControl(screen.tui, screen.view, screen.notices, settings).toggle
    return lambda: screen.notices.notify("The mouse is the terminal's in regular mode.")


def _wheel_lines(value: object) -> WheelLines:
    return int(value) if isinstance(value, int | float) else "auto"
