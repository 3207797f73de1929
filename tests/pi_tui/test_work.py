"""What a frame takes, counted: it follows what is on the screen, however long the document is."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import struct
import termios
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import pytest

from pi_tui.app import TUI
from pi_tui.component import Component, identity
from pi_tui.components.box import Box
from pi_tui.components.container import Container
from pi_tui.components.editor import Editor
from pi_tui.components.markdown import Markdown
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import StackEntry
from pi_tui.regular import TuiMainScreen
from pi_tui.terminal import ProcessTerminal
from pi_tui.testing import HeadlessTerminal
from pi_tui.theme import EditorTheme, SelectListTheme
from tests.pi_tui.call_count import Calls, Drawing
from tests.pi_tui.markdown_looks import slot_theme

pytestmark = pytest.mark.anyio

SIZES = (100, 10_000, 100_000)
COLUMNS, ROWS = 110, 35

EDITOR_THEME = EditorTheme(identity, SelectListTheme(*[identity] * 5))

ANSWER = """A paragraph about the *frame* that is drawn, with `code` in it, long enough for two rows at this width.

- an item of a list
- and another one

```python
def draw(rows: int) -> int:
    return rows
```
"""


def entries(count: int) -> list[Component]:
    """Return entries of many heights, a hundred of them again and again: making each anew would take seconds."""
    some: list[Component] = []
    for number in range(100):
        match number % 4:
            case 0:
                some.append(Text(f"Question {number}, of one row", 1, 0))
            case 1:
                some.append(Markdown(f"## Answer {number}\n\n{ANSWER}", 1, 0, slot_theme()))
            case 2:
                box = Box(1, 1)
                box.add_child(Text(f"$ command {number}", 0, 0))
                box.add_child(Text("a line of its output\n" * (1 + number % 13), 0, 0))
                some.append(box)
            case _:
                text = f"{number}: {'words that are wrapped ' * (number // 4)}"
                some.append(Markdown(text, 1, 0, slot_theme()))
    return some * (count // 100)


@dataclass(frozen=True)
class Work:
    """What one frame took."""

    renders: int
    rows_wrapped: int
    bytes_written: int


class Screen:
    """A document, an editor under it, and a pseudo-terminal that counts what is written to it."""

    def __init__(
        self, kind: type[TuiAltScreen | TuiMainScreen], document: Transcript | Container
    ) -> None:
        self.document = document
        self.view = ScrollView(self.document, follow="end", primary=True)
        self._master, slave = os.openpty()
        os.set_blocking(self._master, False)
        self._file = open(slave)  # noqa: SIM115  # `close` closes it
        self._bytes = 0
        environ = {"TERM": "xterm-256color"}
        terminal = ProcessTerminal(self._file, self._file, environ)
        self.tui = kind(terminal, strict=True, environ=environ)
        self.editor = Editor(self.tui, EDITOR_THEME)
        self.tui.set_layout_root(
            VStack([StackEntry(self.view, basis=0, grow=1), StackEntry(self.editor, shrink=0)])
        )
        self.tui.set_focus(self.editor)

    async def start(self) -> None:
        self._set_size(COLUMNS, ROWS)
        self.tui.start()
        await self.work(self.tui.render_now)

    def close(self) -> None:
        self.tui.stop()
        self._file.close()
        os.close(self._master)

    async def work(self, action: Callable[[], object]) -> Work:
        """Do something that is followed by a frame; return what that took."""
        frames, before = self.tui.frames_drawn, self._bytes
        with Drawing() as drawing:
            action()
            while self.tui.frames_drawn == frames or self.tui.terminal.is_busy:
                self._read()
                await asyncio.sleep(0)
        self._read()
        return Work(drawing.renders, drawing.rows_wrapped, self._bytes - before)

    def type(self, key: bytes) -> None:
        os.write(self._master, key)

    def scroll(self, rows: int) -> None:
        self.view.scroll_by(rows)
        self.tui.request_view()

    def resize(self, columns: int, rows: int) -> None:
        self._set_size(columns, rows)
        signal.raise_signal(signal.SIGWINCH)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self) -> None:
        with suppress(BlockingIOError):
            while data := os.read(self._master, 65536):
                self._bytes += len(data)


MEASURED: dict[tuple[type[TUI], int], dict[str, Work]] = {}


async def work_of_steps(kind: type[TuiAltScreen | TuiMainScreen], size: int) -> dict[str, Work]:
    """Return what each of many steps takes; they are done once for all tests."""
    if (kind, size) not in MEASURED:
        MEASURED[kind, size] = await measured(kind, size)
    return MEASURED[kind, size]


async def measured(kind: type[TuiAltScreen | TuiMainScreen], size: int) -> dict[str, Work]:
    document = Transcript()
    answer = Markdown("An answer that comes", 1, 0, slot_theme())
    for entry in [*entries(size), answer]:
        document.append(entry)
    screen = Screen(kind, document)
    await screen.start()

    def grow() -> None:
        answer.set_text(answer.text + " word")
        screen.tui.render_now()

    def jump() -> None:
        """Go to the same entry in the middle, whatever the size."""
        screen.view.scroll_to_entry(size // 200 * 100 + 50)
        screen.tui.request_view()

    steps: dict[str, Callable[[], object]] = {
        "nothing": screen.tui.render_now,
        "first key": lambda: screen.type(b"h"),
        "key": lambda: screen.type(b"e"),
        "token": grow,
        "key after a token": lambda: screen.type(b"l"),
        "caret": lambda: screen.tui.set_show_hardware_cursor(True),
    }
    if kind is TuiAltScreen:
        steps |= {
            "step up": lambda: screen.scroll(-3),
            "step down": lambda: screen.scroll(3),
            "step up again": lambda: screen.scroll(-3),
            "page up": lambda: screen.type(b"\x1b[5~"),
            "page down": lambda: screen.type(b"\x1b[6~"),
            "jump": jump,
            "key after a jump": lambda: screen.type(b"l"),
        }
    steps |= {
        "narrower": lambda: screen.resize(COLUMNS - 10, ROWS),
        "lower": lambda: screen.resize(COLUMNS - 10, ROWS - 5),
    }
    try:
        return {name: await screen.work(step) for name, step in steps.items()}
    finally:
        screen.close()


async def test_a_frame_takes_the_same_in_a_document_of_any_length() -> None:
    few, many, most = [await work_of_steps(TuiAltScreen, size) for size in SIZES]
    assert few == many == most
    assert max(work.renders for work in most.values()) <= ROWS // 2
    assert most["token"].rows_wrapped == 1


async def test_in_regular_mode_too() -> None:
    few, many = [await work_of_steps(TuiMainScreen, size) for size in SIZES[:2]]
    for name in ("nothing", "first key", "key", "token", "key after a token"):
        assert many[name].renders <= few[name].renders
        assert many[name].rows_wrapped == few[name].rows_wrapped <= 1
        assert many[name].bytes_written == few[name].bytes_written


async def test_where_one_has_been_scrolling_renders_nothing() -> None:
    work = await work_of_steps(TuiAltScreen, 100)
    assert {work[step].renders for step in ("step down", "step up again", "page down")} == {0}


@pytest.mark.parametrize("kind", [TuiAltScreen, TuiMainScreen])
async def test_little_is_written(kind: type[TuiAltScreen | TuiMainScreen]) -> None:
    work = await work_of_steps(kind, 100)
    assert work["nothing"].bytes_written == 0
    keys = ("first key", "key", "key after a token")
    assert max(work[key].bytes_written for key in keys) <= 38
    assert work["token"].bytes_written <= 38
    if kind is TuiAltScreen:
        assert work["step up again"].bytes_written < 5 * COLUMNS


async def test_another_width_wraps_what_is_in_sight() -> None:
    work = await work_of_steps(TuiAltScreen, 100)
    assert 0 < work["narrower"].rows_wrapped <= 2 * ROWS
    assert work["lower"].rows_wrapped == 0


@pytest.mark.parametrize("kind", [TuiAltScreen, TuiMainScreen])
async def test_the_caret_changes_its_look_without_a_component(
    kind: type[TuiAltScreen | TuiMainScreen],
) -> None:
    work = (await work_of_steps(kind, 100))["caret"]
    assert work.renders == 0
    assert work.bytes_written < 100


async def test_a_scroll_step_makes_as_many_calls_whatever_is_in_the_view() -> None:
    counts = []
    for size in (100, 3000):
        document = Container()
        for number in range(size):
            document.add_child(Text(f"row {number}", 0, 0))
        screen = Screen(TuiAltScreen, document)
        await screen.start()
        await screen.work(partial(screen.scroll, -1))
        with Calls() as calls:
            screen.scroll(-1)
            screen.tui._draw()
        screen.close()
        counts.append(calls.count)
    assert counts[1] <= counts[0] + 10


async def test_another_child_of_the_screen_takes_as_many_calls_however_many_there_are() -> None:
    counts = []
    for size in (100, 5000):
        tui = TuiAltScreen(HeadlessTerminal(40, 10), strict=True, environ={})
        tui.children += [Text(f"row {number}", 0, 0) for number in range(size)]
        tui.start()
        tui.render_now()
        with Calls() as calls:
            tui.add_child(Text("one more", 0, 0))
            tui.render_now()
        assert tui.get_screen_lines()[-1].startswith("one more")
        tui.stop()
        counts.append(calls.count)
    assert counts[1] <= counts[0] + 10
