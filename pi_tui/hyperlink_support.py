"""Decide from the environment whether the terminal makes links of OSC 8 sequences.

A terminal that does not would show the text of a link and hide where it leads.
"""

from __future__ import annotations

from collections.abc import Mapping

from pi_tui.color_depth import is_modern_terminal


def shows_hyperlinks(environ: Mapping[str, str]) -> bool:
    """Return whether links are shown; `PI_HYPERLINKS` (`1` or `0`) counts more than what is known."""
    forced = {"1": True, "0": False}.get(environ.get("PI_HYPERLINKS", "").strip())
    if forced is not None:
        return forced
    if environ.get("TERM_PROGRAM", "").lower() == "herdr":
        return True
    # A multiplexer inherits the variables of the terminal around it, and may swallow what that one knows.
    if environ.get("TMUX") or environ.get("TERM", "").lower().startswith(("tmux", "screen")):
        return False
    return is_modern_terminal(environ)
