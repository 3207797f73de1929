"""Another session in the place of the current one, without starting the program again.

The extensions are told, their `pi` and `ctx` end, and they are set up once more for the new session. Whoever
shows the conversation then shows the new one and calls `Services.start_extensions`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from pi_agent.extensions.events import SessionBeforeSwitchEvent
from pi_agent.extensions.rules import SESSION_BEFORE_SWITCH
from pi_agent.host.models import StartModel
from pi_agent.host.problems import Problem
from pi_agent.host.services import Services, start_model
from pi_agent.session.store import SessionManager

ReplaceReason = Literal["new", "resume"]

_REPLACED: Final = (
    "Another session has taken the place of this one: use the `pi` and `ctx` that came with it."
)


async def is_kept(services: Services, session: SessionManager, reason: ReplaceReason) -> bool:
    """Ask the extensions whether the current session is to stay, instead of `session` in its place."""
    target = file_of(session) if reason == "resume" else None
    event = SessionBeforeSwitchEvent(reason, target)
    done = await services.runner.emit(event, SESSION_BEFORE_SWITCH)
    return any(result.cancel for result in done.results)


async def replace_session(
    services: Services, session: SessionManager, reason: ReplaceReason
) -> list[Problem]:
    """Stop what goes on and put `session` in its place. Returns what is wrong with what there is now.

    Raises `PiError`, and nothing has changed, while the extensions are being reloaded.
    """
    old = services.conversation
    problems = [Problem("warning", text) for text in session.notices]
    await old.abort()
    async with old.paused():
        # Before anything has ended: what fails up to here leaves all as it was.
        start = await _start_model(services, session, reason, problems)
        start.scope = tuple(old.scoped_models)
        old.refuse_prompts()
        late = await services.extensions.end(
            reason, _REPLACED, target_session_file=file_of(session), keep_modules=True
        )
        problems += [Problem("warning", text) for text in late]
        await services.user_bash.aclose()
        await old.dispose()
        services.groups.kill_all()
        services.begin(session, start, problems)
        problems += await services.extensions.load_again()
    return problems


def file_of(session: SessionManager) -> str | None:
    """Return where a session is kept, if it is kept at all."""
    file = session.get_session_file()
    return str(file) if file is not None else None


async def _start_model(
    services: Services, session: SessionManager, reason: ReplaceReason, problems: list[Problem]
) -> StartModel:
    """Choose the model: a new session goes on with the one at work, another one has its own if that is there."""
    options, registry, now = services.options, services.registry, services.conversation
    nobodys = replace(options, model=None, provider=None, thinking=None)
    same = nobodys
    if now.model is not None:
        same = replace(nobodys, model=now.model.reference, thinking=now.thinking_level)
    if reason == "new":
        return await start_model(same, registry, session, problems)
    start = await start_model(nobodys, registry, session, problems)
    if start.model is None and now.model is not None:
        return await start_model(same, registry, session, problems)
    return start
