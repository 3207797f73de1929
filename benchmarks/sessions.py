"""Long sessions: going on with one, the first time and later; resizing, paging up; what an entry more costs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from benchmarks.content import LAST_LINE
from benchmarks.figures import Figure
from benchmarks.program import COLUMNS, ROWS, Program
from benchmarks.workspace import Workspace
from pi_agent.llm.messages import UserMessage
from pi_agent.session.index_file import index_path
from pi_agent.session.store import SessionManager

_SUBJECT: Final = "Long sessions"
_PAGE_UP: Final = b"\x1b[5~"
_PAGES: Final = 50
_LENGTHS: Final = (100, 2_000, 10_000, 100_000)
# A session that is shorter has no index.
_FROM_HERE_INDEXED: Final = 2_000
# Until the last line in ms, and memory in MB.
_AIMS: Final = {2_000: (280, None), 10_000: (300, 70)}
_ADDED: Final = 500


def measure(workspace: Workspace, runs: int) -> list[Figure]:
    """Measure sessions that were never read, and the same again, when there is an index beside them."""
    figures: list[Figure] = []
    again: dict[int, Figure] = {}
    for entries in _LENGTHS:
        path = workspace.save_session(entries)
        first = _Opened(f"{entries:,} entries")
        later = _Opened(f"{entries:,} entries with an index", *_AIMS.get(entries, (None, None)))
        for _ in range(runs):
            index_path(path).unlink(missing_ok=True)
            with workspace.start("-c") as program:
                first.watch(program)
            with workspace.start("-c") as program:
                later.watch(program)
        figures += first.figures if entries < _FROM_HERE_INDEXED else first.figures + later.figures
        again[entries] = later.cpu
    figures.append(_ratio(again[max(_LENGTHS)], again[min(_LENGTHS)]))
    return [*figures, *_going_through(workspace, runs), *_in_process(workspace, runs)]


class _Opened:
    """What it costs until the last line of a session is on the screen."""

    def __init__(
        self, of: str, wall_aim: float | None = None, memory_aim: float | None = None
    ) -> None:
        wall = f"`pi -c` to last line, {of}"
        self.cpu = Figure(_SUBJECT, f"{wall}, CPU", "ms")
        self.figures = [
            Figure(_SUBJECT, wall, "ms", aim=wall_aim, feels_load=True),
            self.cpu,
            Figure(_SUBJECT, f"peak memory, {of}", "MB", aim=memory_aim),
        ]

    def watch(self, program: Program) -> None:
        """Take the figures of a program that has just been started."""
        shown = program.wait_for(LAST_LINE)
        program.settle(1.0)
        values = (shown.at - program.started) * 1000, shown.cpu * 1000, program.peak_mb()
        for figure, value in zip(self.figures, values, strict=True):
            figure.values.append(value)


def _ratio(long: Figure, short: Figure) -> Figure:
    values = [longer / shorter for longer, shorter in zip(long.values, short.values, strict=True)]
    return Figure(_SUBJECT, "CPU until then, the longest to the shortest", "times", values, aim=1.5)


def _going_through(workspace: Workspace, runs: int) -> list[Figure]:
    resize = Figure(_SUBJECT, "one resize, 10,000 entries, CPU", "ms", aim=10)
    page = Figure(_SUBJECT, "page up, 10,000 entries, CPU", "ms", aim=0.8)
    workspace.save_session(10_000)
    for _ in range(runs):
        with workspace.start("-c") as program:
            program.wait_for(LAST_LINE)
            program.settle(1.0)
            resize.values.append(_resize(program, COLUMNS - 10))
            page.values.append(_page_up(program))
    return [resize, page]


def _in_process(workspace: Workspace, runs: int) -> list[Figure]:
    """Measure what reads and writes sessions alone, in this process."""
    path = workspace.save_session(10_000)
    first = Figure(_SUBJECT, "reading 10,000 entries, CPU", "ms")
    later = Figure(_SUBJECT, "reading 10,000 entries with an index, CPU", "ms")
    adding = Figure(_SUBJECT, "adding an entry to 10,000, CPU", "µs")
    writes = Figure(_SUBJECT, "an entry more", "writes")
    for _ in range(runs):
        index_path(path).unlink(missing_ok=True)
        for figure in (first, later):
            begun = time.process_time()
            session = SessionManager.open(path)
            figure.values.append((time.process_time() - begun) * 1000)
            session.close()
        _add(session, adding, writes)
        session.close()
    return [first, later, adding, writes]


def _add(session: SessionManager, adding: Figure, writes: Figure) -> None:
    message = UserMessage(content="What is added to a session")
    before, begun = _writes(), time.process_time()
    for _ in range(_ADDED):
        session.append_message(message)
    adding.values.append((time.process_time() - begun) * 1_000_000 / _ADDED)
    writes.values.append((_writes() - before) / _ADDED)


def _writes() -> int:
    """Return how often this process has written, by the count of the system."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("syscw"))


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
