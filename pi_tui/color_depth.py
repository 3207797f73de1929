"""Decide from the environment how many colours the terminal shows.

A person's word (`PI_TRUE_COLOR`, then `NO_COLOR`) counts more than what the terminal is known to do.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from pi_tui.colors import ColorMode

_MODERN_PROGRAMS = frozenset(
    (
        "rex",
        "kitty",
        "ghostty",
        "wezterm",
        "warpterminal",
        "iterm.app",
        "alacritty",
        "vscode",
        "zed",
    )
)
_MODERN_VARIABLES = (
    "KITTY_WINDOW_ID",
    "GHOSTTY_RESOURCES_DIR",
    "WEZTERM_PANE",
    "WARP_SESSION_ID",
    "WARP_TERMINAL_SESSION_UUID",
    "ITERM_SESSION_ID",
    "WT_SESSION",
    "ALACRITTY_WINDOW_ID",
)


def get_terminal_color_mode(
    environ: Mapping[str, str], *, true_color: bool | None = None, platform: str = sys.platform
) -> ColorMode:
    """Return the richest way to write colours that this terminal understands.

    `true_color` is the user's setting; it wins over everything in the environment.
    """
    forced = true_color if true_color is not None else _forced_true_color(environ)
    if forced:
        return "truecolor"
    term = environ.get("TERM", "").lower()
    if environ.get("NO_COLOR") or term == "dumb":
        return "mono"
    if forced is None and _has_true_color(environ, term, platform):
        return "truecolor"
    if term == "ansi" or term.startswith(("linux", "vt")) or term.endswith("-16color"):
        return "16color"
    return "256color"


def is_modern_terminal(environ: Mapping[str, str]) -> bool:
    """Tell whether this is one of the terminals that are known to show all colours, and links."""
    term = environ.get("TERM", "").lower()
    program = environ.get("TERM_PROGRAM", "").lower()
    return (
        program in _MODERN_PROGRAMS
        or any(environ.get(name) for name in _MODERN_VARIABLES)
        or (program == "orca" and environ.get("ORCA_IMAGE_PROTOCOL", "").lower() == "kitty")
        or "ghostty" in term
        or term.startswith("alacritty")
    )


def _forced_true_color(environ: Mapping[str, str]) -> bool | None:
    return {"1": True, "0": False}.get(environ.get("PI_TRUE_COLOR", "").strip())


def _has_true_color(environ: Mapping[str, str], term: str, platform: str) -> bool:
    program = environ.get("TERM_PROGRAM", "").lower()
    hinted = environ.get("COLORTERM", "").lower() in ("truecolor", "24bit")
    hinted = hinted or term.endswith("-direct")
    # A multiplexer inherits the variables of the terminal around it, so it is asked first.
    if environ.get("TMUX") or term.startswith(("tmux", "screen")) or program == "herdr":
        return hinted
    return (
        hinted
        or is_modern_terminal(environ)
        or environ.get("TERMINAL_EMULATOR", "").lower() == "jetbrains-jediterm"
        or platform == "win32"
    )
