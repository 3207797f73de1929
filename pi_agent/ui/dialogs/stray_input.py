"""Tells an Enter that answers a dialog from one that was meant for the editor.

A dialog may open while somebody types. So Enter answers nothing in the first moments, nor after a letter or a
paste, until an answer has been chosen. What is typed meanwhile is kept for the editor.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from pi_tui.events import KeyEvent, PasteEvent

READING_SECONDS = 0.4

KeepTyped = Callable[[KeyEvent | PasteEvent], object]


def forget_typed(event: KeyEvent | PasteEvent) -> None:
    """Keep nothing: there is no editor."""


class StrayInput:
    """What has happened since a dialog opened. `clock` counts seconds; `keep` gets what is meant for the editor."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, keep: KeepTyped = forget_typed
    ) -> None:
        self._clock = clock
        self._keep = keep
        self._enter_from: float | None = None
        self._has_typed = False

    def shown(self) -> None:
        """The dialog is on the screen; only the first time counts."""
        if self._enter_from is None:
            self._enter_from = self._clock() + READING_SECONDS

    def typed(self, event: KeyEvent | PasteEvent) -> None:
        """Something came that means nothing to the dialog."""
        self._has_typed = True
        self._keep(event)

    def chosen(self) -> None:
        """An answer has been chosen: whoever does that sees the dialog."""
        self._has_typed = False
        self._enter_from = self._clock()

    @property
    def has_typed(self) -> bool:
        """Whether somebody is writing something else."""
        return self._has_typed

    def is_meant(self) -> bool:
        """Return whether Enter answers the dialog, and a letter moves in it: neither is part of a text."""
        is_seen = self._enter_from is not None and self._clock() >= self._enter_from
        return is_seen and not self._has_typed
