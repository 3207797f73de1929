"""What a model does before it answers, in the status row: its server starts, or it reads the prompt."""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.loop.events import PromptProgress
from pi_agent.ui.status import StatusRow

_STARTING = "Starting the local model..."
_READING = "Reading the prompt"


class PromptStatus:
    """Follows the progress; `show_working` shows what is usual once it is over."""

    def __init__(self, status: StatusRow, show_working: Callable[[], None]) -> None:
        self._status = status
        self._show_working = show_working
        self._progress: PromptProgress | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the answer has not begun, and how far it is from that is known."""
        return self._progress is not None

    def take(self, event: PromptProgress) -> None:
        """Show how far it is."""
        self._progress = event
        self.show()

    def show(self) -> None:
        """Show it again."""
        if self._progress is None:
            return
        if self._progress.activity == "starting":
            self._status.show(
                _STARTING, lambda: " (esc to cancel)", narrow=lambda: ("Starting...",)
            )
            return
        share = f"{_percentage(self._progress)}%"
        self._status.show(
            f"{_READING}: {share}",
            lambda: " (esc to interrupt)",
            narrow=lambda: (f"{_READING}: {share}", f"Prompt {share}"),
        )

    def end(self) -> None:
        """The answer has begun, or will not."""
        if self._progress is not None:
            self._progress = None
            self._show_working()


def _percentage(progress: PromptProgress) -> int:
    return progress.done * 100 // progress.total if progress.total else 100
