"""The way of the input: bytes, events, listeners, the focused component; replies to whoever asked.

A handler may stop the program, so every step looks whether the path is still open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from pi_tui.color_query import ColorQueries, ColorQuery, TerminalColors
from pi_tui.component import Renderable, contained, says
from pi_tui.decode import Decoded, InputDecoder
from pi_tui.events import FocusEvent, InputEvent, KeyEvent, MouseEvent, PasteEvent
from pi_tui.focus import Focus
from pi_tui.input_listeners import InputListener, InputListeners
from pi_tui.key_parser import set_kitty_protocol_active
from pi_tui.key_sequences import KeySequences
from pi_tui.keys import matches_key
from pi_tui.mouse import MouseReader, MouseReport
from pi_tui.negotiation import DEVICE_ATTRIBUTES_QUERY, KeyboardNegotiation
from pi_tui.replies import TerminalReply
from pi_tui.typing_burst import TakesText, TypedText, split_bursts, takes_text

_DEBUG_KEYS = ("ctrl+shift+d", "f12")


class InputHost(Protocol):
    """What the way of the input needs of the frame loop."""

    on_debug: Callable[[], None] | None
    on_unhandled_key: Callable[[KeyEvent], None] | None

    @property
    def columns(self) -> int:
        """Width of the screen: what the mouse does beyond it is nothing."""
        ...

    @property
    def rows(self) -> int:
        """Height of the screen."""
        ...

    def take_mouse(self, event: MouseEvent) -> None:
        """Deliver what the mouse did."""
        ...

    def lose_mouse(self) -> None:
        """End what the mouse was doing: the window has lost the focus."""
        ...

    def input_delivered(self) -> None:
        """Draw at the next turn: a component got input."""
        ...

    def take_reply(self, reply: TerminalReply) -> None:
        """Take what the terminal says of itself."""
        ...

    def answer_terminal(self, answer: str) -> None:
        """Write an answer that changes what is to be undone at the end."""
        ...

    def show_pending_keys(self, keys: tuple[str, ...]) -> None:
        """Show that keys wait for the rest of a sequence; none any more if `keys` is empty."""
        ...


class InputPath:
    """Takes what the terminal sends, from `open` to `close`."""

    def __init__(
        self,
        host: InputHost,
        focus: Focus,
        environ: Mapping[str, str],
    ) -> None:
        self.keyboard = KeyboardNegotiation()
        self.mouse = MouseReader()
        self.is_discarding = False
        self.last_input = 0.0
        self._host = host
        self._focus = focus
        self._environ = environ
        self._listeners = InputListeners()
        self._decoder = InputDecoder(environ)
        self._sequences = KeySequences()
        self._sequence_timer: asyncio.TimerHandle | None = None
        self._shown_keys: tuple[str, ...] = ()
        self._colors = ColorQueries()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._flush_timer: asyncio.TimerHandle | None = None

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin anew with a terminal that was just taken over."""
        self._loop = loop
        self._decoder = InputDecoder(self._environ)
        self.mouse.forget()

    def close(self) -> None:
        """Deliver nothing any more and forget what the terminal said of itself."""
        self._loop = None
        self._cancel_flush()
        self._sequences.pending = ()
        self._follow_sequence()
        self.keyboard.stop()
        set_kitty_protocol_active(False)
        self._colors.finish()

    def start_keyboard(self, questions: str) -> str:
        """Return what asks the terminal for a better keyboard, and `questions` that it answers with it."""
        return self.keyboard.start(questions) + self.end_of_questions()

    def end_of_questions(self) -> str:
        """Return what asks for the reply that ends the answers, and expect that."""
        self._decoder.queries_pending += 1
        self._colors.count_foreign_reply()
        return DEVICE_ATTRIBUTES_QUERY

    def ask_colors(
        self,
        loop: asyncio.AbstractEventLoop,
        on_late_reply: Callable[[TerminalColors], None] | None,
    ) -> ColorQuery:
        """Begin a question for colours; the caller writes it."""
        self._decoder.queries_pending += 1
        return self._colors.open(loop, on_late_reply)

    def add_listener(self, listener: InputListener) -> None:
        """Show every event to `listener` before the focused component."""
        self._listeners.add(listener)

    def remove_listener(self, listener: InputListener) -> None:
        """Take a listener off; takes effect for the next input."""
        self._listeners.remove(listener)

    def take(self, data: bytes) -> None:
        """Deliver what `data` says."""
        if self._loop is None:
            return
        self.last_input = self._loop.time()
        self._dispatch_all(self._decoder.feed(data))
        self._await_rest()

    def flush_partial(self) -> None:
        """Take what has come of an unfinished sequence as it is: nothing follows it any more."""
        self._cancel_flush()
        self._dispatch_all(self._decoder.flush())
        self._await_rest()

    def dispatch(self, event: InputEvent) -> None:
        """Show an event to the listeners, then to the component that it is for."""
        heard = self._heard(event)
        if heard is not None:
            self._deliver(heard)

    def _take_key(self, key: KeyEvent) -> None:
        """Dispatch a key, unless it is held back, and those that were held back before it."""
        self._dispatch_keys(self._sequences.take(key))

    def _expire_sequence(self) -> None:
        """Take the keys that were held back as they are: nothing follows them any more."""
        self._dispatch_keys(self._sequences.expire())

    def _dispatch_keys(self, keys: list[KeyEvent]) -> None:
        self._follow_sequence()
        for key in keys:
            if self._loop is not None:
                self.dispatch(key)

    def _follow_sequence(self) -> None:
        """Show which keys are held back, and wait for what follows them."""
        if self._sequence_timer is not None:
            self._sequence_timer.cancel()
            self._sequence_timer = None
        keys = tuple(key.id for key in self._sequences.pending)
        if keys != self._shown_keys:
            self._shown_keys = keys
            self._host.show_pending_keys(keys)
        wait = self._sequences.timeout()
        if wait is not None and self._loop is not None:
            self._sequence_timer = self._loop.call_later(wait, self._expire_sequence)

    def _heard(self, event: InputEvent) -> InputEvent | None:
        return self._listeners.ask(event, lambda: self._loop is not None)

    def _deliver(self, event: InputEvent) -> None:
        if self.is_discarding:
            return
        if isinstance(event, KeyEvent):
            self._deliver_key(event)
        elif isinstance(event, PasteEvent):
            self._deliver_paste(event)
        elif isinstance(event, MouseEvent):
            self._host.take_mouse(event)
        elif isinstance(event, FocusEvent) and not event.gained:
            self.mouse.forget()
            self._host.lose_mouse()

    def _await_rest(self) -> None:
        """Resolve what is partial when nothing follows in time."""
        self._cancel_flush()
        wait = self._decoder.pending_timeout()
        if wait is not None and self._loop is not None:
            self._flush_timer = self._loop.call_later(wait, self.flush_partial)

    def _cancel_flush(self) -> None:
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None

    def _dispatch_all(self, decoded: list[Decoded]) -> None:
        for burst, others in split_bursts(decoded):
            if burst:
                self._type_burst(burst)
            for event in others:
                self._take_event(event)

    def _take_event(self, event: Decoded) -> None:
        if self._loop is None:
            return
        if isinstance(event, TerminalReply):
            self._take_reply(event)
        elif self.is_discarding:
            return
        elif isinstance(event, MouseReport):
            self._take_mouse(event)
        elif isinstance(event, KeyEvent):
            self._take_key(event)
        else:
            if isinstance(event, PasteEvent):
                self._expire_sequence()  # what was typed first comes first
            self.dispatch(event)

    def _type_burst(self, keys: list[KeyEvent]) -> None:
        """Take many keys that came together: what only inserts text is inserted at once."""
        self._expire_sequence()
        self._focus.before_input()
        text = TypedText(self._deliver_text)
        focused: Renderable | None = None
        target: TakesText | None = None
        for key in keys:
            if self._focus.component is not focused:
                focused = self._focus.component
                target = focused if takes_text(focused) else None
            if target is None or not target.types(key):
                text.finish()
                self._take_event(key)
                continue
            heard = None if self._is_closed else self._heard(key)
            if heard is key and self._focus.component is focused:
                text.add(target, key.text)
                continue
            text.finish()
            if heard is not None:
                self._deliver(heard)
        text.finish()

    @property
    def _is_closed(self) -> bool:
        return self._loop is None or self.is_discarding

    def _deliver_text(self, component: TakesText, text: str) -> None:
        if self._is_closed:
            return
        with contained(component):
            component.handle_text(text)
        self._host.input_delivered()

    def _take_mouse(self, report: MouseReport) -> None:
        assert self._loop is not None
        event = self.mouse.read(report, self._loop.time())
        if event is None:
            return
        if 0 <= event.x < self._host.columns and 0 <= event.y < self._host.rows:
            self.dispatch(event)

    def _deliver_key(self, event: KeyEvent) -> None:
        on_debug = self._host.on_debug
        if on_debug is not None and any(matches_key(event, key) for key in _DEBUG_KEYS):
            on_debug()
            return
        self._focus.before_input()
        component = self._focus.component
        if component is None:
            return
        if event.kind == "release" and not says(component, "wants_key_release"):
            return
        handler = getattr(component, "handle_key", None)
        used: object = False
        if handler is not None:
            used = True  # a key that it fails at is lost
            with contained(component):
                used = handler(event)
        on_unhandled = self._host.on_unhandled_key
        if used is False and on_unhandled is not None and self._loop is not None:
            on_unhandled(event)
        self._host.input_delivered()

    def _deliver_paste(self, event: PasteEvent) -> None:
        self._focus.before_input()
        component = self._focus.component
        handler = getattr(component, "handle_paste", None)
        if component is None or handler is None:
            return
        with contained(component):
            handler(event)
        self._host.input_delivered()

    def _take_reply(self, reply: TerminalReply) -> None:
        answer = ""
        if reply.kind == "kitty_flags":
            answer = self.keyboard.kitty_reply(reply.numbers[0])
            self._decoder.kitty_active = self.keyboard.kitty_active
            set_kitty_protocol_active(self.keyboard.kitty_active)
        elif reply.kind == "device_attributes":
            self._decoder.queries_pending = max(0, self._decoder.queries_pending - 1)
            if not self._colors.device_attributes_reply():
                answer = self.keyboard.device_attributes_reply()
        elif reply.kind in ("foreground", "background", "palette"):
            self._colors.color_reply(reply.kind, reply.data)
        if answer:
            self._host.answer_terminal(answer)
        self._host.take_reply(reply)
