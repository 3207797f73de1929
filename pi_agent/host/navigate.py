"""Go on elsewhere in the tree of a session, with a summary of the branch that is left or without one.

Nothing moves before all that can fail or be given up is done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Protocol

from pi_agent.base.errors import PiError
from pi_agent.extensions.context import TreeMove
from pi_agent.extensions.events import SessionBeforeTreeEvent, SessionTreeEvent, TreePreparation
from pi_agent.extensions.results import SessionBeforeTreeResult, TreeSummary
from pi_agent.llm.messages import CustomMessage, UserMessage, text_of
from pi_agent.session.context import message_of
from pi_agent.session.entries import BranchSummaryEntry, CustomMessageEntry, Entry, MessageEntry
from pi_agent.session.sequence import shared_length
from pi_agent.session.store import SessionManager
from pi_tui.abort import AbortController, AbortError, AbortSignal
from pi_tui.frozen import frozen

BeforeTree = Callable[[SessionBeforeTreeEvent], Awaitable[SessionBeforeTreeResult | None]]


class Summarize(Protocol):
    """Summarises what is left behind; `None` if nothing was said there."""

    async def __call__(
        self,
        entries: Sequence[Entry],
        signal: AbortSignal,
        *,
        custom_instructions: str | None = None,
        replace_instructions: bool = False,
    ) -> TreeSummary | None:
        """Return the summary; raises `PiError`, and `AbortError` once `signal` fires."""
        ...


@frozen
class Navigated:
    """What became of a navigation.

    `editor_text` is what was said at the target, where that is to be said otherwise. `event` is for the
    extensions; there is none if nothing has moved.
    """

    cancelled: bool = False
    editor_text: str | None = None
    event: SessionTreeEvent | None = None


class TreeNavigation:
    """Moves in the tree of `session`, one move at a time; whoever calls sees to it that nothing else goes on."""

    def __init__(
        self,
        session: SessionManager,
        before_tree: BeforeTree,
        summarize: Summarize,
        report: Callable[[str], None],
    ) -> None:
        self._session = session
        self._before_tree = before_tree
        self._summarize = summarize
        self._report = report
        self._abort: AbortController | None = None

    @property
    def is_going_on(self) -> bool:
        """Whether a move is being prepared, which `abort` ends."""
        return self._abort is not None

    def abort(self) -> None:
        """Give a move up that is being prepared: nothing moves."""
        if self._abort is not None:
            self._abort.abort("Navigation was cancelled")

    async def go(self, move: TreeMove) -> Navigated:
        """Go on at an entry; before it, if it is something that was said. Raises `PiError`, and nothing has moved."""
        target, leaf = self._session.get_entry(move.target_id), self._session.get_leaf_id()
        if target.id == leaf:
            return Navigated()
        common, left = left_behind(self._session, target.id)
        wanted = TreePreparation(
            target.id,
            leaf,
            common,
            tuple(left),
            move.summarize,
            move.custom_instructions,
            move.replace_instructions,
            move.label,
        )
        self._abort = AbortController()
        try:
            return await self._prepared(target, wanted, self._abort.signal)
        except AbortError:
            return Navigated(cancelled=True)
        finally:
            self._abort = None

    async def _prepared(
        self, target: Entry, wanted: TreePreparation, signal: AbortSignal
    ) -> Navigated:
        answer = await self._before_tree(SessionBeforeTreeEvent(wanted, signal))
        if signal.aborted or (answer is not None and answer.cancel):
            return Navigated(cancelled=True)
        wanted = _overridden(wanted, answer)
        given = answer.summary if answer is not None and wanted.user_wants_summary else None
        summary = given or await self._summary(wanted, signal)
        signal.raise_if_aborted()
        new_leaf, text = destination(self._session, target)
        entry = self._move(new_leaf, summary, from_extension=given is not None)
        self._put_label(wanted.label, entry or target)
        event = SessionTreeEvent(
            self._session.get_leaf_id(),
            wanted.old_leaf_id,
            entry,
            given is not None if entry is not None else None,
        )
        return Navigated(editor_text=text, event=event)

    async def _summary(self, wanted: TreePreparation, signal: AbortSignal) -> TreeSummary | None:
        if not wanted.user_wants_summary or not wanted.entries_to_summarize:
            return None
        return await self._summarize(
            wanted.entries_to_summarize,
            signal,
            custom_instructions=wanted.custom_instructions,
            replace_instructions=wanted.replace_instructions,
        )

    def _move(
        self,
        new_leaf: str | None,
        summary: TreeSummary | None,
        *,
        from_extension: bool,
    ) -> BranchSummaryEntry | None:
        if summary is not None:
            return self._session.branch_with_summary(
                new_leaf,
                summary.summary,
                details=summary.details,
                usage=summary.usage,
                from_hook=from_extension or None,
            )
        if new_leaf is None:
            self._session.reset_leaf()
        else:
            self._session.branch(new_leaf)
        return None

    def _put_label(self, label: str | None, entry: Entry) -> None:
        if not label:
            return
        try:
            self._session.append_label(entry.id, label)
        except PiError as error:
            self._report(error.with_hint())


def left_behind(session: SessionManager, target_id: str) -> tuple[str | None, list[Entry]]:
    """Return the last entry before the leaf's branch and the target's part, and what of the leaf's follows it."""
    branch = session.get_branch()
    shared = shared_length(branch, session.get_branch(target_id))
    return (branch[shared - 1].id if shared else None), list(branch[shared:])


def destination(session: SessionManager, target: Entry) -> tuple[str | None, str | None]:
    """Return the entry to go on from, and the text that is to be said otherwise if the target was said."""
    if isinstance(target, CustomMessageEntry) or (
        isinstance(target, MessageEntry) and target.role == "user"
    ):
        parent = target.parent_id if target.parent_id in session else None
        return parent, _said(target)
    return target.id, None


def _said(entry: Entry) -> str:
    message = message_of(entry)
    return text_of(message.content) if isinstance(message, UserMessage | CustomMessage) else ""


def _overridden(wanted: TreePreparation, answer: SessionBeforeTreeResult | None) -> TreePreparation:
    if answer is None:
        return wanted
    given = {
        name: value
        for name in ("custom_instructions", "replace_instructions", "label")
        if (value := getattr(answer, name)) is not None
    }
    return replace(wanted, **given)
