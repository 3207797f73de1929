"""What a conversation writes into its session, and who hears that it could not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from pi_agent.base.errors import PiError
from pi_agent.extensions.results import ExtensionEntry
from pi_agent.llm.messages import AssistantMessage, CustomMessage, Message
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.usage import Usage
from pi_agent.session.entries import (
    ContextEditEntry,
    Entry,
    MessageEntry,
    ModelChangeEntry,
    ThinkingLevelChangeEntry,
    UsageEntry,
)
from pi_agent.session.sequence import last_of
from pi_agent.session.store import SessionManager

EntryT = TypeVar("EntryT", bound=Entry)

_NOT_KEPT = "While this lasts nothing is kept: the model will not remember what was said."


class SessionRecord:
    """Adds to a session. A file that cannot be written is reported, and the conversation goes on."""

    def __init__(self, session: SessionManager, report: Callable[[str], None]) -> None:
        self._session = session
        self._report = report
        self._reported: set[str] = set()

    def report(self, text: str) -> None:
        """Report something, once."""
        if text not in self._reported:
            self._reported.add(text)
            self._report(text)

    def message(self, message: Message) -> None:
        """Add a message."""
        if isinstance(message, CustomMessage):
            self._add(
                partial(
                    self._session.append_custom_message,
                    message.custom_type,
                    message.content,
                    display=message.display,
                    details=message.details,
                )
            )
        else:
            self._add(partial(self._session.append_message, message))

    def custom(self, entry: ExtensionEntry) -> None:
        """Add data of an extension, which the model does not see."""
        self._add(partial(self._session.append_custom, entry.custom_type, entry.data))

    def model(self, model: Model) -> None:
        """Note that `model` was chosen."""
        self._add(partial(self._session.append_model_change, model.provider, model.id))

    def level(self, level: ThinkingLevel) -> None:
        """Note that a thinking level was chosen."""
        self._add(partial(self._session.append_thinking_level_change, level))

    def settings(self, model: Model, level: ThinkingLevel) -> None:
        """Write down what the answers will come from, if the branch does not say so yet."""
        branch = self._session.get_branch()
        if last_of(branch, ModelChangeEntry.type_name) is None:
            self.model(model)
        if last_of(branch, ThinkingLevelChangeEntry.type_name) is None:
            self.level(level)

    def usage(self, kind: str, model: Model, usage: Usage) -> UsageEntry | None:
        """Note tokens that were spent beside the conversation. Returns the entry."""
        return self._add(
            partial(
                self._session.append_usage,
                kind,
                provider=model.provider,
                model=model.id,
                usage=usage,
            )
        )

    def hide(self, failed: AssistantMessage) -> ContextEditEntry | None:
        """Hide a failed answer from the model; it stays in the session. Returns the entry that does it."""
        for entry in reversed(self._session.get_branch()):
            if isinstance(entry, MessageEntry) and entry.is_of(failed):
                return self._add(partial(self._session.append_context_edit, entry.id, None))
        return None

    def _add(self, append: Callable[[], EntryT]) -> EntryT | None:
        known = len(self._session.notices)
        entry: EntryT | None = None
        try:
            entry = append()
        except PiError as error:
            self.report(f"{error.with_hint()}\n{_NOT_KEPT}")
        for notice in self._session.notices[known:]:  # that somebody else has the file, say
            self.report(notice)
        return entry
