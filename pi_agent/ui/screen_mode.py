"""Which screen the program has: a full one, rows in the terminal's own scrollback, or plain text there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from pi_agent.host.options import RunOptions
from pi_agent.ui.clipboard import Clipboard
from pi_tui.app import TUI
from pi_tui.copying import SelectionCopy
from pi_tui.fullscreen import TuiAltScreen, is_viewport_tui
from pi_tui.terminal_protocol import Terminal
from pi_tui.theme import ThemeHandle

CopyText = Callable[[str], Awaitable[bool]]


def make_tui(
    options: RunOptions,
    terminal: Terminal,
    theme: ThemeHandle,
    *,
    open_url: Callable[[str], object],
    scroll_to_end_indicator: Callable[[], str],
) -> TUI:
    """Return the screen that the command line asks for, else the settings."""
    settings, environ = options.settings, options.environ
    if _is_plain(options):
        from pi_tui.plain_screen import TuiPlainScreen

        return TuiPlainScreen(terminal, environ=environ)
    if (options.tui_mode or settings.get_choice("tuiMode")) == "regular":
        from pi_tui.regular import TuiMainScreen

        return TuiMainScreen(
            terminal,
            show_hardware_cursor=_shows_cursor(options),
            log_directory=options.paths.logs_dir,
            environ=environ,
        )
    return TuiAltScreen(
        terminal,
        show_hardware_cursor=_shows_cursor(options),
        log_directory=options.paths.logs_dir,
        environ=environ,
        mouse=settings.get_bool("mouse"),
        copy_selection=Clipboard(environ, terminal.write).copy,
        open_url=open_url,
        scroll_to_end_indicator=scroll_to_end_indicator,
        search_match_style=partial(
            theme.style, fg="searchMatchText", bg="searchMatchBg", underline=True
        ),
        search_current_match_style=partial(
            theme.style, fg="searchMatchText", bg="searchMatchBg", bold=True, inverse=True
        ),
        search_navigation_button_style=lambda text, hovered: theme.style(
            text, fg="accent", inverse=hovered
        ),
    )


def text_copier(tui: TUI, options: RunOptions, notify: Callable[[str], None]) -> CopyText:
    """Return what puts a text into the clipboard and says so, on the screen or in the document."""
    if is_viewport_tui(tui):
        return tui.copy_text
    copy = Clipboard(options.environ, tui.terminal.write).copy
    return SelectionCopy(
        tui.terminal.write, lambda text, seconds: notify(text), options.environ, copy
    ).run


def _is_plain(options: RunOptions) -> bool:
    if options.plain:
        return True
    is_asked_for = options.environ.get("PI_PLAIN") == "1" or options.settings.get_bool("plain")
    return is_asked_for and options.tui_mode is None


def _shows_cursor(options: RunOptions) -> bool:
    if options.settings.is_set("showHardwareCursor"):
        return options.settings.get_bool("showHardwareCursor")
    return options.environ.get("PI_HARDWARE_CURSOR") == "1"
