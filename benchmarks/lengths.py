"""Documents of 100, 10,000 and 100,000 entries: what is on the screen costs the same under each."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from functools import cache
from itertools import cycle
from typing import Final

from benchmarks.content import markdown, prose
from benchmarks.figures import Figure
from benchmarks.in_process import COLUMNS, ROWS, InProcess, ScreenKind
from pi_agent.resources.themes import load_bundled_theme
from pi_tui.component import Component
from pi_tui.components.box import Box
from pi_tui.components.editor import Editor
from pi_tui.components.markdown import Markdown
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import StackEntry
from pi_tui.markdown_theme import MarkdownTheme, get_markdown_theme
from pi_tui.regular import TuiMainScreen
from pi_tui.theme import Theme, get_editor_theme

_SUBJECT: Final = "Documents of any length, CPU in one process"
_SIZES: Final = (100, 10_000, 100_000)
_MODES: Final[dict[str, ScreenKind]] = {"": TuiAltScreen, " in regular mode": TuiMainScreen}
_STEPS: Final = 60
_BATCHES: Final = 4  # the fastest one counts: the others had to do with other work on the machine
# How much longer a frame may take with the longest document than with the shortest one.
_RATIO_AIM: Final = 1.3

_Times = dict[str, float]


def measure(runs: int) -> list[Figure]:
    """Measure what a frame takes with each, and how many times as long with the longest as with the shortest."""
    measured = {
        mode: [asyncio.run(_times(kind, size)) for _ in range(runs) for size in _SIZES]
        for mode, kind in _MODES.items()
    }
    return [
        figure
        for mode, times in measured.items()
        for step in times[0]
        for figure in _figures(f"{step}{mode}", [one[step] for one in times])
    ]


def _figures(name: str, values: list[float]) -> list[Figure]:
    """Return the figures of a step, given the values of all sizes again and again."""
    few, many, most = (values[index :: len(_SIZES)] for index in range(len(_SIZES)))
    figure = Figure(_SUBJECT, f"{name}, {_SIZES[-1]:,} entries", "ms", most)
    if name.startswith("resize in regular"):  # 2,000 rows are written, if there are that many
        return [figure]
    ratios = [max(longer) / shortest for shortest, *longer in zip(few, many, most, strict=True)]
    of = f"{name}, the longer documents to the shortest"
    return [figure, Figure(_SUBJECT, of, "times", ratios, _RATIO_AIM)]


async def _times(kind: ScreenKind, size: int) -> _Times:
    """Return the milliseconds of each step."""
    screen = InProcess(kind)
    document = Transcript()
    for number in range(size, 0, -1):  # the last ones are the same whatever the size
        document.append(_entry(number))
    answer = Markdown("An answer that comes", 1, 0, _markdown_theme())
    document.append(answer)
    view = ScrollView(document, follow="end", primary=True)
    editor = Editor(screen.tui, get_editor_theme(_theme()))
    rows = [StackEntry(view, basis=0, grow=1), StackEntry(editor, shrink=0)]
    screen.show(VStack(rows), editor)

    widths = cycle((COLUMNS - 1, COLUMNS))

    def scroll(number: int) -> None:
        view.scroll_by(-1)
        screen.tui.request_view()

    def grow(number: int) -> None:
        answer.set_text(f"{answer.text} word{number}")
        screen.tui.render_now()

    steps: dict[str, tuple[Callable[[int], object], int]] = {
        "unchanged frame": (lambda number: screen.tui.render_now(), _STEPS),
        "key to frame": (
            lambda number: screen.press(b"\x7f" if number % 60 > 29 else b"x"),
            _STEPS,
        ),
        "a word more": (grow, _STEPS),
        "resize": (lambda number: screen.resize(next(widths), ROWS), 2),
    }
    if kind is TuiAltScreen:
        steps["scroll step"] = (scroll, _STEPS)
    for warm_up, _ in steps.values():
        await screen.cpu_ms(warm_up, 1)
    gc.collect()
    times: _Times = {}
    for step, (action, count) in steps.items():
        times[step] = min([await screen.cpu_ms(action, count) for _ in range(_BATCHES)])
    screen.stop()
    return times


def _entry(number: int) -> Component:
    """Return an entry: of one row, an answer, the box of a tool, or a paragraph."""
    match number % 4:
        case 0:
            return Text(f"Question {number}", 1, 0)
        case 1:
            return Markdown(markdown(3), 1, 0, _markdown_theme())
        case 2:
            box = Box(1, 1)
            box.add_child(Text(f"$ command {number}", 0, 0))
            box.add_child(Text("a line of its output\n" * (1 + number % 13), 0, 0))
            return box
    return Markdown(prose(1 + number % 3, number % 100), 1, 0, _markdown_theme())


@cache
def _theme() -> Theme:
    return load_bundled_theme("dark", color_mode="truecolor")


@cache
def _markdown_theme() -> MarkdownTheme:
    return get_markdown_theme(_theme())
