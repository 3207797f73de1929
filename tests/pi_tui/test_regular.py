"""Regular mode on a terminal in memory: what is on the screen and in the scrollback is the document, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import CURSOR_MARKER, Component, render_fake_cursor
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.transcript import Transcript
from pi_tui.emulator import GridTerminal
from pi_tui.events import KeyEvent
from pi_tui.layout import StackEntry
from pi_tui.regular import TuiMainScreen
from pi_tui.testing import HeadlessTerminal, Pilot

pytestmark = pytest.mark.anyio

SHELL = ["$ ls", "notes.txt", "$ program"]


class Rows(Component):
    """Shows the rows that a test gives it; counts how often it is asked."""

    def __init__(self, *rows: str) -> None:
        self.rows = list(rows)
        self.renders = 0

    def render(self, width: int) -> list[str]:
        self.renders += 1
        return self.rows


class Prompt(Component):
    """One line to type in."""

    def __init__(self) -> None:
        self.focused = False
        self.text = ""

    def handle_key(self, event: KeyEvent) -> bool:
        self.text += event.text or ""
        return True

    def render(self, width: int) -> list[str]:
        return [f"> {self.text}{CURSOR_MARKER}{render_fake_cursor(' ')}"]


class Screen:
    """A program with a document and a prompt under it, started below what a shell has printed."""

    def __init__(self, columns: int, rows: int, clear_on_shrink: bool | None = None) -> None:
        self.terminal = HeadlessTerminal(columns, rows)
        self.terminal.grid.write("\r\n".join(SHELL) + "\r\n")
        self.document = Transcript()
        self.prompt = Prompt()
        self.tui = TuiMainScreen(
            self.terminal, strict=True, environ={}, clear_on_shrink=clear_on_shrink
        )
        view = ScrollView(self.document, follow="end", primary=True)
        self.root = VStack([StackEntry(view, basis=0, grow=1, min_size=1), self.prompt])
        self.tui.set_layout_root(self.root)
        self.tui.set_focus(self.prompt)
        self.pilot = Pilot(self.tui, self.terminal)

    @property
    def grid(self) -> GridTerminal:
        return self.terminal.grid

    def add(self, *rows: str) -> Rows:
        entry = Rows(*rows)
        self.document.append(entry)
        self.tui.render_now()
        return entry

    def all_rows(self) -> list[str]:
        """Return what one can scroll through, without the blank rows at its end."""
        rows = [*self.grid.scrollback, *self.grid.lines()]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    def expected(self) -> list[str]:
        """Return the document as it is without a screen."""
        rows = [row for entry in self.document.entries for row in entry.render(80)]
        return [*rows, f"> {self.prompt.text}".rstrip()]

    def written_by(self, *key_ids: str) -> int:
        """Press keys; return how many bytes the program wrote for it."""
        before = self.grid.bytes_written
        self.pilot.press(*key_ids)
        return self.grid.bytes_written - before


@asynccontextmanager
async def shown(columns: int = 30, rows: int = 10, **options: bool) -> AsyncIterator[Screen]:
    screen = Screen(columns, rows, **options)
    screen.tui.start()
    screen.tui.render_now()
    try:
        yield screen
    finally:
        screen.tui.stop()


async def test_the_program_begins_below_the_prompt_and_clears_nothing() -> None:
    async with shown() as screen:
        screen.add("one", "two")
        assert screen.grid.lines()[:6] == [*SHELL, "one", "two", ">"]
        assert not screen.grid.alternate_screen


async def test_it_begins_on_a_row_of_its_own() -> None:
    screen = Screen(30, 10)
    screen.grid.write("no newline at the end")
    screen.tui.start()
    screen.tui.render_now()
    assert screen.grid.lines()[:5] == [*SHELL, "no newline at the end", ">"]
    screen.tui.stop()


async def test_growth_scrolls_and_each_row_is_there_once() -> None:
    async with shown() as screen:
        for number in range(40):
            screen.add(f"row {number}")
            assert screen.all_rows() == [*SHELL, *screen.expected()]
        assert screen.grid.lines()[-1] == ">"
        assert screen.tui.full_redraws == 0


async def test_many_rows_at_once_are_more_than_the_screen_holds() -> None:
    async with shown() as screen:
        screen.add(*(f"row {number}" for number in range(95)))
        assert screen.all_rows() == [*SHELL, *screen.expected()]


async def test_content_that_shrinks_leaves_nothing_behind_and_grows_into_the_blank_rows() -> None:
    async with shown() as screen:
        screen.add(*(f"row {number}" for number in range(20)))
        menu = screen.add("menu 1", "menu 2", "menu 3")
        screen.document.remove(menu)
        screen.tui.render_now()
        assert screen.all_rows() == [*SHELL, *screen.expected()]
        assert screen.grid.lines()[-3:] == ["", "", ""]
        screen.add("new 1", "new 2", "new 3", "new 4")
        assert screen.all_rows() == [*SHELL, *screen.expected()]
        assert screen.grid.lines()[-1] == ">"
        assert screen.tui.full_redraws == 0


async def test_content_may_shrink_to_nothing() -> None:
    async with shown() as screen:
        screen.add(*(f"row {number}" for number in range(30)))
        screen.document.clear()
        screen.tui.render_now()
        assert screen.all_rows() == screen.expected()
        screen.add("again")
        assert screen.all_rows() == screen.expected()


async def test_on_request_shrinking_leaves_no_blank_rows() -> None:
    async with shown(clear_on_shrink=True) as screen:
        screen.add(*(f"row {number}" for number in range(20)))
        menu = screen.add("menu 1", "menu 2")
        screen.document.remove(menu)
        screen.tui.render_now()
        assert screen.all_rows() == screen.expected()
        assert screen.grid.lines()[-1] == ">"
        assert screen.tui.full_redraws == 1


async def test_a_change_on_the_screen_touches_its_row_only() -> None:
    async with shown() as screen:
        screen.add(*(f"row {number}" for number in range(20)))
        entry = screen.add("a" * 20, "b" * 20)
        before = screen.grid.bytes_written
        entry.rows = ["a" * 20, "b" * 19 + "c"]
        screen.tui.render_now()
        assert screen.grid.bytes_written - before < 60
        assert screen.all_rows() == [*SHELL, *screen.expected()]


async def test_nothing_changed_writes_nothing() -> None:
    async with shown() as screen:
        screen.add(*(f"row {number}" for number in range(20)))
        before = screen.grid.bytes_written
        screen.tui.render_now()
        assert screen.grid.bytes_written == before


async def test_a_key_writes_few_bytes() -> None:
    async with shown(columns=100, rows=30) as screen:
        screen.add(*("x" * 90 for number in range(100)))
        assert max(screen.written_by(key) for key in "hello, world") < 100
        assert screen.grid.frames > 0


async def test_a_change_above_the_screen_is_seen_when_one_scrolls_up() -> None:
    async with shown() as screen:
        first = screen.add("running")
        screen.add(*(f"row {number}" for number in range(30)))
        first.rows = ["done", "in 3 s"]
        screen.tui.render_now()
        assert screen.all_rows() == screen.expected()
        assert screen.tui.full_redraws == 1


async def test_what_changes_again_and_again_above_the_screen_is_written_anew_when_it_is_calm() -> (
    None
):
    async with shown() as screen:
        first = screen.add("0 s")
        screen.add(*(f"row {number}" for number in range(30)))
        for seconds in range(1, 20):
            first.rows = [f"{seconds} s"]
            screen.tui.render_now()
            assert screen.grid.lines() == screen.expected()[-10:]
        assert screen.tui.full_redraws == 1
        assert screen.tui.is_scrollback_stale
        screen.tui.stop()
        assert screen.all_rows() == screen.expected()


async def test_another_width_writes_everything_anew() -> None:
    async with shown() as screen:
        screen.add(*(f"row {number} " + "x" * 10 for number in range(30)))
        screen.pilot.resize(24, 10)
        assert screen.all_rows() == screen.expected()
        screen.pilot.resize(24, 6)
        assert screen.all_rows() == screen.expected()
        assert screen.tui.full_redraws == 2


async def test_a_keyboard_that_comes_and_goes_writes_nothing_anew() -> None:
    screen = Screen(30, 12)
    screen.tui._environ = {"TERMUX_VERSION": "0.118"}
    screen.tui.start()
    screen.add(*(f"row {number}" for number in range(30)))
    for rows in (5, 12, 7, 9, 12):
        screen.pilot.resize(30, rows)
        screen.add(f"at {rows}")
        assert screen.all_rows() == [*SHELL, *screen.expected()]
    assert screen.tui.full_redraws == 0
    screen.tui.stop()


async def test_an_overlay_lies_over_the_screen_and_leaves_no_trace_in_the_scrollback() -> None:
    async with shown() as screen:
        screen.add("one")
        handle = screen.tui.show_overlay(Rows("[box]"), width=5, anchor="top-right")
        screen.tui.render_now()
        assert screen.grid.lines()[0] == "one                      [box]"
        for number in range(30):
            screen.add(f"row {number}")
            assert sum("[box]" in row for row in screen.grid.lines()) == 1
            assert not any("[box]" in row for row in screen.grid.scrollback)
        handle.hide()
        screen.tui.render_now()
        assert screen.all_rows() == [*SHELL, *screen.expected()]
        assert screen.tui.full_redraws == 0


async def test_an_overlay_leaves_a_dialog_that_has_the_keys_in_its_place_in_sight() -> None:
    async with shown() as screen:
        for number in range(20):
            screen.add(f"row {number}")
        screen.tui.show_overlay(Rows(*["[box]"] * 30), width=5)
        screen.tui.render_now()
        assert screen.grid.lines()[-1].endswith("[box]")
        dialog = Prompt()
        screen.root.add_child(dialog, shrink=0)
        screen.tui.set_focus(dialog)
        screen.tui.render_now()
        assert screen.grid.lines()[-1] == ">"
        assert "[box]" in screen.grid.lines()[0]


async def test_the_work_of_a_frame_does_not_follow_the_document() -> None:
    counts = []
    for size in (100, 10_000):
        async with shown() as screen:
            for number in range(size):
                screen.document.append(Rows(f"row {number}"))
            screen.tui.render_now()
            screen.add("settled")
            entries = [entry for entry in screen.document.entries if isinstance(entry, Rows)]
            before = sum(entry.renders for entry in entries)
            finished = screen.tui._maker.rows_finished
            written = screen.written_by("x")
            counts.append(
                (
                    sum(entry.renders for entry in entries) - before,
                    screen.tui._maker.rows_finished - finished,
                    written,
                )
            )
    few, many = counts
    assert many[0] <= max(few[0], 130)
    assert many[1:] == few[1:]


async def test_a_finished_entry_is_written_once() -> None:
    async with shown() as screen:
        for number in range(300):
            screen.document.append(Rows(f"row {number}"))
            screen.tui.render_now()
        total = sum(entry.renders for entry in screen.document.entries if isinstance(entry, Rows))
        assert total < 300 * 140
        assert screen.all_rows() == [*SHELL, *screen.expected()]
        assert screen.grid.bytes_written < 300 * 150


async def test_a_long_document_begins_with_its_last_rows() -> None:
    screen = Screen(30, 10)
    for number in range(5000):
        screen.document.append(Rows(f"row {number}"))
    screen.tui.start()
    screen.tui.render_now()
    renders = sum(entry.renders for entry in screen.document.entries if isinstance(entry, Rows))
    assert renders < 2 * 2100
    assert screen.all_rows() == [*SHELL, "... (3001 earlier rows)", *screen.expected()[-2000:]]
    screen.tui.stop()


async def test_the_cursor_is_where_one_types() -> None:
    async with shown() as screen:
        screen.add(*(f"row {number}" for number in range(20)))
        screen.pilot.type("日本")
        assert screen.grid.cursor == (6, 9)
        assert not screen.grid.cursor_visible
        screen.tui.set_show_hardware_cursor(True)
        screen.tui.render_now()
        assert screen.grid.cursor_visible
        assert screen.grid.cursor == (6, 9)
        assert screen.tui.full_redraws == 0


async def test_leaving_puts_the_shell_below_the_last_row() -> None:
    screen = Screen(30, 10)
    screen.tui.start()
    screen.add(*(f"row {number}" for number in range(20)))
    screen.document.append(Rows("said at the end"))
    screen.tui.request_render()
    screen.tui.stop()
    screen.grid.write("$ ")
    assert screen.all_rows() == [*SHELL, *screen.expected(), "$"]
    assert screen.grid.modes == {7, 25}


async def test_it_can_be_started_again_below() -> None:
    screen = Screen(30, 10)
    for _ in range(2):
        screen.tui.start()
        screen.tui.render_now()
        screen.tui.stop()
    assert screen.all_rows() == [*SHELL, ">", ">"]


async def test_another_program_may_have_the_terminal_in_between() -> None:
    async with shown() as screen:
        screen.add(*(f"row {number}" for number in range(20)))
        screen.pilot.type("draft")
        with screen.tui.terminal_lent():
            screen.grid.write("\x1b[?1049h\x1b[2J\x1b[Han editor\x1b[?1049l")
        screen.prompt.text += " edited"
        screen.tui.render_now()
        assert screen.all_rows() == [*SHELL, *screen.expected()]
        assert screen.tui.full_redraws == 0


async def test_a_theme_recolours_what_has_scrolled_off() -> None:
    async with shown() as screen:
        rows = [screen.add("old") for _ in range(30)]
        for row in rows:
            row.rows = ["new"]
        screen.tui.invalidate()
        screen.tui.request_render(force=True)
        await asyncio.sleep(0)
        screen.tui.render_now()
        assert screen.all_rows() == screen.expected()


async def test_a_theme_for_a_document_that_is_all_on_the_screen_clears_nothing() -> None:
    async with shown() as screen:
        row = screen.add("old")
        row.rows = ["new"]
        screen.tui.invalidate()
        screen.tui.render_now(force=True)
        assert screen.all_rows() == [*SHELL, "new", ">"]


async def test_without_a_layout_root_the_children_are_the_document() -> None:
    terminal = HeadlessTerminal(20, 4)
    tui = TuiMainScreen(terminal, strict=True, environ={})
    children = [Rows(f"child {number}") for number in range(9)]
    for child in children:
        tui.add_child(child)
    tui.start()
    tui.render_now()
    assert [*terminal.grid.scrollback, *terminal.grid.lines()] == [
        f"child {number}" for number in range(9)
    ]
    children[0].rows = ["changed"]
    tui.render_now()
    assert terminal.grid.scrollback[0] == "changed"
    assert tui.full_redraws == 1
    tui.stop()


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 1), (5, 3)])
async def test_tiny_terminals(columns: int, rows: int) -> None:
    screen = Screen(columns, rows)
    screen.tui.problems.strict = False
    screen.tui.start()
    for number in range(5):
        screen.add(f"row {number}", "日本")
        screen.pilot.type("x")
    screen.pilot.resize(30, 10)
    assert screen.all_rows() == screen.expected()
    screen.tui.stop()


_TEXTS = st.lists(st.text("ab日é ", max_size=12).map(str.rstrip), max_size=7)
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), _TEXTS),
        st.tuples(st.just("change last"), _TEXTS),
        st.tuples(st.just("change any"), _TEXTS),
        st.tuples(st.just("remove last"), st.just([])),
        st.tuples(st.just("type"), st.just([])),
        st.tuples(st.just("overlay"), _TEXTS),
        st.tuples(st.just("hide"), st.just([])),
        st.tuples(st.just("resize"), st.just([])),
    ),
    max_size=25,
)


@given(_STEPS, st.integers(2, 9), st.integers(0, 3))
@settings(max_examples=150)
async def test_whatever_happens_the_screen_and_the_scrollback_are_the_document(
    steps: list[tuple[str, list[str]]], rows: int, seed: int
) -> None:
    async with shown(columns=30, rows=rows) as screen:
        overlay = None
        for number, (step, texts) in enumerate(steps):
            entries = screen.document.entries
            match step:
                case "append":
                    screen.document.append(Rows(*texts))
                case "change last" if entries:
                    last = entries[-1]
                    assert isinstance(last, Rows)
                    last.rows = list(texts)
                case "change any" if entries:
                    entry = entries[(number * 7 + seed) % len(entries)]
                    assert isinstance(entry, Rows)
                    entry.rows = list(texts)
                case "remove last" if entries:
                    screen.document.remove(entries[-1])
                case "type":
                    screen.pilot.type("x")
                case "overlay" if overlay is None:
                    box = Rows(*(text[:2] for text in texts))
                    overlay = screen.tui.show_overlay(box, width=4, non_capturing=True)
                case "resize":
                    screen.terminal.resize(30 + number % 2, 2 + (rows + number * 5 + seed) % 11)
                case "hide" if overlay is not None:
                    overlay.hide()
                    overlay = None
            screen.tui.render_now()
            if overlay is None and not screen.tui.is_scrollback_stale:
                found, wanted = screen.all_rows(), screen.expected()
                assert found[-len(wanted) :] == wanted
                assert found[: -len(wanted)] == SHELL[: len(found) - len(wanted)]
            screen.tui._repair._last = float("-inf")
