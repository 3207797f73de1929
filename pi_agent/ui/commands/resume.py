"""`/resume` and `pi --resume`: go on with another session, of this folder or of another one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from pi_agent.base.errors import PiError
from pi_agent.host.options import RunOptions
from pi_agent.host.replacements import Replacement, resume, resume_copy
from pi_agent.session.catalog import SessionCatalog, WholeCatalog
from pi_agent.session.change import delete_session, rename_session
from pi_agent.session.overview import SessionInfo
from pi_agent.ui import dialogs
from pi_agent.ui.asking import ask
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command
from pi_agent.ui.plain import plain_line
from pi_tui.frozen import frozen

T = TypeVar("T")

# Of the time while sessions are read, one part in so many is taken for showing them.
_SHARE: Final = 10


@frozen
class _Way:
    """What to do with a session: while the program runs, and when it begins."""

    change: Callable[[Path, RunOptions], Replacement]
    begin: Callable[[Path, RunOptions], RunOptions]


def _begin_with(path: Path, options: RunOptions) -> RunOptions:
    return replace(options, resume=False, session=str(path))


def _begin_with_copy(path: Path, options: RunOptions) -> RunOptions:
    return replace(options, resume=False, fork=str(path))


_RESUME: Final = _Way(resume, _begin_with)
# What can be done with a session of another folder.
_WAYS: Final[dict[str, _Way | None]] = {
    "Fork it into the current directory": _Way(resume_copy, _begin_with_copy),
    "Continue it here": _RESUME,
    "Cancel": None,
}


class ResumeChoice:
    """Lets the user choose a session; what `/resume` and its key do."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host
        options = host.app.options
        folder = options.paths.sessions_of(options.cwd)
        self._here = SessionCatalog(folder, options.cwd)
        self._everywhere = WholeCatalog(options.paths, options.cwd)
        self._catalog = self._here
        self._picker: dialogs.SessionPicker | None = None
        self._loads = 0
        self._first: asyncio.Future[RunOptions | None] | None = None

    async def choose_first(self) -> RunOptions | None:
        """Let the user choose what the program begins with; `None` if they choose nothing."""
        self._first = asyncio.get_running_loop().create_future()
        self._open()
        try:
            return await self._first
        finally:
            self._first = None

    def command(self) -> Command:
        """Return the command."""
        return Command("resume", "Go on with another session", lambda argument: self.choose())

    def choose(self) -> None:
        """Offer the sessions in the editor's place."""
        if self._picker is None and self._host.services is not None:
            self._open()

    def _open(self) -> None:
        screen = self._host.app.screen
        self._picker = dialogs.SessionPicker(
            screen.theme,
            on_pick=self._pick,
            on_close=self._leave,
            on_rename=self._ask_name,
            on_delete=self._ask_whether_to_delete,
            on_scope=self._change_scope,
            home=self._host.app.options.environ.get("HOME"),
        )
        self._catalog = self._here
        screen.show_dialog(self._picker)
        self._host.app.start_task(self._load(self._picker))

    async def _load(self, picker: dialogs.SessionPicker) -> None:
        self._loads += 1
        load, found, next_at = self._loads, list[SessionInfo](), 0.0
        async for known in self._catalog.load():
            if self._picker is not picker or self._loads != load:
                return
            found = [info for info in known if info.path != self._current()]
            began_at = time.monotonic()
            if began_at >= next_at:
                self._show(picker, found, is_loading=True)
                # Ordering thousands takes its time: the keys have the most of it.
                next_at = began_at + _SHARE * (time.monotonic() - began_at)
        if self._picker is picker and self._loads == load:
            self._show(picker, found, is_loading=False)

    def _show(
        self, picker: dialogs.SessionPicker, found: list[SessionInfo], *, is_loading: bool
    ) -> None:
        picker.set_sessions(found, is_loading=is_loading)
        self._host.app.tui.request_render()

    def _change_scope(self, is_everywhere: bool) -> None:
        self._catalog = self._everywhere if is_everywhere else self._here
        if self._picker is not None:
            self._host.app.start_task(self._load(self._picker))

    def _pick(self, info: SessionInfo) -> None:
        self._close()
        folder = Path(info.header.cwd)
        # Of a folder that is gone the change itself asks.
        if folder == self._host.app.options.cwd or not folder.is_dir():
            self._go_on(info.path, _RESUME)
        else:
            self._host.app.start_task(self._ask_where(info.path, folder))

    async def _ask_where(self, path: Path, folder: Path) -> None:
        """Ask about a session of another folder: whatever the model does is done in this one."""
        screen = self._host.app.screen
        title = f"This session belongs to another directory: {plain_line(str(folder))}"
        dialog = partial(dialogs.SelectDialog, title, tuple(_WAYS), screen.theme)
        answer = await ask(screen, dialog, None)
        way = list(_WAYS.values())[answer] if answer is not None else None
        if way is not None:
            self._go_on(path, way)
        elif self._first is not None:
            self._open()

    def _go_on(self, path: Path, way: _Way) -> None:
        options = self._host.app.options
        if self._first is None:
            self._host.sessions.start(way.change(path, options), "Session resumed.")
        elif not self._first.done():
            self._first.set_result(way.begin(path, options))

    def _ask_name(self, info: SessionInfo) -> None:
        """Ask for a name, which begins as it is; an empty one takes the name away."""
        screen = self._host.app.screen
        before = info.name or ""

        def answer(name: str | None) -> None:
            screen.close_dialog(dialog)
            if name is not None and name.strip() != before:
                self._host.app.start_task(self._rename(info.path, name))

        dialog = dialogs.InputDialog(
            "Name of the session", info.title, screen.theme, answer, text=before
        )
        screen.show_dialog(dialog)

    def _ask_whether_to_delete(self, info: SessionInfo) -> None:
        screen = self._host.app.screen

        def answer(is_sure: bool) -> None:
            screen.close_dialog(dialog)
            if is_sure:
                self._host.app.start_task(self._delete(info.path))

        title = f"Delete “{plain_line(info.title)}”?"
        dialog = dialogs.ConfirmDialog(title, str(info.path), screen.theme, answer)
        screen.show_dialog(dialog)

    async def _rename(self, path: Path, name: str) -> None:
        await self._change(lambda: rename_session(path, name))

    async def _delete(self, path: Path) -> None:
        environ = self._host.app.options.environ
        in_trash = await self._change(lambda: delete_session(path, environ))
        if in_trash is not None:
            where = "is in the trash" if in_trash else "was deleted"
            self._host.app.notify(f"The session {where}.")

    async def _change(self, change: Callable[[], T]) -> T | None:
        """Change a session, and list all anew; what goes wrong is told."""
        result: T | None = None
        try:
            result = await asyncio.to_thread(change)
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
        if self._picker is not None:
            self._host.app.start_task(self._load(self._picker))
        return result

    def _leave(self) -> None:
        self._close()
        if self._first is not None and not self._first.done():
            self._first.set_result(None)

    def _close(self) -> None:
        if self._picker is None:
            return
        self._host.app.screen.close_dialog(self._picker)
        self._picker = None

    def _current(self) -> object:
        services = self._host.services
        return services.conversation.session.get_session_file() if services is not None else None
