"""What the screen does with the settings: at the start, and at once when one is changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from pi_tui.fullscreen import is_viewport_tui

if TYPE_CHECKING:
    from pi_agent.ui.app import InteractiveApp


def follow_settings(app: InteractiveApp) -> None:
    """Draw as the settings say, and follow their changes. The theme has been chosen before."""
    for apply in _AT_START:
        apply(app)
    app.settings.subscribe(lambda keys: _apply(app, keys))


def _apply(app: InteractiveApp, keys: frozenset[str]) -> None:
    for key in keys & _APPLIED.keys():
        _APPLIED[key](app)
    app.tui.request_render()


def _theme(app: InteractiveApp) -> None:
    app.theming.choose(app.settings.get_text("theme"))


def _header(app: InteractiveApp) -> None:
    quiet = app.settings.get("quietStartup")
    app.header.set_parts(title=quiet is not True, resources=quiet is False)


def _editor_padding(app: InteractiveApp) -> None:
    app.composer.set_padding_x(app.settings.get_number("editorPaddingX"))


def _suggestions(app: InteractiveApp) -> None:
    app.composer.set_autocomplete_max_visible(app.settings.get_number("autocompleteMaxVisible"))


def _cursor(app: InteractiveApp) -> None:
    app.tui.set_show_hardware_cursor(app.settings.get_bool("showHardwareCursor"))


def _exit_output(app: InteractiveApp) -> None:
    if is_viewport_tui(app.tui):
        app.tui.print_on_exit = app.settings.get_choice("fullscreenExitOutput") == "transcript"


def _shrinking(app: InteractiveApp) -> None:
    if app.settings.is_set("terminal.clearOnShrink"):
        app.tui.set_clear_on_shrink(app.settings.get_bool("terminal.clearOnShrink"))


def _progress(app: InteractiveApp) -> None:
    app.screen.doing.show_progress(app.settings.get_bool("terminal.showTerminalProgress"))


def _pictures(app: InteractiveApp) -> None:
    app.tui.invalidate()


_AT_START: Final = (_progress, _header, _editor_padding, _suggestions, _exit_output, _shrinking)
_APPLIED: Final[Mapping[str, Callable[[InteractiveApp], None]]] = {
    "theme": _theme,
    "quietStartup": _header,
    "editorPaddingX": _editor_padding,
    "autocompleteMaxVisible": _suggestions,
    "showHardwareCursor": _cursor,
    "fullscreenExitOutput": _exit_output,
    "terminal.clearOnShrink": _shrinking,
    "terminal.showTerminalProgress": _progress,
    "terminal.showImages": _pictures,
    "terminal.imageWidthCells": _pictures,
}
