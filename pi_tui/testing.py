"""For people who test components and programs: a terminal in memory, a pilot that uses it, snapshots as text and SVG.

The pilot sends the bytes that a terminal would send, so decoding, listeners, focus and frames are the real
ones; what it reads is the screen of a `GridTerminal`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from pi_tui.app import TUI
from pi_tui.emulator import GridTerminal
from pi_tui.events import MouseButton
from pi_tui.frame import Frame
from pi_tui.snapshot import check_snapshot, render_to_terminal, snapshot_component, snapshot_text
from pi_tui.svg import screen_svg
from pi_tui.svg_colors import Appearance

__all__ = [
    "GridTerminal",
    "HeadlessTerminal",
    "Pilot",
    "check_snapshot",
    "key_bytes",
    "render_to_terminal",
    "screen_svg",
    "snapshot_component",
    "snapshot_text",
]

_LOOK_SECONDS = 0.02
# Codes of mouse reports.
_BUTTON_CODES: Mapping[MouseButton, int] = {"left": 0, "middle": 1, "right": 2}
_NO_BUTTON, _MOTION, _WHEEL_UP, _WHEEL_DOWN = 3, 32, 64, 65
_KEYS = {
    "enter": b"\r",
    "tab": b"\t",
    "shift+tab": b"\x1b[Z",
    "escape": b"\x1b",
    "backspace": b"\x7f",
    "space": b" ",
    "up": b"\x1b[A",
    "down": b"\x1b[B",
    "right": b"\x1b[C",
    "left": b"\x1b[D",
    "home": b"\x1b[H",
    "end": b"\x1b[F",
    "insert": b"\x1b[2~",
    "delete": b"\x1b[3~",
    "pageUp": b"\x1b[5~",
    "pageDown": b"\x1b[6~",
    "ctrl+home": b"\x1b[1;5H",
    "ctrl+end": b"\x1b[1;5F",
    "ctrl+pageUp": b"\x1b[5;5~",
    "ctrl+pageDown": b"\x1b[6;5~",
    "shift+enter": b"\x1b[13;2u",
    "alt+enter": b"\x1b\r",
    "alt+up": b"\x1b[1;3A",
}
# Keys that newer keyboards report as characters, and what the modifiers add up to there.
_CODES = {"enter": 13, "tab": 9, "escape": 27, "backspace": 127, "space": 32}
_MODIFIERS = {"shift": 1, "alt": 2, "ctrl": 4, "super": 8}


def key_bytes(key_id: str) -> bytes:
    """Return what a terminal sends for a key id: legacy bytes where there are any, else those of newer keyboards."""
    if key_id in _KEYS:
        return _KEYS[key_id]
    if len(key_id) == 1:
        return key_id.encode()
    modifier, _, key = key_id.partition("+")
    if modifier == "ctrl" and len(key) == 1 and key.isalpha():
        return bytes([ord(key) & 0x1F])
    if modifier == "alt" and len(key) == 1:
        return b"\x1b" + key.encode()
    return _modified_key_bytes(key_id)


def _modified_key_bytes(key_id: str) -> bytes:
    *modifiers, key = key_id.split("+")
    legacy = _KEYS.get(key, b"").decode()
    if not _MODIFIERS.keys() >= set(modifiers) or not (len(key) == 1 or legacy):
        raise ValueError(f"no bytes are known for the key {key_id!r}")
    sum_of_modifiers = 1 + sum(_MODIFIERS[name] for name in modifiers)
    if len(key) == 1 or key in _CODES:
        return f"\x1b[{_CODES.get(key) or ord(key)};{sum_of_modifiers}u".encode()
    number = legacy[2:-1] or "1"
    return f"\x1b[{number};{sum_of_modifiers}{legacy[-1]}".encode()


class HeadlessTerminal:
    """A terminal in memory for `TUI`: takes frames, gives input when a test says so."""

    def __init__(
        self,
        columns: int = 80,
        rows: int = 24,
        *,
        answers: Iterable[str] | Mapping[str, str] = (),
    ) -> None:
        self.grid = GridTerminal(columns, rows, answers=answers)
        self.is_busy = False
        self.is_gone = False
        self.rows_written = 0
        self._drawn: list[bytes] = []
        self._changed: asyncio.Event | None = None
        self._on_input: Callable[[bytes], None] = lambda data: None
        self._on_resize: Callable[[], None] = lambda: None
        self._on_closed: Callable[[], None] = lambda: None
        self._on_ready: Callable[[], None] = lambda: None

    @property
    def columns(self) -> int:
        """Width in cells."""
        return self.grid.columns

    @property
    def rows(self) -> int:
        """Height in cells."""
        return self.grid.rows

    def start(
        self,
        on_input: Callable[[bytes], None],
        on_resize: Callable[[], None],
        on_closed: Callable[[], None],
        on_ready: Callable[[], None],
    ) -> None:
        """Keep the callbacks for `send`, `resize` and `close`."""
        self._on_input, self._on_resize, self._on_closed = on_input, on_resize, on_closed
        self._on_ready = on_ready
        self._drawn = []

    def stop(self, leave: str, farewell: str = "") -> None:
        """Write both."""
        self.write(leave + farewell)

    def set_last_words(self, last_words: str) -> None:
        """Do nothing: this process does not end on us."""

    def write_last_words(self, farewell: str = "") -> None:
        """Do nothing, for the same reason."""

    def write(self, data: str) -> None:
        """Write to the screen in memory; what it answers comes back as input at the next turn."""
        self.grid.write(data)
        self._notify()
        replies = b"".join(self.grid.replies)
        self.grid.replies.clear()
        if replies:
            asyncio.get_running_loop().call_soon(self._on_input, replies)

    def draw(self, frame: Frame, show_cursor: bool) -> None:
        """Write the rows that changed."""
        parts = [frame.before.encode()]
        for y, row in enumerate(frame.rows):
            if y >= len(self._drawn) or self._drawn[y] != row:
                parts.append(f"\x1b[{y + 1};1H".encode() + row)
        self.rows_written += len(parts) - 1
        self._drawn = frame.rows
        parts.append(frame.after.encode())
        if frame.cursor is not None:
            parts.append(f"\x1b[{frame.cursor[1] + 1};{frame.cursor[0] + 1}H".encode())
        is_shown = show_cursor and frame.cursor is not None
        parts.append(b"\x1b[?25h" if is_shown else b"\x1b[?25l")
        self.grid.write(b"\x1b[?2026h" + b"".join(parts) + b"\x1b[?2026l")
        self._notify()

    def forget_frame(self) -> None:
        """Write every row of the next frame."""
        self._drawn = []

    def send(self, data: bytes) -> None:
        """Give input to the program."""
        self._on_input(data)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size and tell the program."""
        self.grid.resize(columns, rows)
        self._on_resize()

    def ready(self) -> None:
        """Tell the program that what it wrote has been taken; `is_busy` is the test's to set."""
        self._on_ready()

    def close(self) -> None:
        """End the input."""
        self._on_closed()

    async def wait_changed(self) -> None:
        """Return when something was written."""
        if self._changed is None:
            self._changed = asyncio.Event()
        self._changed.clear()
        await self._changed.wait()

    def _notify(self) -> None:
        if self._changed is not None:
            self._changed.set()


class Pilot:
    """Uses a started program the way a person does. Keys and texts are followed by a frame."""

    def __init__(self, tui: TUI, terminal: HeadlessTerminal) -> None:
        self.tui = tui
        self.terminal = terminal

    def press(self, *key_ids: str) -> None:
        """Press keys, one after another."""
        for key_id in key_ids:
            self.terminal.send(key_bytes(key_id))
            if key_id == "escape":
                self._resolve_escape()
        self.tui.render_now()

    def type(self, text: str) -> None:
        """Type text; a newline is Enter."""
        self.terminal.send(text.replace("\n", "\r").encode())
        self.tui.render_now()

    def paste(self, text: str) -> None:
        """Paste text between paste markers."""
        self.terminal.send(b"\x1b[200~" + text.encode() + b"\x1b[201~")
        self.tui.render_now()

    def click(self, x: int, y: int, button: MouseButton = "left", *, times: int = 1) -> None:
        """Press and release a button in a cell, quickly after one another if more than once."""
        for _ in range(times):
            self._report(_BUTTON_CODES[button], x, y)
            self._report(_BUTTON_CODES[button], x, y, end="m")
            self.tui.render_now()

    def drag(self, start: tuple[int, int], *path: tuple[int, int], release: bool = True) -> None:
        """Press the left button in a cell and move it over others; it is released in the last one."""
        self._report(0, *start)
        for cell in path:
            self._report(_MOTION, *cell)
            self.tui.render_now()
        if release:
            self.release(*(path[-1] if path else start))

    def release(self, x: int, y: int) -> None:
        """Release the left button in a cell."""
        self._report(0, x, y, end="m")
        self.tui.render_now()

    def hover(self, x: int, y: int) -> None:
        """Move the pointer to a cell."""
        self._report(_MOTION + _NO_BUTTON, x, y)
        self.tui.render_now()

    def scroll(self, notches: int, x: int = 0, y: int = 0) -> None:
        """Turn the wheel over a cell: up if `notches` is negative."""
        for _ in range(abs(notches)):
            self._report(_WHEEL_DOWN if notches > 0 else _WHEEL_UP, x, y)
        self.tui.render_now()

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size."""
        self.terminal.resize(columns, rows)
        self.tui.render_now()

    def lines(self) -> list[str]:
        """Return the rows on screen, without trailing blanks."""
        return self.terminal.grid.lines()

    def screen(self) -> str:
        """Return the rows on screen as one text."""
        return "\n".join(self.lines())

    def snapshot(self) -> str:
        """Return the screen with its styles, as snapshots are stored."""
        return snapshot_text(self.terminal.grid)

    def svg(self, *, title: str | None = None, appearance: Appearance = "dark") -> str:
        """Return the screen as a picture, as `screen_svg` does."""
        return screen_svg(self.terminal.grid, title=title, appearance=appearance)

    async def wait_for(self, wanted: str | Callable[[], bool], timeout: float = 10.0) -> None:
        """Return when a text is on screen or a condition holds; fails with the screen when it never does."""

        def holds() -> bool:
            return wanted in self.screen() if isinstance(wanted, str) else wanted()

        try:
            async with asyncio.timeout(timeout):
                while not holds():
                    # A condition may come true without anything being written.
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self.terminal.wait_changed(), _LOOK_SECONDS)
        except TimeoutError:
            raise AssertionError(
                f"waited in vain for {wanted!r}; the screen is:\n{self.screen()}"
            ) from None

    def _report(self, code: int, x: int, y: int, end: str = "M") -> None:
        self.terminal.send(f"\x1b[<{code};{x + 1};{y + 1}{end}".encode())

    def _resolve_escape(self) -> None:
        """Let the time pass in which a lone Escape could begin a sequence."""
        self.tui.flush_partial_input()
