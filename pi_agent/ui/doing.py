"""What the terminal is told that pi does: that it works, waits for somebody, or is done.

What needs somebody counts most, and of that what came last. A dialog in the editor's place counts while it is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

from pi_agent.extensions.ui import Blocked
from pi_tui.app import TUI
from pi_tui.component import Renderable
from pi_tui.frozen import slotted

_APP: Final = "pi"

Outcome = Literal["idle", "done", "error"]
# How an answer ended, as far as that is not simply done.
_OUTCOMES: Final[dict[str, Outcome]] = {"error": "error", "aborted": "idle"}


@slotted(eq=False)
class _Waiting:
    """Something that needs somebody; `dialog` is what has to be seen for that, if it is in the editor's place."""

    blocked: Blocked
    dialog: Renderable | None


class Doing:
    """What goes on, told to the terminal when it changes. With `shows_progress` a run shows in the window, too."""

    def __init__(self, tui: TUI) -> None:
        self._tui = tui
        self._shows_progress = False
        self._is_working = False
        self._outcome: Outcome = "idle"
        self._waiting: list[_Waiting] = []
        self._seen: Renderable | None = None
        self._tell()

    def show_progress(self, shows: bool) -> None:
        """Show in the window that a run goes on, or do not."""
        self._shows_progress = shows
        self._tell()

    def begin(self) -> None:
        """A run has begun."""
        self._is_working, self._outcome = True, "done"
        self._tell()

    def answered(self, stop_reason: str) -> None:
        """The model has answered; of a run the last answer counts."""
        self._outcome = _OUTCOMES.get(stop_reason, "done")

    def settle(self) -> None:
        """The run is over."""
        self._is_working = False
        self._tell()

    def reset(self) -> None:
        """Another session begins."""
        self._is_working, self._outcome = False, "idle"
        self._tell()

    def see(self, dialog: Renderable) -> None:
        """Take what is in the editor's place now."""
        self._seen = dialog
        self._tell()

    @contextmanager
    def waiting(self, blocked: Blocked | None, dialog: Renderable | None = None) -> Iterator[None]:
        """Need somebody meanwhile."""
        if blocked is None:
            yield
            return
        entry = _Waiting(blocked, dialog)
        self._waiting.append(entry)
        self._tell()
        try:
            yield
        finally:
            self._waiting.remove(entry)
            self._tell()

    def _tell(self) -> None:
        self._tui.set_progress(self._is_working and self._shows_progress)
        for entry in reversed(self._waiting):
            if entry.dialog is None or entry.dialog is self._seen:
                blocked = entry.blocked
                self._tui.set_program_status("blocked", _APP, blocked.kind, blocked.message)
                return
        self._tui.set_program_status("working" if self._is_working else self._outcome, _APP)
