"""Decide from the environment how many colours the terminal shows.

A person's word (a setting, `PI_TRUE_COLOR`, then `NO_COLOR`) counts more than what the terminal is known to do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from pi_tui.capabilities import forced_true_color, get_capabilities
from pi_tui.colors import ColorMode
from pi_tui.known_terminals import has_true_color


def get_terminal_color_mode(
    environ: Mapping[str, str] | None = None,
    *,
    true_color: bool | None = None,
    platform: str = sys.platform,
) -> ColorMode:
    """Return the richest way to write colours that the terminal of a program with this environment understands.

    Without `environ` that is this process. `true_color` is the user's setting; it wins over everything in the
    environment.
    """
    is_here = environ is None
    environ = os.environ if environ is None else environ
    forced = true_color if true_color is not None else forced_true_color(environ)
    if forced:
        return "truecolor"
    term = environ.get("TERM", "").lower()
    if environ.get("NO_COLOR") or term == "dumb":
        return "mono"
    if forced is None and (
        get_capabilities().true_color if is_here else has_true_color(environ, platform)
    ):
        return "truecolor"
    if term == "ansi" or term.startswith(("linux", "vt")) or term.endswith("-16color"):
        return "16color"
    return "256color"
