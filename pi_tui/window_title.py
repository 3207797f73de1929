"""The name of the terminal's window while a program has it, and the name that it had before."""

from __future__ import annotations

from pi_tui.ansi import replace_control_characters

# Terminals keep a stack of titles; those that do not ignore it.
_KEPT = "\x1b[22;0t"
_BACK = "\x1b[23;0t"


class WindowTitle:
    """What the window is called; `None` leaves the name alone."""

    def __init__(self) -> None:
        self._text: str | None = None

    def change(self, text: str | None) -> str:
        """Choose a name; returns what says so on a terminal that has the one before."""
        before, self._text = self._text, text
        if (before, text) == (None, None):
            return ""
        undo = _BACK if before is not None and text is None else ""
        keep = _KEPT if before is None else ""
        return undo + keep + _sequence(text)

    def enter(self) -> str:
        """Return what names the window at the start."""
        return _KEPT + _sequence(self._text) if self._text is not None else ""

    def leave(self) -> str:
        """Return what gives back the name that it had."""
        return _BACK if self._text is not None else ""


def _sequence(text: str | None) -> str:
    return "" if text is None else f"\x1b]0;{replace_control_characters(text)}\x07"
