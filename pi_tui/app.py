"""`TUI`: the frame loop and what a program does with a screen, whatever the screen mode.

Requests for frames coalesce: the first one draws at once, later ones at most 60 times a second. A component
that fails costs its own rows, never the program.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, Unpack

from pi_tui.color_query import TerminalColors
from pi_tui.component import Renderable, invalidate_all
from pi_tui.component_tree import contains
from pi_tui.components.scroll_view import ScrollView
from pi_tui.events import KeyEvent, MouseEvent, ResizeEvent
from pi_tui.focus import Focus
from pi_tui.frame import Frame, FrameMaker
from pi_tui.frame_log import FrameLog
from pi_tui.frame_pace import FramePace
from pi_tui.input_listeners import InputListener
from pi_tui.input_path import InputPath
from pi_tui.layout import FrameContexts
from pi_tui.layout_root import LayoutRoot
from pi_tui.overlay import OverlayFields, OverlayOptions, OverlayOptionsSource
from pi_tui.overlay_handle import OverlayHandle
from pi_tui.overlay_stack import OverlayStack
from pi_tui.problems import ComponentProblems
from pi_tui.terminal_protocol import Terminal
from pi_tui.terminal_tenure import TerminalTenure


class TUI(TerminalTenure):
    """Shows components on a terminal and brings them the user's input.

    Without a `terminal` that is the one of the process. `strict=True` raises where a component breaks the contract
    (tests); otherwise problems are reported through `on_component_error` and the log, which without a logger of the
    program's own is `pi-tui-crash.log` in `log_directory` or where temporary files are. What is not said otherwise
    `PI_HARDWARE_CURSOR=1` and `PI_CLEAR_ON_SHRINK=1` decide. All calls belong to the loop's thread.
    """

    mode: Literal["regular", "fullscreen"] = "fullscreen"
    is_plain = False  # text only, for people who listen

    def __init__(
        self,
        terminal: Terminal | None = None,
        *,
        show_hardware_cursor: bool | None = None,
        strict: bool = False,
        clear_on_shrink: bool | None = None,
        log_directory: Path | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            _own_terminal() if terminal is None else terminal,
            os.environ if environ is None else environ,
            log_directory,
        )
        self.children: list[Renderable] = []
        self.on_debug: Callable[[], None] | None = None
        self.on_unhandled_key: Callable[[KeyEvent], None] | None = None
        # Told of the keys that wait for the rest of a sequence, and of none when they do no more.
        self.on_pending_keys: Callable[[tuple[str, ...]], None] | None = None
        self.problems = ComponentProblems(strict)
        self._frame_log = FrameLog(self._environ, log_directory)
        self.frames_drawn = 0
        self.full_redraws = 0  # frames of which every row was written, the first one left out
        self._clear_on_shrink = self._is_on("PI_CLEAR_ON_SHRINK", clear_on_shrink)
        self._overlays = OverlayStack(
            lambda: (self.columns, self.rows), self.problems.handler_failed
        )
        self._focus = Focus(self._overlays, self._is_mounted)
        self._input = InputPath(self, self._focus, self._environ)
        self._tree = LayoutRoot()
        self._contexts = FrameContexts()
        self._maker = FrameMaker(
            self.problems.too_wide, self._is_on("PI_HARDWARE_CURSOR", show_hardware_cursor)
        )
        self._frame_timer: asyncio.TimerHandle | None = None
        self._pace = FramePace()
        self._content_changed = True
        self._drawing = False
        self._asked_while_drawing = False
        self._problems_seen = 0

    @property
    def columns(self) -> int:
        """Terminal width in cells."""
        return self.terminal.columns

    @property
    def rows(self) -> int:
        """Terminal height in cells."""
        return self.terminal.rows

    def get_show_hardware_cursor(self) -> bool:
        """Return whether the terminal's own cursor is shown where one types."""
        return self._maker.show_hardware_cursor

    def set_show_hardware_cursor(self, show: bool) -> None:
        """Show the terminal's own cursor where one types, or only the cell that stands for it."""
        self._maker.show_hardware_cursor = show
        self._maker.forget()
        self.request_view()

    def get_clear_on_shrink(self) -> bool:
        """Return whether everything is written anew when the content shrinks."""
        return self._clear_on_shrink

    def set_clear_on_shrink(self, clears: bool) -> None:
        """Write everything anew when the content shrinks, or leave blank rows below it.

        A screen of its own is always filled: there this changes nothing.
        """
        self._clear_on_shrink = clears

    @property
    def focused_component(self) -> Renderable | None:
        """The component that has the keys."""
        return self._focus.component

    @property
    def on_component_error(self) -> Callable[[Renderable, Exception], None] | None:
        """Called once for every component that failed."""
        return self.problems.on_error

    @on_component_error.setter
    def on_component_error(self, callback: Callable[[Renderable, Exception], None] | None) -> None:
        self.problems.on_error = callback

    def add_child(self, component: Renderable) -> None:
        """Append a component to the root."""
        self.children.append(component)
        self.request_render()

    def remove_child(self, component: Renderable) -> None:
        """Remove a component from the root; a missing one is ignored."""
        self.children = [child for child in self.children if child is not component]
        self.request_render()

    def clear(self) -> None:
        """Remove all components from the root."""
        self.children = []
        self.request_render()

    def set_layout_root(self, component: Renderable | None) -> None:
        """Let a component divide the whole screen; `None` goes back to the children as one document."""
        self._tree.chosen = component
        self.request_render()

    @property
    def primary_view(self) -> ScrollView | None:
        """The scroll view that is the document: the last marked primary, else the first."""
        return self._tree.primary_view

    def set_focus(self, component: Renderable | None) -> None:
        """Give the keys to a component, or to nobody."""
        self._focus.set(component)
        self.request_render()

    def show_overlay(
        self,
        component: Renderable,
        options: OverlayOptionsSource | None = None,
        **fields: Unpack[OverlayFields],
    ) -> OverlayHandle:
        """Draw a component over the frame, in front; it gets the keys unless it is `non_capturing`.

        How is said by `OverlayOptions`, a callable that returns them and is asked before each frame, or their
        fields as keyword arguments. An unknown field is a `TypeError`.
        """
        if options is not None and fields:
            raise TypeError("give overlay options as an object or as keyword arguments, not both")
        source = OverlayOptions(**fields) if options is None else options
        overlay = self._overlays.add(component, source)
        self._focus.shown(overlay)
        self.request_render()
        return OverlayHandle(overlay, self._overlays, self._focus, self.request_render)

    def hide_overlay(self) -> None:
        """Remove the overlay that was shown last, which need not be the one in front."""
        if self._overlays.entries:
            overlay = self._overlays.entries[-1]
            OverlayHandle(overlay, self._overlays, self._focus, self.request_render).hide()

    def has_overlay(self) -> bool:
        """Return whether an overlay shows."""
        return any(self._overlays.is_visible(overlay) for overlay in self._overlays.entries)

    def invalidate(self) -> None:
        """Drop every cache, because something that all output depends on changed (the theme)."""
        invalidate_all(self._roots())
        invalidate_all(overlay.component for overlay in self._overlays.entries)
        self._contexts.forget()
        self._maker.forget()

    def add_input_listener(self, listener: InputListener) -> Callable[[], None]:
        """Show every input event to `listener` before the focused component; returns the unsubscriber."""
        self._input.add_listener(listener)
        return lambda: self.remove_input_listener(listener)

    def remove_input_listener(self, listener: InputListener) -> None:
        """Take a listener off; takes effect for the next input."""
        self._input.remove_listener(listener)

    # Frames

    def request_render(self, force: bool = False) -> None:
        """Ask for a frame in which components are rendered; `force` writes every row, at the next turn."""
        if self._loop is None:
            return
        self._content_changed = True
        if force:
            self._forget_frame("asked for")
            self._maker.forget()
        self._schedule(soon=force)

    def request_view(self) -> None:
        """Ask for a frame that shows another part of what components returned last."""
        if self._loop is not None:
            self._schedule(soon=True)

    def render_now(self, force: bool = False) -> None:
        """Draw a frame before returning."""
        if self._loop is None:
            return
        self._content_changed = True
        if force:
            self._forget_frame("asked for")
        self._draw()

    async def query_terminal_colors(
        self,
        timeout: float = 0.1,
        on_late_reply: Callable[[TerminalColors], None] | None = None,
    ) -> TerminalColors:
        """Ask the terminal for its foreground and background; what it does not answer in time is `None`."""
        if self._loop is None:
            return TerminalColors()
        query = self._input.ask_colors(self._loop, on_late_reply)
        self.terminal.write(query.question)
        return await query.result(timeout)

    def _is_on(self, variable: str, wish: bool | None) -> bool:
        """Return what an option is set to: by the program, else by a variable."""
        return self._environ.get(variable) == "1" if wish is None else wish

    def _roots(self) -> list[Renderable]:
        """Return the components that the others are parts of, overlays left out."""
        return self.children if self._tree.chosen is None else [self._tree.chosen]

    def _is_mounted(self, component: Renderable) -> bool:
        return contains(self._roots(), component)

    def _layout(self, content_changed: bool) -> Frame:
        """Return the frame to show; screen modes differ here."""
        raise NotImplementedError

    def _show(self, frame: Frame) -> None:
        """Bring a frame onto the terminal."""
        self.terminal.draw(frame, self._maker.show_hardware_cursor)

    def _forget_frame(self, reason: str) -> None:
        """Write every row of the next frame."""
        self.terminal.forget_frame()

    def _last_words(self) -> str:
        """Return what resets the terminal should the process end at any moment."""
        return self._leave_sequence()

    def _quiet_sequence(self) -> str:
        """Return what keeps the terminal from sending more than what is typed."""
        return self._input.keyboard.stop()

    def _schedule(self, soon: bool) -> None:
        assert self._loop is not None
        if self._drawing:
            self._asked_while_drawing = True
            return
        when = self._pace.next_frame(self._loop.time(), soon)
        if self._frame_timer is not None:
            if self._frame_timer.when() <= when:
                return
            self._frame_timer.cancel()
        self._frame_timer = self._loop.call_at(when, self._draw)

    def _cancel_frame(self) -> None:
        if self._frame_timer is not None:
            self._frame_timer.cancel()
            self._frame_timer = None

    def _draw(self) -> None:
        loop = self._loop
        if loop is None:
            return
        if self._drawing:
            self._asked_while_drawing = True
            return
        self._cancel_frame()
        if self.terminal.is_busy:
            return  # it says when it is ready
        self._drawing = True
        self._pace.frame_begins(loop.time())
        changed, self._content_changed = self._content_changed, False
        try:
            frame = self._layout(changed)
            if self._loop is not None:  # a component may have stopped us
                self._heal_after_problems()
                self._show(frame)
                self.frames_drawn += 1
        except Exception as error:
            self._crash(error)
        finally:
            self._drawing = False
            self._pace.frame_ends(loop.time())
            again, self._asked_while_drawing = self._asked_while_drawing, False
            if again and self._loop is not None:
                self._schedule(soon=False)

    def _heal_after_problems(self) -> None:
        """Write all rows after a report: it is logged, which without a handler is printed on the screen."""
        if self.problems.count != self._problems_seen:
            self._problems_seen = self.problems.count
            self._forget_frame("a problem was reported")

    # Input

    def ignore_input(self) -> None:
        """Discard all keys and pastes that come until `stop`, for a program that has begun to leave."""
        self._input.is_discarding = True

    async def drain_input(self, limit: float = 1.0, idle: float = 0.05) -> None:
        """Turn reports off and discard input until it is quiet, before a normal exit.

        Late key releases and replies would otherwise reach the shell.
        """
        if self._loop is None:
            return
        self.ignore_input()
        self.terminal.write(self._quiet_sequence())
        self._input.last_input = started = self._loop.time()
        while self._loop is not None:
            now, last = self._loop.time(), self._input.last_input
            if now - started >= limit or now - last >= idle:
                return
            await asyncio.sleep(min(idle, last + idle - now))

    def flush_partial_input(self) -> None:
        """Take what has come of an unfinished sequence as it is: nothing follows it any more."""
        self._input.flush_partial()

    def input_delivered(self) -> None:
        """Draw at the next turn, ahead of a throttled frame: a component got input."""
        if self._loop is not None:
            self._content_changed = True
            self._schedule(soon=True)

    def show_pending_keys(self, keys: tuple[str, ...]) -> None:
        """Tell whoever shows them which keys wait for the rest of a sequence."""
        if self.on_pending_keys is not None:
            self.on_pending_keys(keys)

    def take_mouse(self, event: MouseEvent) -> None:
        """Deliver what the mouse did; screen modes without a mouse do nothing."""

    def lose_mouse(self) -> None:
        """End what the mouse was doing."""

    def _on_resize(self) -> None:
        size = (self.columns, self.rows)
        if self._loop is None or size == self._size:
            return
        self._size = size
        self._forget_frame("the size has changed")
        self._maker.forget()
        self._pace.resized(self._loop.time())
        self._cancel_frame()  # it may be due too early for a frame of a new size
        self._input.dispatch(ResizeEvent(*size))
        self.input_delivered()

    def _ask(self, questions: str) -> None:
        self.terminal.write(questions + self._input.end_of_questions())

    def _measure_anew(self) -> None:
        self.invalidate()
        self.request_render(force=True)

    def _on_terminal_ready(self) -> None:
        if self._loop is not None:
            self._schedule(soon=False)


def _own_terminal() -> Terminal:
    from pi_tui.terminal import ProcessTerminal

    return ProcessTerminal()
