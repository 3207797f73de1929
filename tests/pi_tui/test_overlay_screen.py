"""Overlays on the screen: what shows, what is drawn again, and what goes wrong in them."""

from __future__ import annotations

from typing import Any

import pytest

from pi_tui.component import CURSOR_MARKER, Component, render_fake_cursor
from pi_tui.components.hstack import HStack
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import StackEntry
from pi_tui.overlay import OverlayOptions
from tests.pi_tui.overlay_screens import Field, Lines, Page, started

pytestmark = pytest.mark.anyio


def finished(tui: TuiAltScreen) -> int:
    """Return how many rows have been composed so far."""
    return tui._maker.rows_finished


async def test_what_is_focused_or_shown_last_is_on_top() -> None:
    async with started(Page(), 8, 1) as (tui, pilot):
        a = tui.show_overlay(Lines("aaaa"), width=4, col=0)
        tui.show_overlay(Lines("bbbb"), width=4, col=2)
        tui.render_now()
        assert pilot.lines() == ["aabbbb"]
        a.focus()
        tui.render_now()
        assert pilot.lines() == ["aaaabb"]
        a.set_hidden(True)
        tui.render_now()
        assert pilot.lines() == ["  bbbb"]
        a.set_hidden(False)
        tui.render_now()
        assert pilot.lines() == ["aaaabb"]


async def test_an_overlay_is_opaque_and_leaves_everything_beside_it() -> None:
    page = Page("\x1b[41mred all along the row\x1b[0m")
    async with started(page, 21, 1) as (tui, pilot):
        tui.show_overlay(Lines("a"), width=4, col=4)
        tui.render_now()
        grid = pilot.terminal.grid
        assert pilot.lines() == ["red a   along the row"]
        assert [grid.cell(x, 0).bg for x in (3, 4, 7, 8)] == ["red", "", "", "red"]


async def test_a_frame_composes_only_the_rows_of_the_overlay_that_changed() -> None:
    page = Page(*(f"row {number}" for number in range(30)))
    popup = Lines("one", "two", "three")
    async with started(page, 40, 30) as (tui, pilot):
        handle = tui.show_overlay(popup, width=10, row=5, col=5)
        tui.render_now()
        before, written = finished(tui), pilot.terminal.rows_written
        popup.lines = ["one", "2", "three"]
        tui.render_now()
        assert finished(tui) - before == 1
        assert pilot.terminal.rows_written - written == 1
        tui.render_now()
        assert finished(tui) - before == 1
        handle.hide()
        tui.render_now()
        assert finished(tui) - before == 1 + 3
        assert pilot.lines() == page.lines


async def test_scrolling_below_an_overlay_renders_neither() -> None:
    transcript = Transcript()
    for number in range(100):
        transcript.append(Text(f"entry {number}", 0, 0))
    popup = Lines("popup")
    async with started(ScrollView(transcript, primary=True), 20, 10) as (tui, pilot):
        tui.show_overlay(popup, width=5, anchor="top-right", non_capturing=True)
        tui.render_now()
        renders = popup.renders
        pilot.terminal.send(b"\x1b[6~")
        await pilot.wait_for("entry 15")
        assert pilot.lines()[0] == "entry 6        popup"
        assert popup.renders == renders


async def test_keys_that_scroll_are_left_to_a_focused_overlay() -> None:
    transcript = Transcript()
    for number in range(100):
        transcript.append(Text(f"entry {number}", 0, 0))
    popup = Lines("popup")
    async with started(ScrollView(transcript, primary=True), 20, 10) as (tui, pilot):
        tui.show_overlay(popup, width=5)
        pilot.press("pageDown")
        assert (popup.keys, tui.viewport_top) == (["pageDown"], 0)


async def test_the_caret_goes_where_the_keys_are() -> None:
    editor, dialog = Field(), Field()
    async with started(editor, 20, 6) as (tui, pilot):
        tui.set_focus(editor)
        tui.render_now()
        assert pilot.terminal.grid.cursor == (0, 1)
        handle = tui.show_overlay(dialog, width=10, row=3, col=4)
        tui.render_now()
        grid = pilot.terminal.grid
        assert grid.cursor == (4, 4)
        assert grid.cell(4, 4).inverse
        assert not grid.cell(0, 1).inverse
        handle.hide()
        tui.render_now()
        assert grid.cursor == (0, 1)
        assert [each.body for each in grid.strings] == ["7501;?"]  # asked at the start


@pytest.mark.parametrize("edge", [0, 1, 2])
async def test_a_caret_cut_by_an_overlay_reverses_nothing_else(edge: int) -> None:
    """An overlay without the keys lies over the caret, before it or right behind it."""

    class Row(Component):
        focused = True

        def render(self, width: int) -> list[str]:
            return [f"a{CURSOR_MARKER}{render_fake_cursor('日')}cdef"]

    async with started(Row(), 12, 1) as (tui, pilot):
        tui.show_overlay(Lines("##"), width=2, col=edge + 1, non_capturing=True)
        tui.render_now()
        grid = pilot.terminal.grid
        inverse = [x for x in range(12) if grid.cell(x, 0).inverse]
        assert inverse == ([], [1], [1, 2])[edge]
        assert [each.body for each in grid.strings] == ["7501;?"]  # asked at the start


async def test_an_overlay_cut_at_its_height_keeps_the_caret_in_sight() -> None:
    lines = [f"line {number}" for number in range(9)] + [f"{CURSOR_MARKER}end"]
    async with started(Page(), 20, 6) as (tui, pilot):
        tui.show_overlay(Lines(*lines), width=10, max_height=3)
        tui.render_now()
        assert [line.strip() for line in pilot.lines() if line] == ["line 7", "line 8", "end"]


async def test_an_overlay_that_divides_its_space_scrolls_inside_it() -> None:
    transcript = Transcript()
    for number in range(40):
        transcript.append(Text(f"entry {number}", 0, 0))
    view = ScrollView(transcript, follow="end")
    stack = VStack([Text("title", 0, 0), StackEntry(view, grow=1), Text("end", 0, 0)])
    async with started(Page(), 20, 8) as (tui, pilot):
        handle = tui.show_overlay(stack, width=10, max_height=5)
        tui.render_now()
        assert handle.get_bounds() is not None
        assert [line.strip() for line in pilot.lines()] == [
            "",
            "title",
            "entry 37",
            "entry 38",
            "entry 39",
            "end",
            "",
            "",
        ]


async def test_a_resize_places_overlays_anew_and_asks_whether_they_show() -> None:
    editor, dialog = Field(), Field()
    asked: list[tuple[int, int]] = []

    def fits(columns: int, rows: int) -> bool:
        asked.append((columns, rows))
        return columns >= 20

    async with started(editor, 40, 10) as (tui, pilot):
        tui.set_focus(editor)
        handle = tui.show_overlay(dialog, width="50%", anchor="bottom-right", visible=fits)
        tui.render_now()
        assert pilot.terminal.grid.cursor == (20, 9)
        pilot.resize(20, 5)
        assert pilot.terminal.grid.cursor == (10, 4)
        pilot.resize(19, 5)
        assert asked[-1] == (19, 5)
        assert handle.get_bounds() is None
        assert pilot.lines() == ["field", "x", "", "", ""]
        assert pilot.terminal.grid.cursor == (0, 1)  # the editor has the caret before any key
        pilot.resize(20, 5)
        pilot.press("a")
        assert dialog.keys == ["a"]
        assert pilot.terminal.grid.cursor == (10, 4)


async def test_a_new_theme_reaches_open_overlays() -> None:
    popup = Lines("old")
    hidden = Lines("old")
    async with started(Page(), 10, 3) as (tui, pilot):
        tui.show_overlay(popup)
        tui.show_overlay(hidden).set_hidden(True)
        tui.render_now()
        popup.lines = ["new"]
        tui.invalidate()
        tui.request_render(force=True)
        await pilot.wait_for("new")
        assert (popup.invalidated, hidden.invalidated) == (1, 1)


async def test_a_render_that_fails_costs_the_overlays_own_rows() -> None:
    class Broken(Lines):
        def render(self, width: int) -> list[str]:
            raise ValueError("no luck")

    editor = Field()
    async with started(editor, 44, 5, strict=False) as (tui, pilot):
        tui.set_focus(editor)
        broken = Broken()
        handle = tui.show_overlay(broken, anchor="bottom-left")
        tui.render_now()
        tui.render_now()
        assert pilot.lines()[-1] == "[render error: ValueError: no luck]"
        assert pilot.lines()[0] == "field"
        assert [component for component, _ in tui.problems.reports] == [broken]
        pilot.press("a")
        assert broken.keys == ["a"]
        handle.hide()
        pilot.press("b")
        assert editor.keys == ["b"]


async def test_a_row_wider_than_the_overlay_is_cut_and_reported() -> None:
    popup = Lines("日本語 and more", "\x1b]8;;http://x\x1b\\a link that goes on\x1b]8;;\x1b\\")
    async with started(Page("." * 20, "." * 20), 20, 2, strict=False) as (tui, pilot):
        tui.show_overlay(popup, width=5, row=0, col=3)
        tui.render_now()
        assert pilot.lines() == ["...日本 " + "." * 12, "...a lin" + "." * 12]
        links = [pilot.terminal.grid.cell(x, 1).link for x in (2, 3, 7, 8)]
        assert links == ["", "http://x", "http://x", ""]
        ((component, error),) = tui.problems.reports
        assert component is popup
        assert "15 cells where 5 fit" in str(error)


async def test_options_that_cannot_be_had_stay_as_they_were() -> None:
    wanted: list[object] = [OverlayOptions(width=3, row=0, col=1)]

    def options() -> OverlayOptions:
        value = wanted[0]
        if isinstance(value, Exception):
            raise value
        return value  # type: ignore[return-value]  # extensions return anything

    async with started(Page(), 10, 2, strict=False) as (tui, pilot):
        popup = Lines("###")
        tui.show_overlay(popup, options)
        tui.render_now()
        assert pilot.lines()[0] == " ###"
        wanted[0] = OverlayOptions(width=3, row=0, col=5)
        tui.render_now()
        assert pilot.lines()[0] == "     ###"
        for bad in (KeyError("gone"), {"width": 3}):
            wanted[0] = bad
            tui.render_now()
            assert pilot.lines()[0] == "     ###"
        assert [type(error) for _, error in tui.problems.reports] == [KeyError, TypeError]


@pytest.mark.parametrize(
    "fields", [{"width": ["x"]}, {"margin": "wide"}, {"anchor": None}, {"offset_x": "two"}], ids=str
)
async def test_options_of_the_wrong_kind_cost_only_themselves(fields: dict[str, Any]) -> None:
    async with started(Page(), 10, 1, strict=False) as (tui, pilot):
        tui.show_overlay(Lines("###"), **fields)
        tui.render_now()
        assert pilot.lines() == ["###"]
        assert len(tui.problems.reports) == 1
        tui.render_now()
        assert tui.is_started


async def test_parts_of_cells_are_dropped() -> None:
    halves: dict[str, Any] = {"offset_x": 2.5, "offset_y": 1.5, "width": 3.5, "row": 0, "col": 0}
    async with started(Page(), 10, 3) as (tui, pilot):
        tui.show_overlay(Lines("###"), **halves)
        tui.render_now()
        assert pilot.lines()[1] == "  ###"


async def test_an_overlay_of_columns_lies_over_wide_characters() -> None:
    columns = HStack([StackEntry(Text("左", 0, 0), basis=3), Text("right", 0, 0)], gap=1)
    async with started(Page("日本語日本語日本語", "......"), 18, 2) as (tui, pilot):
        tui.show_overlay(columns, width=9, col=3, row=0)
        tui.render_now()
        assert pilot.lines() == ["日 左 right 日本語", "......"]


async def test_who_cannot_say_whether_it_shows_is_shown() -> None:
    def visible(columns: int, rows: int) -> bool:
        raise RuntimeError("who knows")

    async with started(Page(), 10, 1, strict=False) as (tui, pilot):
        popup = Lines("###")
        tui.show_overlay(popup, visible=visible, width=3)
        tui.render_now()
        pilot.press("a")
        assert pilot.lines() == ["   ###"]
        assert popup.keys == ["a"]
        assert len(tui.problems.reports) == 1


async def test_with_the_hardware_cursor_only_a_caret_shows_it() -> None:
    editor = Field()
    async with started(editor, 20, 4, hardware=True) as (tui, _):
        tui.set_focus(editor)
        frame = tui._layout(True)
        assert frame.cursor == (0, 1)
        tui.show_overlay(Lines("no caret"))
        assert tui._layout(True).cursor is None


async def test_edges_stay_straight_where_terminals_measure_differently() -> None:
    """Behind such a character every edge is a move to its column."""
    async with started(Page("👨‍👩‍👧 and 👍🏽 here", "plain ascii text"), 20, 2) as (tui, _):
        tui.show_overlay(Lines("##", "##"), width=2, col=8)
        tui.render_now()
        first, second = tui.get_screen_lines()
        assert "\x1b[9G" in first
        assert "\x1b[11G" in first
        assert "G" not in second


async def test_a_dialog_that_has_the_keys_is_not_covered() -> None:
    """The overlay ends above it, and is whole again afterwards."""
    above, dialog = Lines("page"), Lines("question?", "answer")
    stack = VStack([StackEntry(above, basis=0, grow=1)])
    async with started(stack, 12, 6) as (tui, pilot):
        tui.show_overlay(Lines(*(f"over {n}" for n in range(6))), width=6, col=0)
        tui.render_now()
        assert pilot.lines() == [f"over {n}" for n in range(6)]
        stack.add_child(dialog, shrink=0)
        tui.set_focus(dialog)
        tui.render_now()
        assert pilot.lines() == ["over 0", "over 1", "over 2", "over 3", "question?", "answer"]
        stack.remove_child(dialog)
        tui.set_focus(above)
        tui.render_now()
        assert pilot.lines() == [f"over {n}" for n in range(6)]
