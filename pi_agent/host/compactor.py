"""Puts a summary in the place of what was said longest ago: when asked to, and when the context is nearly full.

Nothing is stored before there is a whole summary. The entries themselves stay in the session.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.extensions.events import (
    SessionBeforeCompactEvent,
    SessionCompactEvent,
    SessionCompactFailedEvent,
)
from pi_agent.extensions.results import CompactionContent
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.host.selection import ModelSelection, usable_model
from pi_agent.host.summarizer import Summarizer, SummaryOrder
from pi_agent.llm.model import Model
from pi_agent.loop.events import AgentEvent
from pi_agent.loop.summary_events import (
    CompactionEnd,
    CompactionReason,
    CompactionResult,
    CompactionStart,
)
from pi_agent.session.compaction import (
    CompactionPreparation,
    CompactionSettings,
    prepare_compaction,
    told_so_far,
)
from pi_agent.session.entries import CompactionEntry
from pi_agent.session.estimate import context_tokens, estimate_all
from pi_tui.abort import AbortController, AbortError, AbortSignal
from pi_tui.frozen import frozen

_PREFIXES: Final = {
    "manual": "Compaction failed: ",
    "threshold": "Auto-compaction failed: ",
    "overflow": "Context overflow recovery failed: ",
}


@frozen
class _Order:
    """A compaction that is wanted."""

    reason: CompactionReason
    signal: AbortSignal
    custom_instructions: str | None = None
    will_retry: bool = False


@frozen
class _Stored:
    """A compaction that was made."""

    entry: CompactionEntry
    result: CompactionResult
    from_extension: bool


class Compactor:
    """The compactions of one conversation, one at a time."""

    def __init__(
        self,
        setup: ConversationSetup,
        selection: ModelSelection,
        summarizer: Summarizer,
        tell: Callable[[AgentEvent], Awaitable[None]],
        report: Callable[[str], None],
    ) -> None:
        self._setup = setup
        self._session = setup.session
        self._selection = selection
        self._summarizer = summarizer
        self._tell = tell
        self._report = report
        self._abort: AbortController | None = None
        self._has_failed = False
        self._uses_extension = False

    @property
    def is_running(self) -> bool:
        """Whether a compaction goes on."""
        return self._abort is not None

    def begin(self) -> None:
        """Something new is said: what failed before may be tried again."""
        self._has_failed = False

    def abort(self) -> None:
        """Give up what goes on; nothing changes."""
        if self._abort is not None:
            self._abort.abort("Compaction was cancelled")

    async def check(self, signal: AbortSignal) -> bool:
        """Compact if the context is nearly full, and return whether that was done.

        What fails or is given up is not tried again before something new is said.
        """
        if self._has_failed or signal.aborted or not self._is_due():
            return False
        return await self.attempt("threshold", signal)

    async def attempt(
        self, reason: CompactionReason, signal: AbortSignal, *, will_retry: bool = False
    ) -> bool:
        """Compact, and return whether that was done; a failure is told of, not raised."""
        if signal.aborted:
            return False
        unsubscribe = signal.on_abort(self.abort)
        try:
            await self.compact(reason, will_retry=will_retry)
        except (PiError, AbortError):
            self._has_failed = True
            return False
        finally:
            unsubscribe()
        return True

    async def compact(
        self,
        reason: CompactionReason,
        custom_instructions: str | None = None,
        *,
        will_retry: bool = False,
    ) -> CompactionResult:
        """Compact; raises `PiError` if that fails, and `AbortError` if it is given up."""
        self.refuse_second()
        self._abort = AbortController()
        order = _Order(reason, self._abort.signal, custom_instructions or None, will_retry)
        try:
            stored = await self._carry_out(order)
        except AbortError:
            await self._tell_failure(reason, None)
            raise
        except PiError as error:
            await self._tell_failure(reason, _PREFIXES[reason] + error.message)
            raise
        await self._tell(CompactionEnd(reason, stored.result, will_retry=will_retry))
        await self._setup.tell_compaction(
            SessionCompactEvent(stored.entry, stored.from_extension, reason, will_retry)
        )
        return stored.result

    def refuse_second(self) -> None:
        """Raise `PiError` while a compaction goes on."""
        if self.is_running:
            raise PiError("A compaction is going on already.", "Wait until it has finished.")

    async def refuse(self, reason: CompactionReason, why: str) -> None:
        """Tell that there will be no compaction."""
        self._uses_extension = False
        await self._tell_failure(reason, _PREFIXES[reason] + why)

    def settings(self) -> CompactionSettings | None:
        """Return what holds for the model that answers; `None` without one. A wrong setting is reported."""
        if self._selection.model is None:
            return None
        try:
            return self._setup.compaction_settings(self._selection.model)
        except PiError as error:
            self._report(error.with_hint())
            return None

    def has_something(self) -> bool:
        """Return whether there is anything that could be compacted now."""
        try:
            self._prepared(usable_model(self._selection, self._setup.registry))
        except PiError:
            return False
        return True

    # Private

    def _is_due(self) -> bool:
        settings, model = self.settings(), self._selection.model
        if settings is None or model is None or not settings.enabled:
            return False
        session = self._session
        tokens = context_tokens(session.newest_first(), session.build_session_projection)
        return tokens > model.context_window - settings.reserve_tokens and self.has_something()

    def _prepared(self, model: Model) -> CompactionPreparation:
        return prepare_compaction(
            self._session.get_branch(), self._setup.compaction_settings(model)
        )

    async def _carry_out(self, order: _Order) -> _Stored:
        """Compact; whatever comes of it, the next compaction can begin when this returns."""
        self._uses_extension = False
        try:
            await self._tell(CompactionStart(order.reason))
            model = usable_model(self._selection, self._setup.registry)
            preparation = self._prepared(model)
            content = await self._given(preparation, order)
            if content is None:
                content = await self._summarized(model, preparation, order)
            order.signal.raise_if_aborted()
            return self._store(content)
        finally:
            self._abort = None

    async def _given(
        self, preparation: CompactionPreparation, order: _Order
    ) -> CompactionContent | None:
        """Return what an extension has written; raises `AbortError` if one wants it to be given up."""
        answer = await self._setup.before_compact(
            SessionBeforeCompactEvent(
                preparation,
                self._session.get_branch(),
                order.custom_instructions,
                order.reason,
                order.will_retry,
                order.signal,
            )
        )
        order.signal.raise_if_aborted()
        if answer is None:
            return None
        if answer.cancel:
            raise AbortError("An extension has cancelled the compaction")
        self._uses_extension = answer.compaction is not None
        return answer.compaction

    async def _summarized(
        self, model: Model, preparation: CompactionPreparation, order: _Order
    ) -> CompactionContent:
        from pi_agent.host.compaction_summary import summarize_history

        level = self._selection.thinking_level
        asked = SummaryOrder(model, level, "compaction", order.signal, order.reason)
        return await summarize_history(
            preparation, self._summarizer, asked, order.custom_instructions
        )

    def _store(self, content: CompactionContent) -> _Stored:
        session = self._session
        now_ms = round(self._setup.clock.now() * 1000)
        entry = session.append_compaction(
            content.summary,
            first_kept_entry_id=content.first_kept_entry_id,
            tokens_before=content.tokens_before,
            system_message=told_so_far(session.build_session_projection(), now_ms),
            details=content.details,
            usage=content.usage,
            from_hook=self._uses_extension,
        )
        result = CompactionResult(
            summary=content.summary,
            first_kept_entry_id=entry.first_kept_entry_id,
            tokens_before=content.tokens_before,
            estimated_tokens_after=estimate_all(session.build_session_projection()),
            usage=content.usage,
            details=content.details,
        )
        return _Stored(entry, result, self._uses_extension)

    async def _tell_failure(self, reason: CompactionReason, message: str | None) -> None:
        """Tell what went wrong; without a `message` it was given up."""
        aborted = message is None
        await self._tell(CompactionEnd(reason, aborted=aborted, error_message=message))
        await self._setup.tell_compaction(
            SessionCompactFailedEvent(reason, message, aborted, from_extension=self._uses_extension)
        )
