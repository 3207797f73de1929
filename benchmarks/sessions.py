"""Long sessions: going on with one, changing the size of the terminal, paging up."""

from __future__ import annotations

from typing import Final

from benchmarks.content import LAST_LINE
from benchmarks.figures import Figure
from benchmarks.program import COLUMNS, ROWS, Program
from benchmarks.workspace import Workspace

_SUBJECT: Final = "Long sessions"
_PAGE_UP: Final = b"\x1b[5~"
_PAGES: Final = 50


def measure(workspace: Workspace, runs: int) -> list[Figure]:
    """Measure sessions of 2,000 and of 10,000 entries."""
    short = _resume_figures(2_000, wall_aim=280, memory_aim=None)
    long = _resume_figures(10_000, wall_aim=300, memory_aim=70)
    resize = Figure(_SUBJECT, "one resize, 10,000 entries, CPU", "ms", aim=10)
    page = Figure(_SUBJECT, "page up, 10,000 entries, CPU", "ms", aim=0.8)
    for _ in range(runs):
        with workspace.resume(2_000) as program:
            _resume(program, short)
        with workspace.resume(10_000) as program:
            _resume(program, long)
            resize.values.append(_resize(program, COLUMNS - 10))
            page.values.append(_page_up(program))
    return [*short, *long, resize, page]


def _resume_figures(entries: int, wall_aim: float, memory_aim: float | None) -> list[Figure]:
    of = f"{entries:,} entries"
    return [
        Figure(_SUBJECT, f"`pi -c` to last line, {of}", "ms", aim=wall_aim, feels_load=True),
        Figure(_SUBJECT, f"`pi -c` to last line, {of}, CPU", "ms"),
        Figure(_SUBJECT, f"peak memory, {of}", "MB", aim=memory_aim),
    ]


def _resume(program: Program, figures: list[Figure]) -> None:
    shown = program.wait_for(LAST_LINE)
    program.settle(1.0)
    values = (shown.at - program.started) * 1000, shown.cpu * 1000, program.peak_mb()
    for figure, value in zip(figures, values, strict=True):
        figure.values.append(value)


def _resize(program: Program, columns: int) -> float:
    before = program.cpu()
    program.resize(columns, ROWS)
    program.wait_for_frame()
    program.settle(0.3)
    return (program.cpu() - before) * 1000


def _page_up(program: Program) -> float:
    before = program.cpu()
    for _ in range(_PAGES):
        program.send(_PAGE_UP)
        program.wait_for_frame()
    program.settle(0.3)
    return (program.cpu() - before) * 1000 / _PAGES
