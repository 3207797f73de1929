"""The wait for another attempt: a countdown in the status row, and what is said when there will be none."""

from __future__ import annotations

import math
from collections.abc import Callable

from pi_agent.host.retry import CANCELLED
from pi_agent.llm.stream import ABORTED
from pi_agent.loop.events import AutoRetryEnd, AutoRetryStart
from pi_agent.ui.notices import Notices
from pi_agent.ui.status import StatusRow
from pi_tui.frozen import frozen


@frozen
class _Wait:
    attempt: int
    most: int
    ends_at: float


class RetryStatus:
    """Follows the attempts. `attempts`: how many there were since an answer came through."""

    def __init__(self, status: StatusRow, notices: Notices, now: Callable[[], float]) -> None:
        self._status = status
        self._notices = notices
        self._now = now
        self._wait: _Wait | None = None
        self.attempts = 0

    @property
    def is_waiting(self) -> bool:
        """Whether the next attempt is waited for."""
        return self._wait is not None

    def start(self, event: AutoRetryStart) -> None:
        """Count down."""
        ends_at = self._now() + event.delay_ms / 1000
        self._wait = _Wait(event.attempt, event.max_attempts, ends_at)
        self.show()

    def show(self) -> None:
        """Show the countdown."""
        if self._wait is None:
            return
        which = f"{self._wait.attempt}/{self._wait.most}"
        self._status.show(
            f"Retrying ({which}) in",
            lambda: f" {self._seconds()}s... (esc to cancel)",
            narrow=lambda: (
                f"Retrying ({which}) in {self._seconds()}s (esc)",
                f"Retry {which}: {self._seconds()}s",
            ),
        )

    def go_on(self) -> None:
        """The wait is over: the model is asked."""
        if self._wait is not None:
            self.attempts = self._wait.attempt
        self._wait = None

    def end(self, event: AutoRetryEnd) -> None:
        """Say how it ended, if no answer came through."""
        self._wait = None
        if not event.success and event.final_error != ABORTED:  # which the answer itself says
            self._notices.notify(self._ending(event))
        self.attempts = 0

    def _ending(self, event: AutoRetryEnd) -> str:
        if event.final_error != CANCELLED:
            return f"Gave up after {retries(event.attempt)}."
        return aborted_after(self.attempts) if self.attempts else CANCELLED

    def _seconds(self) -> int:
        return max(0, math.ceil(self._wait.ends_at - self._now())) if self._wait is not None else 0


def aborted_after(attempts: int) -> str:
    """Return what is said of an answer that was broken off; `attempts` is how often it was asked for again."""
    return f"Aborted after {retries(attempts)}" if attempts else "Operation aborted"


def retries(count: int) -> str:
    """Return a number of attempts in words."""
    return f"{count} retry attempt{'' if count == 1 else 's'}"
