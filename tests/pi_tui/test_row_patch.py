"""What is written between two frames leaves the terminal with the second one, and is short where that pays."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pi_tui.cell_style import Cell
from pi_tui.component import CURSOR_MARKER, Component, Renderable, WideRow, render_fake_cursor
from pi_tui.emulator import GridTerminal
from pi_tui.frame import Frame, FrameMaker
from pi_tui.layout import Box, Layer
from pi_tui.row_patch import blank_row, find_moved_rows, patch_row
from pi_tui.terminal import ProcessTerminal
from tests.pi_tui.strategies import styled_lines

COLUMNS = 24
ROWS = 6
SYNC = len("\x1b[?2026h\x1b[?2026l")

# How a line may be finished: filled with blanks as texts are, or not, as single rows are.
fillings = st.sampled_from([" " * COLUMNS, ""])


class Nobody(Component):
    """Stands for whoever drew a row."""


def frame_of(lines: Sequence[str], columns: int = COLUMNS) -> Frame:
    def cut(component: Renderable, row: WideRow) -> None:
        pass  # the frame maker cuts what is too wide

    rows = len(lines)
    box = Box(Nobody(), 0, columns, rows, 0, rows, list(lines))
    return FrameMaker(cut).make([Layer(box)], columns, rows)


def row_of(line: str) -> bytes:
    return frame_of([line]).rows[0]


def cells(grid: GridTerminal) -> list[list[Cell]]:
    return [[grid.cell(x, y) for x in range(grid.columns)] for y in range(grid.rows)]


def drawn(rows: Sequence[bytes]) -> GridTerminal:
    """Return a terminal on which the rows were written whole."""
    grid = GridTerminal(COLUMNS, len(rows))
    grid.write("\x1b[?7l")
    for y, row in enumerate(rows):
        grid.write(f"\x1b[{y + 1};1H".encode() + row)
    return grid


@given(styled_lines, styled_lines, styled_lines, styled_lines, fillings)
@example("aa", "e", "\u0301bb", "", " " * COLUMNS)
@example("ab", "", "c", "\x1b[31m", " " * COLUMNS)
@example("\x1b[7m", "", " ", "x", "")
@example("日", "x", "", "y", " " * COLUMNS)
@settings(max_examples=200)
def test_a_patched_row_looks_like_the_new_one(
    start: str, old: str, new: str, end: str, filling: str
) -> None:
    one, other = row_of(start + old + end + filling), row_of(start + new + end + filling)
    grid = drawn([one])
    patch = patch_row(one, other)
    grid.write(f"\x1b[1;{patch.column + 1}H".encode() + patch.data)
    assert cells(grid) == cells(drawn([other]))
    if patch.end is not None and patch.end < COLUMNS:
        assert grid.cursor == (patch.end, 0)


def test_a_typed_letter_costs_the_letter_and_the_caret() -> None:
    old = row_of(" hello" + render_fake_cursor(" ") + " " * 17)
    new = row_of(" hello!" + render_fake_cursor(" ") + " " * 16)
    patch = patch_row(old, new)
    assert patch.column == 6
    assert patch.data == b"!\x1b[7m \x1b[27m"


def test_what_follows_characters_of_uncertain_width_is_written_to_the_end_of_the_row() -> None:
    patch = patch_row(row_of("☀️ sun and rain"), row_of("☀️ sun and wind"))
    assert patch.column == 0
    patch = patch_row(row_of("rain ☀️ sun" + " " * 9), row_of("rain ☀️ son" + " " * 9))
    assert patch.column < len("rain ☀️ s")
    assert patch.end is None


def test_rows_that_moved_up_are_scrolled() -> None:
    old = [row_of(f"line {number}") for number in range(ROWS)]
    moved = find_moved_rows(old, [*old[2:5], *map(row_of, ("new", "rows")), old[5]])
    assert moved is not None
    assert moved == (0, 5, 2)
    grid = drawn(old)
    grid.write(moved.sequence())
    assert grid.lines() == ["line 2", "line 3", "line 4", "", "", "line 5"]
    assert cells(grid) == cells(drawn(moved.rows_after(old, blank_row(COLUMNS))))


def test_rows_that_moved_down_are_scrolled() -> None:
    old = [row_of(f"line {number}") for number in range(ROWS)]
    moved = find_moved_rows(old, [old[0], *map(row_of, ("new", "rows")), *old[1:4]])
    assert moved == (1, 6, -2)
    grid = drawn(old)
    grid.write(moved.sequence())
    assert grid.lines() == ["line 0", "", "", "line 1", "line 2", "line 3"]
    assert cells(grid) == cells(drawn(moved.rows_after(old, blank_row(COLUMNS))))


def test_a_few_changed_rows_are_not_scrolled() -> None:
    old = [row_of(f"line {number}") for number in range(ROWS)]
    assert find_moved_rows(old, old) is None
    assert find_moved_rows(old, [row_of("other"), *old[1:]]) is None
    assert find_moved_rows(old, [*map(row_of, "abcdef")]) is None


# Documents with rows that come twice, of which a window is shown; the window moves and rows change.
documents = st.lists(st.one_of(styled_lines, st.sampled_from(["", "}", "x"])), min_size=ROWS + 4)
steps = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(0, 30), styled_lines), min_size=1, max_size=6
)


@given(documents, steps, fillings)
@example(["}"] * 20, [(1, 3, "a"), (1, 3, "a"), (1, 3, "b"), (1, 4, "a")], " " * COLUMNS)
@example([*"xyabcd", *[""] * 8], [(2, 99, "")], " " * COLUMNS)
@settings(max_examples=100)
def test_the_terminal_shows_every_frame(
    document: list[str], moves: list[tuple[int, int, str]], filling: str
) -> None:
    lines, top = list(document), 0
    frames = [lines[:ROWS]]
    for move, number, line in moves:
        lines[number % len(lines)] = line
        top = min(max(0, top + move), len(lines) - ROWS)
        frames.append(lines[top : top + ROWS])
    finished = [frame_of([line + filling for line in frame]) for frame in frames]
    for frame, shown in zip(finished, asyncio.run(shown_by_terminal(finished)), strict=True):
        assert shown == cells(drawn(frame.rows))


def test_a_key_costs_few_bytes_and_the_cursor_is_where_the_caret_is() -> None:
    def frame(text: str) -> Frame:
        editor = f" {text}{CURSOR_MARKER}{render_fake_cursor(' ')}".ljust(80)
        return frame_of(["─" * 40, editor, "─" * 40], 40)

    async def type_letters() -> list[tuple[int, tuple[int, int]]]:
        costs = []
        grid = GridTerminal(40, 3)
        with started() as (terminal, written):
            for length in range(8, 20):
                terminal.draw(frame("x" * length), False)
                grid.write(data := written())
                costs.append((len(data), grid.cursor))
        return costs

    costs = asyncio.run(type_letters())
    assert [cursor for _, cursor in costs] == [(1 + length, 1) for length in range(8, 20)]
    assert max(size for size, _ in costs[1:]) <= SYNC + len("\x1b[2;10Hx\x1b[7m \x1b[27m\b")


def test_an_answer_that_scrolls_costs_about_its_own_text() -> None:
    text = [f"word {number:>4} of an answer" for number in range(200)]

    async def stream() -> int:
        size = 0
        with started() as (terminal, written):
            for end in range(20, 200):
                terminal.draw(frame_of(text[end - 20 : end], 40), False)
                size += len(written())
        return size

    assert asyncio.run(stream()) < 180 * (SYNC + len(text[0]) + 40) + 20 * 60


@pytest.mark.parametrize("count", [1, 2])
def test_a_forgotten_frame_is_written_whole(count: int) -> None:
    frames = [frame_of(["one", "two"]), frame_of(["one", "two!"])][:count]

    async def draw() -> bytes:
        with started() as (terminal, written):
            for frame in frames:
                terminal.draw(frame, False)
            written()
            terminal.forget_frame()
            terminal.draw(frames[-1], False)
            return written()

    assert re.findall(rb"one|two", asyncio.run(draw())) == [b"one", b"two"]


async def shown_by_terminal(frames: Sequence[Frame]) -> list[list[list[Cell]]]:
    """Draw frames on a pseudo-terminal; return what it shows after each."""
    shown = []
    grid = GridTerminal(frames[0].columns, len(frames[0].rows))
    grid.write("\x1b[?7l")
    with started() as (terminal, written):
        for frame in frames:
            terminal.draw(frame, False)
            grid.write(written())
            shown.append(cells(grid))
    return shown


@contextmanager
def started() -> Iterator[tuple[ProcessTerminal, Callable[[], bytes]]]:
    """Start a terminal; yield it with a function that returns what was written since it was last called."""
    master, slave = os.openpty()
    os.set_blocking(master, False)

    def written() -> bytes:
        data = b""
        while True:
            try:
                data += os.read(master, 65536)
            except BlockingIOError:
                return data

    with open(slave) as file:
        terminal = ProcessTerminal(file, file, {})
        terminal.start(lambda data: None, lambda: None, lambda: None, lambda: None)
        try:
            yield terminal, written
        finally:
            terminal.stop("")
            os.close(master)
