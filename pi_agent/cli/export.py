"""`pi --export`: a saved session as a page, without a screen."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_agent.base.text_paths import find_named_file
from pi_agent.cli.progress_line import ProgressLine
from pi_agent.host.options import RunOptions
from pi_agent.host.themes import theme_catalog
from pi_agent.resources.themes import load_bundled_theme, load_theme_file, theme_names
from pi_agent.session.export.source import source_of_file
from pi_agent.session.export.target import export_target
from pi_agent.session.export.write import write_export
from pi_agent.session.listing import find_session
from pi_tui.abort import AbortController
from pi_tui.appearance import terminal_appearance
from pi_tui.system_theme import SYSTEM_THEME
from pi_tui.theme import Theme


async def export_session(options: RunOptions, session: str, to: str) -> Path:
    """Write the page of the session that `session` names, and return where it is. Raises `PiError`."""
    source = source_of_file(_session_file(session, options))
    target = export_target(source, to, options.cwd, now=time.time())
    if target.replaces_something and not _may_replace(target.path):
        raise PiError(f"{target.path} exists already.", "Name another file, or remove that one.")
    stop = AbortController()
    async with ProgressLine(sys.stderr) as line:
        told = line.show if sys.stderr.isatty() else lambda text, share: None
        try:
            await asyncio.to_thread(
                write_export,
                source,
                target,
                _theme(options),
                lambda done, total: told("Exporting", done / total),
                stop.signal,
            )
        finally:
            stop.abort()  # the thread would go on when this is cancelled
    return target.path


def _session_file(text: str, options: RunOptions) -> Path:
    path = find_named_file(text, options.cwd)
    if os.path.lexists(path):
        return path
    return find_session(text, cwd=options.cwd, paths=options.paths)


def _may_replace(path: Path) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input(f"{path} exists already. Replace it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _theme(options: RunOptions) -> Theme:
    """Return the theme that is chosen. The terminal is not asked for its colors: a theme stands in for them."""
    appearance = terminal_appearance(colorfgbg=options.environ.get("COLORFGBG", ""))
    light, dark = theme_names(options.use_theme or options.settings.get_text("theme"))
    name = light if appearance == "light" else dark
    if name == SYSTEM_THEME:
        return load_bundled_theme(appearance, color_mode="truecolor")
    path = theme_catalog(options).path(name)
    return load_theme_file(path, color_mode="truecolor", terminal_appearance=appearance)
