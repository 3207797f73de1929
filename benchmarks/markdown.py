"""Markdown in this process: a document once, what is added to long answers, and a long answer word by word."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Final

from benchmarks.content import markdown, prose
from benchmarks.figures import Figure
from benchmarks.in_process import InProcess
from benchmarks.toolkit import Step, frames
from pi_agent.resources.themes import load_bundled_theme
from pi_tui.components.markdown import Markdown
from pi_tui.components.scroll_view import ScrollView
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.markdown_theme import MarkdownTheme, get_markdown_theme

_SUBJECT: Final = "Markdown, CPU in one process"
_STEPS: Final = 50
_WORD_COUNT: Final = 5_000
# How much more a token may cost on a long answer than on a short one.
_RATIO_AIM: Final = 2

_PARAGRAPHS: Final = "\n\n".join(
    f"With **bold words**, `code` and a [link](https://example.org/{number}): {prose(2, number)}"
    for number in range(200)
)
_CODE: Final = "".join(f"value_{n} = compute({n}, 'text')  # note\n" for n in range(2000))
_ITEMS: Final = "".join(f"- item {n} with **bold** words and `code`\n" for n in range(500))
_ROWS: Final = "".join(f"| `{n}` | {prose(1, n)} |\n" for n in range(200))

_WORDS: Final = ("word ",)
_CODE_WORDS: Final = ("total", " = ", "compute(", "values", ", 1)", "  # a", " note", "\n")
_CELLS: Final = ("| x |", " some", " words", " |\n")

_LINE: Final = "some **bold** words and `code`, going on\n"


def _fence(lines: int) -> str:
    return "```python\n" + "".join(_CODE.splitlines(keepends=True)[:lines])


def _list(items: int) -> str:
    return "".join(_ITEMS.splitlines(keepends=True)[:items]) + "- last "


def _table(rows: int) -> str:
    return "| Name | Meaning |\n|---|---|\n" + "".join(_ROWS.splitlines(keepends=True)[:rows])


def _paragraphs(lines: int) -> str:
    return (_LINE * 4 + "\n") * (lines // 5) + _LINE


# How an answer of so many lines begins, with the length of a long one, and the tokens that are added, over and over.
_GROWING: Final[Sequence[tuple[str, Callable[[int], str], int, Sequence[str]]]] = (
    ("code of {} lines", _fence, 2_000, _CODE_WORDS),
    ("a list of {} items", _list, 500, _WORDS),
    ("a table of {} rows", _table, 200, _CELLS),
    ("paragraphs of {} lines", _paragraphs, 2_000, _WORDS),
)
_SHORT: Final = 20


def measure(runs: int) -> list[Figure]:
    """Measure documents and tokens."""
    return asyncio.run(_measure(runs))


async def _measure(runs: int) -> list[Figure]:
    return [
        _once("200 paragraphs, once", _PARAGRAPHS, runs, aim=30),
        _once("200 blocks of all kinds, once", markdown(200), runs),
        *(figure for growing in _GROWING for figure in _growth(*growing, runs)),
        await _words(runs),
    ]


def _growth(
    name: str, text: Callable[[int], str], most: int, tokens: Sequence[str], runs: int
) -> list[Figure]:
    """Measure a token on a long answer, and how much more it is than on a short one of the same kind."""
    short, long = (
        frames(
            name.format(f"{lines:,}"),
            partial(_tokens, text(lines), tokens),
            _STEPS,
            runs,
            aim=3,
            subject=_SUBJECT,
        )
        for lines in (_SHORT, most)
    )
    ratios = [more / less for less, more in zip(short.values, long.values, strict=True)]
    return [long, Figure(_SUBJECT, f"{long.name}, to {_SHORT}", "times", ratios, _RATIO_AIM)]


async def _words(runs: int) -> Figure:
    """Measure an answer of all kinds of blocks that comes word by word, a frame each."""
    words = re.findall(r"\S+\s*", markdown(800))[:_WORD_COUNT]
    figure = Figure(_SUBJECT, f"{len(words):,} words, a frame each", "s", aim=1.5)
    for _ in range(runs):
        screen = InProcess()
        view = Markdown("", 1, 0, _theme())
        screen.show(ScrollView(view, follow="end", primary=True))
        begun = time.process_time()
        for word in words:
            view.set_text(view.text + word)
            screen.tui.render_now()
        figure.values.append(time.process_time() - begun)
        screen.stop()
    return figure


def _once(name: str, text: str, runs: int, aim: float | None = None) -> Figure:
    figure = Figure(_SUBJECT, name, "ms", aim=aim)
    for run in range(runs + 1):
        begun = time.process_time()
        Markdown(text, 1, 0, _theme()).render(100)
        if run:  # the first one loads the grammar and the lexers
            figure.values.append((time.process_time() - begun) * 1000)
    return figure


def _tokens(start: str, tokens: Sequence[str], tui: TuiAltScreen) -> Step:
    view = Markdown(start, 1, 0, _theme())
    tui.set_layout_root(ScrollView(view, follow="end", primary=True))

    def step(number: int) -> None:
        view.set_text(view.text + tokens[number % len(tokens)])
        tui.render_now()

    return step


@cache
def _theme() -> MarkdownTheme:
    return get_markdown_theme(load_bundled_theme("dark", color_mode="truecolor"))
