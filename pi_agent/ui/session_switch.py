"""Another session on the screen, in the place of the one that is shown.

What is typed while the sessions change waits, and goes to the new one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.host.replace import ReplaceError, file_of, is_kept, replace_session
from pi_agent.host.replacements import Replacement
from pi_agent.host.services import Services
from pi_agent.session.store import SessionManager
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.missing_folder import settle_folder

_OPENING: Final = "Opening the session…"
# What is done sooner needs no words.
_LONG_SECONDS: Final = 0.2
_STOPPED: Final = "The answer was stopped; what had come is in the session before."


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

    def start(self, change: Replacement, told: str = "") -> None:
        """Change to another session, and say `told`."""
        services = self._host.services
        if services is None or not self._idle.is_set():
            self._host.report("The session cannot be changed now. Try again in a moment.")
            return
        self._idle.clear()
        self._task = asyncio.create_task(self._run(services, change, told))

    async def settle_start(self, services: Services) -> bool:
        """Ask about the session that the program has begun with, if its folder is gone; `False` to leave."""
        opened = services.conversation.session
        session = await settle_folder(opened, self._host.app.options, self._host.app.screen)
        if session is not None and session is not opened:
            for problem in await replace_session(services, session, "fork"):
                self._host.show_problem(problem)
            await self._host.show_session()
        return session is not None

    async def cancel(self) -> None:
        """Give up a change that goes on: the program ends."""
        if self._task is not None and not self._idle.is_set():
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, services: Services, change: Replacement, told: str) -> None:
        try:
            async with self._host.watching():
                await self._change(services, change, told)
        except ReplaceError as error:
            await self._recover(services, error)
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
        finally:
            self._idle.set()

    async def _change(self, services: Services, change: Replacement, told: str) -> None:
        host = self._host
        if await is_kept(services, change.question):
            host.app.notify("Cancelled: the session stays as it is.")
            return
        was_answering = False
        if (
            change.reason == "fork"
        ):  # what goes on ends before the copy is made, and sends nothing more
            was_answering = services.conversation.is_streaming
            await host.take_back(services)
        with self._telling():
            opened = await change.make()
        session = await settle_folder(opened, host.app.options, host.app.screen)
        if session is not opened:
            opened.close()
        if session is None:
            host.app.notify("Cancelled: the session stays as it is.")
            return
        was_answering = was_answering or services.conversation.is_streaming
        await host.take_back(services)
        previous = services.conversation.session
        try:
            problems = await replace_session(services, session, change.reason)
        except BaseException:
            session.close()
            raise
        await host.show_session()
        for problem in problems:
            host.show_problem(problem)
        if told:
            host.app.screen.notices.say(f"{told} {_STOPPED}" if was_answering else told)
        if change.editor_text:
            host.app.composer.insert_in_front(change.editor_text)
        await services.start_extensions(change.reason, previous_session_file=_kept(previous))

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Say that a session is being opened if the block takes that long."""
        status = self._host.app.screen.status
        timer = asyncio.get_running_loop().call_later(_LONG_SECONDS, status.show, _OPENING)
        try:
            yield
        finally:
            timer.cancel()
            if status.message == _OPENING:
                status.clear()

    async def _recover(self, services: Services, error: ReplaceError) -> None:
        """Show the session before again, or leave if there is none."""
        if error.is_back:
            await self._host.show_session()
        self._host.report(f"Error: {error.with_hint()}")
        if error.is_back:
            await services.start_extensions("resume")
        else:
            self._host.app.quit(1)


def _kept(session: SessionManager) -> str | None:
    """Return the file of a session that has one by now."""
    file = session.get_session_file()
    return file_of(session) if file is not None and file.exists() else None
