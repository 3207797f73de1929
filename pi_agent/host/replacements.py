"""The sessions that can take the place of the current one: a new one, a saved, a forked, a cloned, an imported one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal

from pi_agent.extensions.events import SessionBeforeForkEvent, SessionBeforeSwitchEvent
from pi_agent.host.conversation import Conversation
from pi_agent.host.options import RunOptions
from pi_agent.host.session_folder import copied_here
from pi_agent.host.start_session import new_session
from pi_agent.llm.messages import UserMessage, text_of
from pi_agent.session.entries import MessageEntry
from pi_agent.session.fork import clone_point, fork_point, fork_session, import_session
from pi_agent.session.store import SessionManager
from pi_tui.frozen import frozen

ReplaceReason = Literal["new", "resume", "fork"]


@frozen
class Replacement:
    """A session that is to take the place of the current one.

    `question` is put to the extensions first; `make` opens the session and raises `PiError` if it cannot.
    `editor_text` is what the user said where the session begins anew.
    """

    reason: ReplaceReason
    question: SessionBeforeSwitchEvent | SessionBeforeForkEvent
    make: Callable[[], Awaitable[SessionManager]]
    editor_text: str = ""


def begin(options: RunOptions) -> Replacement:
    """Begin a new session."""
    return Replacement("new", SessionBeforeSwitchEvent("new"), _on_thread(new_session, options))


def resume(path: Path, options: RunOptions) -> Replacement:
    """Go on with a saved session."""
    question = SessionBeforeSwitchEvent("resume", str(path))
    return Replacement("resume", question, _on_thread(_open, path, options))


def resume_copy(path: Path, options: RunOptions) -> Replacement:
    """Go on with a copy of a saved session, made for the current folder."""
    question = SessionBeforeSwitchEvent("resume", str(path))
    return Replacement("resume", question, _on_thread(copied_here, path, options))


def import_file(path: Path, options: RunOptions) -> Replacement:
    """Copy a session's file to the others, and go on with it."""

    def make() -> SessionManager:
        return _open(import_session(path, options.paths.sessions_of(options.cwd)), options)

    question = SessionBeforeSwitchEvent("resume", str(path))
    return Replacement("resume", question, _on_thread(make))


def fork(conversation: Conversation, entry_id: str) -> Replacement:
    """Begin a session that ends before something the user said. Raises `PiError`."""
    session = conversation.session
    fork_point(session, entry_id, "before")
    entry = session.get_entry(entry_id)
    said = entry.message if isinstance(entry, MessageEntry) else None
    return Replacement(
        "fork",
        SessionBeforeForkEvent(entry_id, "before"),
        _when_quiet(conversation, lambda: fork_session(session, entry_id)),
        text_of(said.content) if isinstance(said, UserMessage) else "",
    )


def clone(conversation: Conversation) -> Replacement:
    """Begin a session with all of the active branch. Raises `PiError`."""
    session = conversation.session
    return Replacement(
        "fork",
        SessionBeforeForkEvent(clone_point(session), "at"),
        _when_quiet(conversation, lambda: fork_session(session, clone_point(session), "at")),
    )


def _open(path: Path, options: RunOptions) -> SessionManager:
    return SessionManager.open(path, cwd=options.cwd)


def _on_thread(
    make: Callable[..., SessionManager], *arguments: object
) -> Callable[[], Awaitable[SessionManager]]:
    return lambda: asyncio.to_thread(make, *arguments)


def _when_quiet(
    conversation: Conversation, make: Callable[[], SessionManager]
) -> Callable[[], Awaitable[SessionManager]]:
    """Return what ends the run first: the branch it adds to is the one that is copied."""

    async def quiet_make() -> SessionManager:
        await conversation.abort()
        return await asyncio.to_thread(make)

    return quiet_make
