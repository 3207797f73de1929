"""The interactive program: a screen at once, the conversation as soon as it is loaded.

The first frame needs the toolkit only. Models, HTTP and sessions are imported behind it, and what is typed
meanwhile is kept.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import signal
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol

from pi_agent._version import __version__
from pi_agent.base.errors import PiError
from pi_agent.base.git import current_branch
from pi_agent.base.text_paths import with_tilde
from pi_agent.host.options import RunOptions
from pi_agent.host.themes import theme_catalog
from pi_agent.resources.keybindings_file import FILE_NAME, AppKeybindings, detect_platform
from pi_agent.ui.actions import ActionHandler, take_action
from pi_agent.ui.capabilities import complete_capabilities, take_capabilities
from pi_agent.ui.capture import captured_output, log_printed, thread_errors
from pi_agent.ui.custom_editor import CustomEditor
from pi_agent.ui.header import Header
from pi_agent.ui.links import LinkOpener
from pi_agent.ui.messages.notice import NoticeKind
from pi_agent.ui.mouse_control import mouse_toggle
from pi_agent.ui.picture_look import picture_look
from pi_agent.ui.plain import plain_line
from pi_agent.ui.screen import AgentScreen
from pi_agent.ui.screen_mode import make_tui, text_copier
from pi_agent.ui.screen_settings import follow_settings
from pi_agent.ui.signals import ending_signals
from pi_agent.ui.theme import ThemeChoice
from pi_agent.ui.theming import Theming
from pi_tui.events import InputEvent, KeyEvent
from pi_tui.keybindings import key_display_text, set_keybindings
from pi_tui.terminal_protocol import Terminal
from pi_tui.theme import ThemeHandle, set_current_theme

_log = logging.getLogger("pi.ui")
# What is behind the screen: a conversation, or one that somebody else has.
_LIVE_MODULE = "pi_agent.ui.live"
_FOLLOW_MODULE = "pi_agent.ui.follow"
_TWICE_SECONDS = 0.5
_QUIT = "/quit"
# The rest is about the editor behind a dialog.
_IN_DIALOGS = frozenset(
    {"app.exit", "app.suspend", "app.tools.expand", "app.clear", "app.mouse.toggle"}
)
_HINTS = (
    ("app.interrupt", "interrupt"),
    ("app.clear", "clear, twice quits"),
    ("app.exit", "quit"),
    ("app.tools.expand", "expand output"),
)


class Live(Protocol):
    """The loaded conversation, as the program's frame drives it; `live.py` has it."""

    async def start(self) -> None:
        """Load everything and greet; problems become notices."""
        ...

    def submit(self, text: str) -> None:
        """Take what was typed."""
        ...

    def interrupt(self) -> bool:
        """Stop what is going on; `False` if nothing is."""
        ...

    @property
    def actions(self) -> Mapping[str, ActionHandler]:
        """What keys do, by the action's id."""
        ...

    def report_stray(self, error: Exception) -> None:
        """Take an error that nobody waits for; if an extension's code raised it, it is named."""
        ...

    async def stop(self) -> None:
        """End what is going on and tell the extensions; safe to call twice."""
        ...

    def farewell(self) -> str | None:
        """Return what to print last."""
        ...

    @property
    def exit_code(self) -> int:
        """The status to end with, where nothing else decides."""
        ...


class InteractiveApp:
    """One run of the interactive program."""

    def __init__(
        self,
        options: RunOptions,
        terminal: Terminal,
        *,
        files: Sequence[str] = (),
        messages: Sequence[str] = (),
        when_imported: Callable[[], None] = lambda: None,
    ) -> None:
        self.options = options
        self.settings = options.settings
        self.files = tuple(files)
        self.messages = tuple(messages)
        self._when_imported = when_imported
        self.keybindings = AppKeybindings(
            options.paths.agent_dir / FILE_NAME, detect_platform(options.environ)
        )
        set_keybindings(self.keybindings)
        capabilities = take_capabilities(options)
        catalog = theme_catalog(options)
        chosen = ThemeChoice(
            options.use_theme or self.settings.get_text("theme"), options.environ, catalog
        )
        self.theme = ThemeHandle(chosen.theme())
        set_current_theme(self.theme)
        self.theming = Theming(self, chosen, catalog, self.theme)
        self.tui = make_tui(
            options,
            terminal,
            self.theme,
            open_url=self._open_link,
            scroll_to_end_indicator=self._way_back,
        )
        self.screen = AgentScreen(
            self.tui,
            self.theme,
            hyperlinks=capabilities.hyperlinks,
            picture_look=partial(picture_look, self.settings),
        )
        self.copy_text = text_copier(self.tui, options, self.notify)
        self._toggle_mouse = mouse_toggle(self.screen, self.settings)
        self.header = Header(self.theme, __version__, self._hints())
        self.exit_code = 0
        self.farewell: str | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._live: Live | None = None
        self._is_ready = False
        self._early_texts: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._clears = (float("-inf"), float("-inf"))
        self._leaving = False

    @property
    def composer(self) -> CustomEditor:
        """The editor that has the draft."""
        return self.screen.composer

    @property
    def is_ready(self) -> bool:
        """Whether the conversation is loaded."""
        return self._is_ready

    async def run(self) -> int:
        """Run until the user leaves; returns the exit status. `farewell` is to be printed afterwards."""
        self._build()
        self._loop = loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._on_loop_error)
        # The screen catches them too while it is up; these stay until all has ended.
        with ending_signals(lambda number: loop.call_soon_threadsafe(self._on_signal, number)):
            try:
                await self._show()
            finally:
                await self._end()
        if self._live is not None and not self.exit_code:
            self.farewell = self._live.farewell()
            self.exit_code = self._live.exit_code
        return self.exit_code

    async def _show(self) -> None:
        """Have the terminal until the user leaves. What is printed afterwards goes where it is meant to."""
        with captured_output(self._on_printed), thread_errors(self._on_thread_error):
            try:
                self.tui.start()
                self.show_title()
                self.tui.render_now()
                self.start_task(self._load())
                await self.tui.wait_stopped()
            finally:
                self.tui.stop()

    def start_task(self, work: Coroutine[object, object, None]) -> None:
        """Run something beside the screen; its failure is shown, not raised."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)

    def show_title(self, session_name: str | None = None) -> None:
        """Name the terminal's window after the session and the folder."""
        folder = self.options.cwd.name or str(self.options.cwd)
        parts = ["pi", *([session_name] if session_name else []), folder]
        self.screen.set_title(plain_line(" - ".join(parts)))

    def notify(self, text: str, kind: NoticeKind = "info") -> None:
        """Say something in the document; of consecutive `info` lines only the last stays."""
        self.screen.notices.notify(text, kind)

    def quit(self, exit_code: int = 0) -> None:
        """Leave: give the terminal back first, then end what is going on."""
        if self._leaving:
            return
        self._leaving = True
        self.exit_code = exit_code
        self.tui.ignore_input()
        self.start_task(self._leave())

    # Building

    def _build(self) -> None:
        screen, composer, tui = self.screen, self.composer, self.tui
        screen.document.append(self.header)
        if self.settings.error is not None:
            self.notify(f"Error: {self.settings.error}", "error")
        for warning in self.options.warnings:
            self.notify(warning, "warning")
        screen.footer.update(
            folder=with_tilde(str(self.options.cwd), self.options.environ.get("HOME")),
            branch=current_branch(self.options.cwd),
            model="starting…",
        )
        follow_settings(self)
        composer.on_submit = self._submit
        composer.take_action = self._take_action
        tui.add_input_listener(self._note_clear)
        tui.on_unhandled_key = self._take_key_of_dialog
        tui.on_pending_keys = screen.status.show_keys
        tui.set_layout_root(screen)
        tui.set_focus(screen.input_area)
        tui.on_terminate = self._on_signal
        tui.on_terminal_color_scheme_change(self.theming.take_report)
        tui.on_input_closed = self._on_input_closed

    def _hints(self) -> list[tuple[str, str]]:
        if self.options.follow is not None:
            return []  # they stand below the conversation
        hints = [(key_display_text(action), what) for action, what in _HINTS]
        return [*((key, what) for key, what in hints if key), ("/", "commands")]

    def _open_link(self, url: str) -> None:
        opener = LinkOpener(self.options.environ, self.copy_text)
        self.start_task(opener.open(url))

    def _way_back(self) -> str:
        """Return what stands over the document when it was scrolled away from its end."""
        key = key_display_text("tui.altScreen.bottom")
        return self.theme.style(f" ↓ {key or 'to the end'} ", fg="accent", bg="selectedBg")

    # Loading behind the first frame

    async def _load(self) -> None:
        self.start_task(self.theming.follow_terminal())
        self.start_task(self.theming.tell_problems())
        for warning in self.keybindings.warnings:
            self.notify(warning, "warning")
        try:
            await self._start_live()
            self._is_ready = True
        except BaseException:
            self._give_back_early_texts()
            raise
        texts, self._early_texts = self._early_texts, []
        for text in texts:
            self._submit(text)

    async def _start_live(self) -> None:
        try:
            name = _LIVE_MODULE if self.options.follow is None else _FOLLOW_MODULE
            module = await asyncio.to_thread(importlib.import_module, name)
            self.screen.hyperlinks = (await complete_capabilities(self.options)).hyperlinks
        finally:
            self._when_imported()
        live: Live = module.make_live(self)
        self._live = live  # Escape skips, and quitting tells, an extension that is slow to start
        await live.start()

    # Keys

    def _action_table(self) -> dict[str, ActionHandler]:
        """Return what keys do, by the action's id."""
        own: dict[str, ActionHandler] = {
            "app.exit": self._exit,
            "app.suspend": self.tui.suspend,
            "app.interrupt": self._interrupt,
            "app.clear": self._clear,
            "app.mouse.toggle": self._toggle_mouse,
        }
        return own if self._live is None else {**own, **self._live.actions}

    def _take_action(self, event: KeyEvent, only: frozenset[str] | None = None) -> bool:
        """Do what a key means to the program."""
        return take_action(event, self._action_table(), self.keybindings, only=only)

    def _take_key_of_dialog(self, event: KeyEvent) -> None:
        """Take a key that a dialog or an overlay has no use for. The editor has asked already."""
        if not self.screen.editor_has_keys:
            self._take_action(event, _IN_DIALOGS)

    def _submit(self, text: str) -> None:
        if not text or self._leaving:
            return
        self.screen.view.scroll_to_end()  # whoever writes wants to see what comes of it
        if text.strip() == _QUIT:
            self.quit()  # which does not wait for a slow start
            return
        if self._live is None or not self._is_ready:
            self._early_texts.append(text)
            self.notify("Still starting: your text is sent in a moment.")
            return
        self.composer.add_to_history(text)
        self._live.submit(text)

    def _give_back_early_texts(self) -> None:
        """Put what was sent too early for a start that failed into the editor."""
        texts, self._early_texts = self._early_texts, []
        if texts:
            texts += [text for text in (self.composer.get_text(),) if text]
            self.composer.set_text("\n\n".join(texts))

    def _exit(self) -> bool:
        """Leave, unless there is a draft."""
        if self.composer.get_text():
            return False
        self.quit()
        return True

    def _interrupt(self) -> bool:
        """Close the menu of suggestions, else stop what goes on."""
        if self.composer.is_showing_autocomplete():
            self.composer.close_autocomplete()
            return True
        return self._live is not None and self._live.interrupt()

    def _note_clear(self, event: InputEvent) -> None:
        """Note when the key is pressed: the first press may be a dialog's, which it closes."""
        is_press = isinstance(event, KeyEvent) and event.kind != "release"
        if is_press and self.keybindings.matches(event, "app.clear"):
            self._clears = (self._clears[1], asyncio.get_running_loop().time())

    def _clear(self) -> None:
        """Empty the editor, unless something else has the keys; at the second press leave."""
        before, now = self._clears
        if now - before <= _TWICE_SECONDS:
            self.quit()
            return
        if self.screen.editor_has_keys:
            self.composer.set_text("")

    # Leaving

    async def _leave(self) -> None:
        try:
            await self.tui.drain_input()
        finally:
            self.tui.stop()

    async def _end(self) -> None:
        """End the conversation after the screen is gone, and everything that still runs."""
        try:
            if self._live is not None:
                await self._live.stop()
        finally:
            mine = asyncio.current_task()
            for task in [task for task in self._tasks if task is not mine]:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _on_signal(self, number: int) -> None:
        """SIGTERM or SIGHUP: the extensions first, then the terminal; a second one gives it back at once."""
        self.exit_code = self.exit_code or 128 + number
        if self._leaving:
            self.tui.stop()
            return
        self._leaving = True
        self.tui.ignore_input()
        self.start_task(self._end_then_leave())

    def _on_input_closed(self) -> None:
        self._on_signal(signal.SIGHUP)

    async def _end_then_leave(self) -> None:
        try:
            if self._live is not None:
                await self._live.stop()
        finally:
            self.tui.stop()

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        _log.error("a task of the screen failed", exc_info=error)
        if self.tui.is_started:
            text = (
                error.with_hint()
                if isinstance(error, PiError)
                else f"{type(error).__name__}: {error}"
            )
            self.notify(f"Error: {text}", "error")

    def _on_loop_error(
        self, loop: asyncio.AbstractEventLoop, context: Mapping[str, object]
    ) -> None:
        """Something failed that nobody waits for: an extension's task, a callback."""
        error = context.get("exception")
        _log.error("%s", context.get("message"), exc_info=_exception(error))
        if isinstance(error, Exception) and self._live is not None:
            self._live.report_stray(error)

    def _on_printed(self, text: str) -> None:
        """Something was printed past the screen. Called on another thread."""
        log_printed(text)
        self._soon(lambda: self.screen.notices.say(text))

    def _on_thread_error(self, name: str, error: BaseException) -> None:
        """A thread has ended with an error."""
        _log.error("the thread %s failed", name, exc_info=error)
        text = f"Error in the thread {name}: {type(error).__name__}: {error}"
        self._soon(lambda: self.notify(text, "error"))

    def _soon(self, function: Callable[[], None]) -> None:
        """Call something on the loop's thread, if there still is a loop."""
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(function)


def _exception(error: object) -> BaseException | None:
    return error if isinstance(error, BaseException) else None
