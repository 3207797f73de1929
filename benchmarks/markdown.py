"""Markdown in this process: a document once, and what is added to long answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import cache, partial
from typing import Final

from benchmarks.content import markdown, prose
from benchmarks.figures import Figure
from benchmarks.toolkit import Step, frames
from pi_agent.resources.themes import load_bundled_theme
from pi_tui.components.markdown import Markdown
from pi_tui.components.scroll_view import ScrollView
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.markdown_theme import MarkdownTheme, get_markdown_theme

_SUBJECT: Final = "Markdown, CPU in one process"
_STEPS: Final = 50

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

# How a long answer begins, and the tokens that are added to it, over and over.
_GROWING: Final = (
    ("a paragraph of 20 lines", "some **bold** words and `code`, going on\n" * 20, _WORDS),
    ("code of 2,000 lines", f"```python\n{_CODE}", _CODE_WORDS),
    ("a list of 500 items", f"{_ITEMS}- last ", _WORDS),
    ("a table of 200 rows", f"| Name | Meaning |\n|---|---|\n{_ROWS}", _CELLS),
)


def measure(runs: int) -> list[Figure]:
    """Measure documents and tokens."""
    return asyncio.run(_measure(runs))


async def _measure(runs: int) -> list[Figure]:
    return [
        _once("200 paragraphs, once", _PARAGRAPHS, runs, aim=30),
        _once("200 blocks of all kinds, once", markdown(200), runs),
        *(
            frames(name, partial(_tokens, text, tokens), _STEPS, runs, aim=3, subject=_SUBJECT)
            for name, text, tokens in _GROWING
        ),
    ]


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
