"""Another session on the screen, in the place of the one that is shown.

What is typed while the sessions change waits, and goes to the new one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from pi_agent.base.errors import PiError
from pi_agent.host.replace import ReplaceReason, file_of, is_kept, replace_session
from pi_agent.host.services import Services
from pi_agent.session.store import SessionManager
from pi_agent.ui.commands.host import CommandHost


class SessionSwitch:
    """Changes the session, one change at a time."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host
        self._idle = asyncio.Event()
        self._idle.set()
        self._task: asyncio.Task[None] | None = None

    async def done(self) -> None:
        """Return when no change goes on."""
        await self._idle.wait()

    def start(
        self, make: Callable[[], SessionManager], reason: ReplaceReason, told: str = ""
    ) -> None:
        """Change to the session that `make` opens, on another thread, and say `told`."""
        services = self._host.services
        if services is None or not self._idle.is_set():
            self._host.report("The session cannot be changed now. Try again in a moment.")
            return
        self._idle.clear()
        self._task = asyncio.create_task(self._run(services, make, reason, told))

    async def cancel(self) -> None:
        """Give up a change that goes on: the program ends."""
        if self._task is not None and not self._idle.is_set():
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(
        self,
        services: Services,
        make: Callable[[], SessionManager],
        reason: ReplaceReason,
        told: str,
    ) -> None:
        try:
            async with self._host.watching():
                await self._change(services, make, reason, told)
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
        finally:
            self._idle.set()

    async def _change(
        self,
        services: Services,
        make: Callable[[], SessionManager],
        reason: ReplaceReason,
        told: str,
    ) -> None:
        host = self._host
        session = await asyncio.to_thread(make)
        if await is_kept(services, session, reason):
            session.close()
            host.app.notify("Cancelled: the session stays as it is.")
            return
        await host.take_back(services)
        previous = services.conversation.session
        try:
            problems = await replace_session(services, session, reason)
        except BaseException:
            session.close()
            raise
        await host.show_session()
        for problem in problems:
            host.show_problem(problem)
        if told:
            host.app.screen.notices.say(told)
        await services.start_extensions(reason, previous_session_file=_kept(previous))


def _kept(session: SessionManager) -> str | None:
    """Return the file of a session that has one by now."""
    file = session.get_session_file()
    return file_of(session) if file is not None and file.exists() else None
