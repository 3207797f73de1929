"""Start the gallery in this terminal."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pi_tui import TUI, ProcessTerminal, TuiAltScreen, TuiMainScreen, get_terminal_color_mode
from pi_tui.gallery.pages import PAGES
from pi_tui.gallery.program import Gallery
from pi_tui.gallery.theme_shelf import ThemeShelf


def main(words: Sequence[str] | None = None) -> None:
    """Show the pages until the user leaves."""
    parser = argparse.ArgumentParser(prog="python -m pi_tui.gallery", description=__doc__)
    parser.add_argument("--tui-mode", choices=("fullscreen", "regular"), default="fullscreen")
    parser.add_argument(
        "--theme", metavar="FILE", type=Path, action="append", default=[], help="a theme file"
    )
    options = parser.parse_args(words)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        parser.error("this needs a terminal to draw on and keys to read")
    try:
        themes = ThemeShelf(get_terminal_color_mode(os.environ), options.theme)
    except (OSError, ValueError) as error:
        parser.error(f"--theme: {error}")
    asyncio.run(show(screen(options.tui_mode), themes))


def screen(mode: str) -> TUI:
    """Return a screen of the mode; what is on it need not know which it is."""
    terminal = ProcessTerminal()
    if mode == "regular":
        return TuiMainScreen(terminal, clear_on_shrink=True)  # pages are of all lengths
    tui = TuiAltScreen(
        terminal,
        scroll_to_end_indicator=lambda: " ↓ to the end ",
        open_url=lambda url: tui.flash(f"To open: {url}"),
    )
    tui.print_on_exit = False
    return tui


async def show(tui: TUI, themes: ThemeShelf) -> None:
    """Run the program until it stops."""
    gallery = Gallery(tui, themes, PAGES)
    tui.start()
    try:
        colors = await tui.query_terminal_colors()
        themes.terminal_has(colors)
        gallery.theme_changed()
        if colors.background is None:
            gallery.say("Ctrl+T for panels: this terminal does not tell its colors.")
        await tui.wait_stopped()
    finally:
        tui.stop()


if __name__ == "__main__":
    main()
