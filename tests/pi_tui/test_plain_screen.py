"""Plain mode: what is written stays, in the order in which it came to rest, and nothing is drawn around it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given

from pi_agent.resources.themes import load_bundled_theme
from pi_tui.components.loader import Loader
from pi_tui.components.markdown import Markdown
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.layout import StackEntry
from pi_tui.markdown_theme import get_markdown_theme
from pi_tui.plain_screen import TuiPlainScreen
from pi_tui.plain_text import plain_row
from pi_tui.testing import HeadlessTerminal, Pilot
from pi_tui.width import visible_width
from tests.pi_tui.strategies import plain_texts
from tests.pi_tui.test_regular import Prompt, Rows

pytestmark = pytest.mark.anyio

DRAWN = re.compile("[─-▟⠀-⣿]")


class Listening:
    """A program with a document and a prompt, and all that its terminal was written."""

    def __init__(self, columns: int, rows: int, rest_seconds: float) -> None:
        self.terminal = HeadlessTerminal(columns, rows)
        self.terminal.grid.write("$ program\r\n")
        self.tui = TuiPlainScreen(self.terminal, strict=True, environ={}, rest_seconds=rest_seconds)
        self.document = Transcript()
        self.prompt = Prompt()
        view = ScrollView(self.document, follow="end", primary=True)
        self.root = VStack([StackEntry(view, basis=0, grow=1, min_size=1), self.prompt])
        self.tui.set_layout_root(self.root)
        self.tui.set_focus(self.prompt)
        self.pilot = Pilot(self.tui, self.terminal)

    def add(self, *rows: str) -> Rows:
        entry = Rows(*rows)
        self.document.append(entry)
        self.tui.render_now()
        return entry

    def change(self, entry: Rows, *rows: str) -> None:
        entry.rows = list(rows)
        self.tui.render_now()

    def heard(self) -> list[str]:
        """Return all rows of the terminal, without blank ones."""
        grid = self.terminal.grid
        return [row for row in (*grid.scrollback, *grid.lines()) if row.strip()]


@asynccontextmanager
async def plain(
    columns: int = 40, rows: int = 8, rest_seconds: float = 0.0
) -> AsyncIterator[Listening]:
    program = Listening(columns, rows, rest_seconds)
    program.tui.start()
    program.tui.render_now()
    try:
        yield program
    finally:
        program.tui.stop()


async def test_what_is_added_follows_what_was_there_above_the_prompt() -> None:
    async with plain() as program:
        for number in range(20):
            program.add(f"entry {number}")
        program.pilot.type("typed")
        entries = [f"entry {number}" for number in range(20)]
        assert program.heard() == ["$ program", *entries, "> typed"]


async def test_a_row_that_changes_is_written_again_from_where_it_differs() -> None:
    async with plain() as program:
        entry = program.add("$ make", "running")
        program.add("after")
        program.change(entry, "$ make", "done", "took 3s")
        assert program.heard()[1:] == ["$ make", "running", "after", "done", "took 3s", ">"]


async def test_a_row_waits_until_it_stands_still_and_so_do_those_after_it() -> None:
    async with plain(rest_seconds=0.05) as program:
        entry = program.add("title", "1 second")
        await program.pilot.wait_for("1 second")
        program.change(entry, "title", "2 seconds")
        program.add("after")
        assert program.heard()[1:] == ["title", "1 second", ">"]
        program.change(entry, "title", "3 seconds")
        await program.pilot.wait_for("after")
        assert program.heard()[1:] == ["title", "1 second", "3 seconds", "after", ">"]


async def test_the_end_writes_what_still_waits() -> None:
    async with plain(rest_seconds=60) as program:
        program.add("the last word")
        assert "the last word" not in program.heard()
    assert program.heard()[1:] == ["the last word", ">"]


async def test_nothing_that_was_written_is_cleared() -> None:
    async with plain(rows=6) as program:
        for number in range(10):
            program.add(f"entry {number}")
        before = program.heard()
        program.tui.invalidate()
        program.tui.request_render(force=True)
        program.tui.render_now(force=True)
        program.document.clear()
        program.tui.render_now()
        assert program.heard() == before
        assert program.tui.full_redraws == 0
        program.pilot.resize(30, 5)
        program.add("more")
        assert program.heard()[: len(before) - 1] == before[:-1]
        assert program.heard()[-2:] == ["more", ">"]


async def test_a_long_document_begins_with_its_end() -> None:
    program = Listening(40, 8, 0.0)
    entries = [Rows(f"entry {number}") for number in range(10_000)]
    for entry in entries:
        program.document.append(entry)
    program.tui.start()
    program.tui.render_now()
    assert program.heard()[1:3] == ["... (9936 earlier entries)", "entry 9936"]
    assert sum(entry.renders for entry in entries[:9936]) == 0
    program.tui.stop()


async def test_nothing_of_a_fast_log_is_lost_or_waits_for_it_to_rest() -> None:
    wanted = [f"entry {number}" for number in range(400)]
    async with plain(rest_seconds=3600.0) as program:
        for at in [*range(0, 200, 20), 200]:  # 20 entries a frame, then 200 between two frames
            for text in wanted[at : at + 20 if at < 200 else 400]:
                program.document.append(Rows(text))
            program.tui.render_now()
        heard = program.heard()
    assert heard[1:-1] == wanted[:336]
    assert program.heard()[1:-1] == wanted


async def test_the_terminals_own_cursor_is_where_one_types() -> None:
    async with plain() as program:
        program.add("entry")
        program.pilot.type("日本")
        grid = program.terminal.grid
        assert grid.cursor_visible
        assert grid.lines()[grid.cursor[1]] == "> 日本"
        assert grid.cursor[0] == 6
        cells = [grid.cell(x, y) for y in range(grid.rows) for x in range(grid.columns)]
        assert not any(cell.inverse for cell in cells)


async def test_lines_boxes_and_spinners_are_left_out() -> None:
    async with plain(rows=12) as program:
        theme = load_bundled_theme("dark", color_mode="truecolor")
        table = "| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n---\n\ntext"
        program.document.append(Markdown(table, 1, 0, get_markdown_theme(theme)))
        loader = Loader(program.tui, str, str, "Loading")
        program.root.add_child(loader)
        program.root.add_child(Text("─" * 20, 0, 0))
        program.tui.render_now()
        heard = program.heard()
        assert not DRAWN.search("\n".join(heard))
        words = [word for row in heard[1:] for word in row.split()]
        assert words == ["a", "b", "1", "2", "quoted", "text", ">", "Loading"]
        loader.dispose()


async def test_blank_rows_are_one() -> None:
    async with plain() as program:
        program.add("one", "", "", "───", "", "two")
        lines = program.terminal.grid.lines()
        assert lines[lines.index("one") :][:3] == ["one", "", "two"]


async def test_an_overlay_comes_below_and_goes_without_a_trace() -> None:
    async with plain(rows=10) as program:
        program.add("entry")
        overlay = program.tui.show_overlay(Text("┌──┐\n│ question │", 0, 0), width=20)
        program.tui.render_now()
        assert program.heard()[1:] == ["entry", ">", "  question"]
        overlay.hide()
        program.tui.render_now()
        assert program.heard()[1:] == ["entry", ">"]


async def test_what_is_larger_than_the_screen_leaves_what_was_written() -> None:
    async with plain(rows=5) as program:
        for number in range(8):
            program.add(f"entry {number}")
        overlay = program.tui.show_overlay(Text("\n".join("abcdefgh"), 0, 0), width=20)
        program.tui.render_now()
        overlay.hide()
        program.tui.render_now()
        program.add("more")
        entries = [f"entry {number}" for number in range(8)]
        assert program.heard() == ["$ program", *entries, "more", ">"]


async def test_a_program_without_a_layout_types_at_its_end() -> None:
    terminal = HeadlessTerminal(40, 8)
    tui = TuiPlainScreen(terminal, strict=True, environ={}, rest_seconds=0.0)
    prompt = Prompt()
    tui.add_child(Text("hello", 0, 0))
    tui.add_child(prompt)
    tui.set_focus(prompt)
    tui.start()
    pilot = Pilot(tui, terminal)
    pilot.type("abc")
    assert [row for row in pilot.lines() if row] == ["hello", "> abc"]
    tui.stop()


@given(plain_texts)
def test_a_row_stays_as_wide_as_it_was(text: str) -> None:
    row = f"│{text}─⠋█"
    assert visible_width(plain_row(row)) == visible_width(row)
    assert not DRAWN.search(plain_row(row))
    assert plain_row(text) == DRAWN.sub(" ", text)
