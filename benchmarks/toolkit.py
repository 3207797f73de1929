"""The toolkit in this process: frames on a pseudo-terminal whose output goes nowhere, and text functions."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable
from typing import Final

from benchmarks.content import prose
from benchmarks.figures import Figure
from benchmarks.in_process import InProcess
from pi_tui.component import Component, identity
from pi_tui.components.container import Container
from pi_tui.components.editor import Editor
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.terminal import ProcessTerminal
from pi_tui.theme import EditorTheme, SelectListTheme
from pi_tui.width import visible_width
from pi_tui.wrap import wrap_text_with_ansi

_SUBJECT: Final = "Toolkit, CPU in one process"
_ENTRIES: Final = 100_000
_LINES: Final = 2_000
_CACHED: Final = 10_000
_SCROLLED: Final = 50_000

_ASCII: Final = "The parser keeps the frame before the transcript reads it, " * 4
_STYLED: Final = (
    "\x1b[1mThe parser\x1b[22m keeps \x1b[38;2;90;160;200mthe frame\x1b[39m before it is read, " * 4
)
_STYLED_ROW: Final = (
    "\x1b[1mThe parser\x1b[22m keeps \x1b[38;2;90;160;200mthe frame\x1b[39m before it is read,"
    " \x1b[3mand then\x1b[23m there is more of the same text that goes on and on until its end comes."
)
_WIDE: Final = "解析器保持帧 before it is read 👩‍👩‍👧 and naïve café, " * 4

Step = Callable[[int], object]


def measure(runs: int) -> list[Figure]:
    """Measure single operations, many of each in a run."""
    return asyncio.run(_measure(runs))


async def _measure(runs: int) -> list[Figure]:
    return [
        frames("frame of 50 by 200, one row changed", _one_row, 200, runs, aim=0.06),
        frames(f"jump in {_ENTRIES:,} ready lines", _line_jumps, 100, runs, aim=0.1),
        frames(f"jump in {_ENTRIES:,} entries, drawn for the first time", _jumps, 100, runs),
        frames(f"a token more at {_LINES:,} lines", _tokens, 100, runs, aim=1),
        await _unchanged(runs),
        await _view_frames(runs),
        await _keys(runs),
        _texts("visible_width, 120 styled cells", lambda: visible_width(_STYLED_ROW), runs, aim=3),
        _texts("visible_width, ASCII", lambda: visible_width(_ASCII), runs),
        _texts("visible_width, styled", lambda: visible_width(_STYLED), runs),
        _texts("visible_width, wide", lambda: visible_width(_WIDE), runs),
        _texts("wrap_text_with_ansi, ASCII", lambda: wrap_text_with_ansi(_ASCII, 100), runs),
        _texts("wrap_text_with_ansi, styled", lambda: wrap_text_with_ansi(_STYLED, 100), runs),
        _texts("wrap_text_with_ansi, wide", lambda: wrap_text_with_ansi(_WIDE, 100), runs),
    ]


class _Rows(Component):
    """Ready rows, of which one is exchanged at a time."""

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows

    def render(self, width: int) -> list[str]:
        """Return the rows."""
        return self.rows


def _one_row(tui: TuiAltScreen) -> Step:
    rows = _Rows([_styled_row(y, 0) for y in range(50)])
    tui.set_layout_root(rows)

    def step(number: int) -> None:
        changed = list(rows.rows)
        changed[number % 50] = _styled_row(number % 50, number + 1)
        rows.rows = changed
        tui.render_now()

    return step


def _styled_row(y: int, salt: int) -> str:
    """Return 200 cells in 25 colours."""
    cells = (
        f"\x1b[38;2;{(y * 5 + x * 9) % 256};{(x * 10 + salt) % 256};{y * 3}m{y * 31 + x * 7 + salt:>7} "
        for x in range(25)
    )
    return "".join(cells) + "\x1b[0m"


class _Lines(Component):
    """Ready lines without end, of which only the visible ones are taken."""

    def measure(self, width: int) -> int:
        """Return the number of rows."""
        return _ENTRIES

    def estimate(self, width: int) -> int:
        """Return the number of rows."""
        return _ENTRIES

    def render_rows(self, width: int, start: int, stop: int) -> list[str]:
        """Return some rows."""
        return [f"{number:>6}  {_ASCII[:80]}" for number in range(start, min(stop, _ENTRIES))]


def _line_jumps(tui: TuiAltScreen) -> Step:
    view = ScrollView(_Lines(), follow="end", primary=True)
    tui.set_layout_root(view)
    places = random.Random(5)

    def step(number: int) -> None:
        view.scroll_to(places.randrange(_ENTRIES - 100))
        tui.render_now()

    return step


def _jumps(tui: TuiAltScreen) -> Step:
    document = Transcript()
    for number in range(_ENTRIES):
        document.append(Text(f"{number:>6}  {_ASCII[:80]}", 0, 0))
    view = ScrollView(document, follow="end", primary=True)
    tui.set_layout_root(view)
    places = random.Random(5)

    def step(number: int) -> None:
        view.scroll_to(places.randrange(_ENTRIES - 100))
        tui.render_now()

    return step


def _tokens(tui: TuiAltScreen) -> Step:
    text = Text("\n".join(prose(1, number) for number in range(_LINES)), 1, 0)
    tui.set_layout_root(ScrollView(text, follow="end", primary=True))

    def step(number: int) -> None:
        text.set_text(f"{text.text} word{number}" + ("\n" if number % 60 == 59 else ""))
        tui.render_now()

    return step


def frames(
    name: str,
    build: Callable[[TuiAltScreen], Step],
    steps: int,
    runs: int,
    aim: float | None = None,
    subject: str = _SUBJECT,
) -> Figure:
    """Measure the frame after each step, on a terminal of 200 by 50 cells."""
    figure = Figure(subject, name, "ms", aim=aim)
    master, slave = os.openpty()
    environ = {"COLUMNS": "200", "LINES": "50", "TERM": "xterm-256color"}
    with open(slave) as keys, open(os.devnull, "w") as nowhere:
        tui = TuiAltScreen(ProcessTerminal(keys, nowhere, environ), environ=environ)
        tui.start()
        step = build(tui)
        tui.render_now()
        for run in range(runs + 1):
            begun = time.process_time()
            for number in range(steps):
                step(run * steps + number)
            spent = time.process_time() - begun
            if run:  # the first one fills caches
                figure.values.append(spent * 1000 / steps)
        tui.stop()
    os.close(master)
    return figure


async def _unchanged(runs: int) -> Figure:
    """Draw a document of single rows again, each of which is asked whether it has changed."""
    document = Container()
    for number in range(_CACHED):
        document.add_child(Text(f"{number:>6}  {_ASCII[:80]}", 0, 0))
    screen = InProcess()
    screen.show(ScrollView(document, follow="end", primary=True))
    return await _frames_of(
        f"frame with nothing changed, {_CACHED:,} rows of as many components",
        screen,
        lambda number: screen.tui.render_now(),
        runs,
    )


async def _view_frames(runs: int) -> Figure:
    """Scroll in a document of components of ten rows."""
    document = Container()
    for number in range(_SCROLLED // 10):
        document.add_child(
            Text("\n".join(f"{number:>6}.{row} {_ASCII[:80]}" for row in range(10)), 0, 0)
        )
    view = ScrollView(document, follow="end", primary=True)
    screen = InProcess()
    screen.show(view)

    def step(number: int) -> None:
        view.scroll_by(-1)
        screen.tui.request_view()

    return await _frames_of(f"scroll step in {_SCROLLED:,} rows", screen, step, runs)


async def _keys(runs: int) -> Figure:
    """Type into a text of 200 lines."""
    screen = InProcess()
    editor = Editor(screen.tui, EditorTheme(identity, SelectListTheme(*[identity] * 5)))
    editor.set_text("\n".join(_ASCII[: 30 + number % 60] for number in range(200)))
    screen.show(editor, editor)
    return await _frames_of(
        "key to frame, editor of 200 lines", screen, lambda number: screen.press(b"x"), runs, aim=10
    )


async def _frames_of(
    name: str, screen: InProcess, step: Callable[[int], object], runs: int, aim: float = 3
) -> Figure:
    await screen.cpu_ms(step, 1)
    values = [await screen.cpu_ms(step, 40) for _ in range(runs)]
    screen.stop()
    return Figure(_SUBJECT, name, "ms", values, aim)


def _texts(
    name: str,
    operation: Callable[[], object],
    runs: int,
    count: int = 2000,
    aim: float | None = None,
) -> Figure:
    figure = Figure(_SUBJECT, name, "µs", aim=aim)
    for _ in range(runs):
        begun = time.process_time()
        for _ in range(count):
            operation()
        figure.values.append((time.process_time() - begun) * 1e6 / count)
    return figure
