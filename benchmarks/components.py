"""Components that hold much, in this process: long drafts, long tables, tools that answer with megabytes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from benchmarks.content import prose
from benchmarks.figures import Figure
from benchmarks.in_process import InProcess
from pi_agent.ui.renderers.excerpt import last_rows
from pi_tui.component import identity
from pi_tui.components.editor import Editor
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.table import Table
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.theme import EditorTheme, SelectListTheme

_SUBJECT: Final = "Components that hold much, CPU in one process"
_STEPS: Final = 60
_SHORT: Final = 20
_LINES: Final = 2_000
_ROWS: Final = 20_000
_MEGABYTES: Final = 5
_SELECT: Final = SelectListTheme(*[identity] * 5)


def measure(runs: int) -> list[Figure]:
    """Measure a key in each, and its first frame where all of it has to be known."""
    return asyncio.run(_measure(runs))


async def _measure(runs: int) -> list[Figure]:
    short, long = await _editor(_SHORT, runs), await _editor(_LINES, runs)
    ratios = [more / less for less, more in zip(short, long, strict=True)]
    return [
        Figure(_SUBJECT, f"key in an editor of {_LINES:,} lines", "ms", long, 3),
        Figure(
            _SUBJECT, f"key in an editor of {_LINES:,} lines, to {_SHORT}", "times", ratios, 1.3
        ),
        *await _table(runs),
        *await _output(runs),
    ]


async def _editor(lines: int, runs: int) -> list[float]:
    """Type in the middle of a text."""
    screen = InProcess()
    editor = Editor(screen.tui, EditorTheme(identity, _SELECT))
    half = "\n".join(prose(1, number)[:100] for number in range(lines // 2))
    editor.set_text(f"{half}\n\n{half}")
    screen.show(editor, editor)
    for _ in range(lines // 2):
        screen.press(b"\x1b[A")
    return await _keys(screen, lambda number: b"x" if number % 30 < 15 else b"\x7f", runs)


async def _table(runs: int) -> list[Figure]:
    rows = [[str(number), prose(1, number)[:60], "done"] for number in range(_ROWS)]
    first = Figure(_SUBJECT, f"first frame of a table of {_ROWS:,} rows", "ms", aim=20)
    keys = Figure(_SUBJECT, f"key in a table of {_ROWS:,} rows", "ms", aim=3)
    for _ in range(runs):
        screen = InProcess()
        table = Table(["Number", "Text", "State"], rows, 40, _SELECT, screen.tui)
        first.values.append(_first_frame(screen, table))
        await asyncio.sleep(0.5)  # the rest is measured while nothing else is to do
        keys.values.extend(await _keys(screen, lambda number: b"\x1b[B", 1))
    return [first, keys]


async def _output(runs: int) -> list[Figure]:
    """Draw what a tool has answered, as its row does, below an editor that is typed in."""
    text = "x" * (_MEGABYTES * 1_000_000)
    name = f"a line of {_MEGABYTES} MB"
    first = Figure(_SUBJECT, f"first frame with the end of {name}", "ms", aim=20)
    keys = Figure(_SUBJECT, f"key below the end of {name}", "ms", aim=3)
    for _ in range(runs):
        screen = InProcess()
        document = Transcript()
        begun = time.process_time()
        document.append(Text("\n".join(last_rows(text, 20, 100).rows), 1, 0))
        editor = Editor(screen.tui, EditorTheme(identity, _SELECT))
        document.append(editor)
        view = ScrollView(document, follow="end", primary=True)
        screen.show(view, editor)
        first.values.append((time.process_time() - begun) * 1000)
        keys.values.extend(await _keys(screen, lambda number: b"x", 1))
    return [first, keys]


def _first_frame(screen: InProcess, table: Table) -> float:
    begun = time.process_time()
    screen.show(table, table)
    return (time.process_time() - begun) * 1000


async def _keys(screen: InProcess, key: Callable[[int], bytes], runs: int) -> list[float]:
    await screen.cpu_ms(lambda number: screen.press(key(number)), 5)
    values = [
        await screen.cpu_ms(lambda number: screen.press(key(number)), _STEPS) for _ in range(runs)
    ]
    screen.stop()
    return values
