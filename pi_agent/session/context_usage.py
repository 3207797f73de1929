"""How full the model's window is."""

from __future__ import annotations

from pi_agent.session.context import message_of
from pi_agent.session.entries import CompactionEntry
from pi_agent.session.estimate import context_tokens, counted_tokens
from pi_agent.session.store import SessionManager
from pi_tui.frozen import frozen


@frozen
class ContextUsage:
    """The tokens of the context, and their share of `context_window` in percent.

    Both are `None` right after a compaction: how many there are will be known with the next answer.
    """

    tokens: int | None
    context_window: int
    percent: float | None


class ContextMeter:
    """Measures the context of `session`; while nothing is added to it, that is done once."""

    def __init__(self, session: SessionManager) -> None:
        self._session = session
        self._measured: tuple[str | None, int | None] | None = None

    def usage(self, context_window: int) -> ContextUsage:
        """Return how full a window is."""
        leaf = self._session.get_leaf_id()
        if self._measured is None or self._measured[0] != leaf:
            self._measured = (leaf, self._tokens())
        tokens = self._measured[1]
        percent = None if tokens is None or not context_window else 100 * tokens / context_window
        return ContextUsage(tokens, context_window, percent)

    def _tokens(self) -> int | None:
        session = self._session
        if self._is_just_compacted():
            return None
        return context_tokens(session.newest_first(), session.build_session_projection)

    def _is_just_compacted(self) -> bool:
        for entry in self._session.newest_first():
            if isinstance(entry, CompactionEntry):
                return True
            message = message_of(entry)
            if message is not None and counted_tokens(message):
                return False
        return False
