"""Another session in the place of the current one, without starting the program again.

The extensions are told, their `pi` and `ctx` end, and they are set up once more for the new session. Whoever
shows the conversation then shows the new one and calls `Services.start_extensions`.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.extensions.events import SessionBeforeForkEvent, SessionBeforeSwitchEvent
from pi_agent.extensions.rules import SESSION_BEFORE_FORK, SESSION_BEFORE_SWITCH
from pi_agent.host.models import StartModel
from pi_agent.host.problems import Problem
from pi_agent.host.replacements import ReplaceReason
from pi_agent.host.services import Services, start_model
from pi_agent.session.context import settings_of_branch
from pi_agent.session.file import SessionError
from pi_agent.session.store import SessionManager

_REPLACED: Final = (
    "Another session has taken the place of this one: use the `pi` and `ctx` that came with it."
)
_log = logging.getLogger("pi.replace")


class ReplaceError(PiError):
    """A session could not take its place when the one before had ended already.

    `is_back` tells whether that one is there again; else there is no session at all.
    """

    def __init__(self, error: Exception, *, is_back: bool) -> None:
        why = (
            error.with_hint() if isinstance(error, PiError) else f"{type(error).__name__}: {error}"
        )
        then = "The session before is back." if is_back else "It cannot be put back either."
        super().__init__(f"The session could not be changed: {why}", then)
        self.is_back = is_back


async def is_kept(
    services: Services, question: SessionBeforeSwitchEvent | SessionBeforeForkEvent
) -> bool:
    """Ask the extensions whether the current session is to stay."""
    if isinstance(question, SessionBeforeForkEvent):
        fork = await services.runner.emit(question, SESSION_BEFORE_FORK)
        return any(result.cancel for result in fork.results)
    switch = await services.runner.emit(question, SESSION_BEFORE_SWITCH)
    return any(result.cancel for result in switch.results)


async def replace_session(
    services: Services, session: SessionManager, reason: ReplaceReason
) -> list[Problem]:
    """Stop what goes on and put `session` in its place. Returns what is wrong with what there is now.

    Raises `PiError`, and nothing has changed, while the extensions are being reloaded; `ReplaceError` if it
    fails later.
    """
    old = services.conversation
    problems = [Problem("warning", text) for text in session.notices]
    await old.abort()
    async with old.paused():
        # Before anything has ended: what fails up to here leaves all as it was.
        start = await _start_model(services, session, reason, problems)
        start.scope = tuple(old.scoped_models)
        before = StartModel(old.model, old.thinking_level, scope=start.scope)
        is_saved = _is_saved(old.session)
        try:
            problems += await _exchange(services, session, start, reason)
        except Exception as error:  # whatever it was, there has to be a session
            _log.exception("a session could not take its place")
            is_back = await _put_back(services, old.session, before, is_saved=is_saved)
            raise ReplaceError(error, is_back=is_back) from error
    return problems


async def _exchange(
    services: Services, session: SessionManager, start: StartModel, reason: ReplaceReason
) -> list[Problem]:
    old = services.conversation
    old.refuse_prompts()
    late = await services.extensions.end(
        reason, _REPLACED, target_session_file=file_of(session), keep_modules=True
    )
    problems = [Problem("warning", text) for text in late]
    await services.user_bash.aclose()
    await old.dispose()
    services.groups.kill_all()
    services.begin(session, start, problems)
    return problems + await services.extensions.load_again()


async def _put_back(
    services: Services, session: SessionManager, start: StartModel, *, is_saved: bool
) -> bool:
    """Let the conversation be one of `session` again, and tell whether it is."""
    try:
        services.begin(_reopened(session, is_saved=is_saved), start, [])
        await services.extensions.load_again()
    except Exception:
        _log.exception("the session before could not be put back")
        return False
    return True


def _reopened(session: SessionManager, *, is_saved: bool) -> SessionManager:
    file = session.get_session_file()
    if file is None or not is_saved:
        return session  # all of it is in memory
    if not file.exists():
        raise SessionError(f"File not found: {file}")
    return SessionManager.open(file, cwd=session.get_cwd())


def file_of(session: SessionManager) -> str | None:
    """Return where a session is kept, if it is kept at all."""
    file = session.get_session_file()
    return str(file) if file is not None else None


def _is_saved(session: SessionManager) -> bool:
    file = session.get_session_file()
    return file is not None and file.exists()


async def _start_model(
    services: Services, session: SessionManager, reason: ReplaceReason, problems: list[Problem]
) -> StartModel:
    """Choose the model: another session has its own if that is there, else it goes on with the one at work."""
    options, registry, now = services.options, services.registry, services.conversation
    nobodys = replace(options, model=None, provider=None, thinking=None)
    same = nobodys
    if now.model is not None:
        same = replace(nobodys, model=now.model.reference, thinking=now.thinking_level)
    names_one = settings_of_branch(session.get_branch()).model_id is not None
    if reason == "new" or (reason == "fork" and not names_one):
        return await start_model(same, registry, session, problems)
    start = await start_model(nobodys, registry, session, problems)
    if start.model is None and now.model is not None:
        return await start_model(same, registry, session, problems)
    return start
