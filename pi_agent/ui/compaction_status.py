"""A compaction on the screen: what goes on in the status row, and what is said when it is over."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from pi_agent.loop.summary_events import (
    CompactionEnd,
    CompactionReason,
    CompactionStart,
    SummarizationRetryAttemptStart,
    SummarizationRetryFinished,
    SummarizationRetryScheduled,
)
from pi_agent.ui.notices import Notices
from pi_agent.ui.status import StatusRow

SummaryEvent = (
    CompactionStart
    | CompactionEnd
    | SummarizationRetryScheduled
    | SummarizationRetryAttemptStart
    | SummarizationRetryFinished
)

_GOING_ON: Final[dict[CompactionReason, str]] = {
    "manual": "Compacting context…",
    "threshold": "Auto-compacting…",
    "overflow": "Context overflow detected, Auto-compacting…",
}
_SHORT: Final = "Compacting…"
_BRANCH: Final = "Summarizing branch…"


class CompactionStatus:
    """Follows summaries. `on_end` is called when a compaction is over, before what comes of it is said."""

    def __init__(
        self,
        status: StatusRow,
        notices: Notices,
        now: Callable[[], float],
        on_end: Callable[[CompactionEnd], None],
    ) -> None:
        self._status = status
        self._notices = notices
        self._now = now
        self._on_end = on_end
        self._reason: CompactionReason | None = None
        self._retry: tuple[SummarizationRetryScheduled, float] | None = None

    @property
    def is_shown(self) -> bool:
        """Whether a compaction goes on."""
        return self._reason is not None

    def take(self, event: SummaryEvent) -> None:
        """Show an event."""
        match event:
            case CompactionStart(reason=reason):
                self._reason, self._retry = reason, None  # a summary that was given up tells no end
                self.show()
            case SummarizationRetryScheduled():
                self._retry = (event, self._now() + event.delay_ms / 1000)
                self.show()
            case SummarizationRetryAttemptStart() | SummarizationRetryFinished():
                self._retry = None
                self.show(event.reason)
            case CompactionEnd():
                self._end(event)

    def show(self, reason: CompactionReason | None = None) -> None:
        """Show what goes on, again."""
        if self._retry is not None:
            self._show_retry(*self._retry)
            return
        reason = reason or self._reason
        text = _GOING_ON[reason] if reason is not None else _BRANCH
        self._status.show(text, lambda: " (esc to cancel)", narrow=lambda: (text, _SHORT))

    def _show_retry(self, event: SummarizationRetryScheduled, ends_at: float) -> None:
        which = f"{event.attempt}/{event.max_attempts}"

        def seconds() -> int:
            return max(0, math.ceil(ends_at - self._now()))

        self._status.show(
            f"Retrying the summary ({which}) in",
            lambda: f" {seconds()}s... (esc to cancel)",
            narrow=lambda: (
                f"Retrying ({which}) in {seconds()}s (esc)",
                f"Retry {which}: {seconds()}s",
            ),
        )

    def _end(self, event: CompactionEnd) -> None:
        self._reason = self._retry = None
        self._on_end(event)
        if event.aborted:
            self._notices.notify("Compaction cancelled")
        elif event.error_message is not None:
            self._notices.notify(event.error_message, "error")
