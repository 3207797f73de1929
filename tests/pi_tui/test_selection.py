"""Selecting with the mouse: what is painted is what is copied, and it stays on its text."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.components.text import Text
from pi_tui.emulator import GridTerminal
from pi_tui.paint import Mark, paint_mark
from pi_tui.selection import unit_columns
from pi_tui.width import visible_width
from tests.pi_tui.mouse_screen import Scene, scene
from tests.pi_tui.strategies import STYLES, styled_lines

pytestmark = pytest.mark.anyio

LINES = tuple(f"line {number:02}" for number in range(20))


async def settle(shown: Scene) -> None:
    """Let copying come to its end, and draw what is said of it."""
    for _ in range(3):
        await asyncio.sleep(0)
    shown.tui.render_now()


async def test_a_drag_selects_cells_paints_and_copies_them() -> None:
    async with scene("alpha beta", "gamma delta", "epsilon") as shown:
        shown.pilot.drag((6, 0), (3, 1), (4, 2), release=False)
        assert shown.selected() == ["beta", "gamma delta", "epsil"]
        assert shown.copied is None
        shown.pilot.release(4, 2)
        await settle(shown)
        assert shown.copied == "beta\ngamma delta\nepsil"
        assert "Copied!" in shown.pilot.lines()[0]


async def test_dragging_backwards_includes_both_ends() -> None:
    async with scene("alpha beta", "gamma delta") as shown:
        shown.pilot.drag((2, 1), (6, 0))
        await settle(shown)
        assert shown.copied == "beta\ngam"


async def test_a_click_selects_nothing_and_ends_a_selection() -> None:
    async with scene("alpha beta") as shown:
        shown.pilot.click(3, 0)
        assert shown.selected() == []
        assert shown.copied is None
        shown.pilot.drag((0, 0), (4, 0))
        assert shown.tui.has_active_selection()
        shown.now += 5
        shown.pilot.click(8, 0)
        assert not shown.tui.has_active_selection()
        assert shown.selected() == []


async def test_escape_ends_a_selection_before_it_means_anything_else() -> None:
    async with scene("alpha beta") as shown:
        keys: list[str] = []
        shown.tui.on_unhandled_key = lambda event: keys.append(event.id)
        shown.tui.set_focus(shown.foot)
        shown.pilot.drag((0, 0), (4, 0))
        shown.pilot.press("escape")
        assert (shown.selected(), keys) == ([], [])
        shown.pilot.press("escape")
        assert keys == ["escape"]


async def test_a_second_press_takes_the_word_and_a_third_the_line() -> None:
    async with scene("see /usr/bin/x-1.py (now)") as shown:
        shown.pilot.resize(40, 6)
        shown.pilot.click(9, 0, times=2)
        assert shown.selected() == ["/usr/bin/x-1.py"]
        shown.pilot.click(9, 0)
        assert shown.selected() == ["see /usr/bin/x-1.py (now)"]
        shown.pilot.click(9, 0)
        assert shown.selected() == []


async def test_slow_presses_and_presses_on_other_words_begin_anew() -> None:
    async with scene("alpha beta") as shown:
        shown.pilot.click(1, 0)
        shown.now += 0.6
        shown.pilot.click(1, 0)
        assert shown.selected() == []
        shown.pilot.click(7, 0)
        assert shown.selected() == []
        shown.pilot.click(8, 0)  # another cell of the same word
        assert shown.selected() == ["beta"]


async def test_dragging_after_a_double_click_takes_whole_words_both_ways() -> None:
    async with scene("one two three four") as shown:
        shown.pilot.click(5, 0)
        shown.pilot.drag((5, 0), (10, 0), release=False)
        assert shown.selected() == ["two three"]
        shown.pilot.release(1, 0)
        shown.now += 5
        shown.pilot.click(5, 0)
        shown.pilot.drag((5, 0), (10, 0), (1, 0))
        await settle(shown)
        assert shown.copied == "one two"


async def test_whole_wide_characters_are_selected_by_either_half() -> None:
    async with scene("日本語 text") as shown:
        for start, end in (((0, 0), (3, 0)), ((1, 0), (2, 0)), ((3, 0), (1, 0))):
            shown.pilot.drag(start, end)
            assert shown.selected() == ["日本"]
            shown.now += 5


async def test_rows_are_copied_without_blanks_at_their_ends_and_styles() -> None:
    async with scene("\x1b[1;31mred\x1b[0m text   ", "", "\x1b[44mlast\x1b[0m") as shown:
        shown.document.append(Text("on a panel", 0, 0, lambda row: f"\x1b[44m{row}\x1b[0m"))
        shown.tui.render_now()
        shown.pilot.drag((0, 0), (19, 2))
        await settle(shown)
        assert shown.copied == "red text\nlast\non a panel"


async def test_the_margin_of_a_document_is_no_text() -> None:
    async with scene(" def f():", "     return 1", " end", text_margin=1) as shown:
        shown.pilot.drag((0, 0), (19, 2))
        assert shown.selected() == ["def f():", "    return 1", "end"]
        await settle(shown)
        assert shown.copied == "def f():\n    return 1\nend"


async def test_a_selection_stays_on_its_text_when_the_view_scrolls_and_output_comes() -> None:
    async with scene(*LINES) as shown:
        shown.pilot.drag((0, 1), (6, 2))
        assert shown.selected() == ["line 16", "line 17"]
        shown.add("more output", "and more")
        assert shown.selected() == ["line 17"]
        shown.pilot.scroll(-4)
        assert shown.selected() == ["line 16", "line 17"]
        shown.pilot.scroll(-12)
        assert shown.selected() == []
        await shown.tui.copy_active_selection_to_clipboard()
        assert shown.copied == "line 16\nline 17"


async def test_entries_that_go_above_a_selection_do_not_shift_it() -> None:
    async with scene(*LINES) as shown:
        shown.pilot.drag((0, 1), (6, 2))
        shown.document.remove(shown.document.entries[3])
        shown.tui.render_now()
        assert shown.selected() == ["line 16", "line 17"]


async def test_a_selection_ends_with_its_text_or_with_another_width() -> None:
    async with scene(*LINES) as shown:
        shown.pilot.drag((0, 1), (6, 2))
        shown.pilot.resize(20, 9)
        assert shown.selected() == ["line 16", "line 17"]
        shown.pilot.resize(30, 9)
        assert not shown.tui.has_active_selection()
        shown.pilot.drag((0, 1), (6, 1))
        shown.document.clear()
        shown.add("other")
        assert not shown.tui.has_active_selection()


async def test_holding_the_drag_at_the_edge_scrolls_and_selects_what_comes() -> None:
    async with scene(*LINES) as shown:
        shown.pilot.drag((0, 3), (0, 1), (0, 0), release=False)
        await shown.pilot.wait_for("line 00")
        shown.pilot.release(0, 0)
        await settle(shown)
        assert shown.copied is not None
        assert shown.copied.splitlines() == [*LINES[:18], "l"]


async def test_a_drag_along_the_first_row_does_not_scroll() -> None:
    async with scene(*LINES) as shown:
        shown.pilot.drag((0, 0), (4, 0), release=False)
        await asyncio.sleep(0.12)  # two steps of scrolling
        assert shown.pilot.lines()[0] == "line 15"


async def test_text_outside_of_views_is_selected_from_the_screen() -> None:
    async with scene("alpha") as shown:
        shown.pilot.drag((0, 5), (2, 5))
        await settle(shown)
        assert shown.copied == "foo"
        assert shown.selected()[-1] == "foo"


async def test_a_press_that_a_component_takes_selects_nothing() -> None:
    async with scene("alpha beta") as shown:
        shown.foot.takes = ("press",)
        shown.pilot.drag((0, 0), (4, 0))
        shown.pilot.drag((0, 5), (2, 2))
        assert shown.selected() == []
        assert shown.foot.types() == ["press", "drag", "release"]


async def test_a_click_that_a_component_takes_leaves_drags_to_selecting() -> None:
    async with scene("alpha") as shown:
        shown.foot.takes = ("click",)
        shown.pilot.drag((0, 5), (2, 5))
        assert shown.selected()[-1] == "foo"
        shown.now += 5
        shown.pilot.click(1, 5)
        assert shown.foot.told[-1].type == "click"
        assert shown.selected() == []


async def test_without_the_focus_an_unfinished_selection_is_dropped_and_a_finished_one_stays() -> (
    None
):
    async with scene("alpha beta") as shown:
        shown.pilot.drag((0, 0), (4, 0), release=False)
        shown.pilot.terminal.send(b"\x1b[O")
        shown.tui.render_now()
        assert shown.selected() == []
        shown.pilot.drag((0, 0), (4, 0))
        shown.pilot.terminal.send(b"\x1b[O")
        shown.tui.render_now()
        assert shown.selected() == ["alpha"]


async def test_a_program_copies_its_own_way_and_says_what_went_wrong() -> None:
    taken: list[str] = []
    answers: list[bool | str] = [True, "No clipboard here", False]

    async def copy(text: str) -> bool | str:
        taken.append(text)
        return answers.pop(0)

    async with scene("alpha beta", columns=40, copy_selection=copy) as shown:
        for said in ("Copied!", "No clipboard here", "Copy failed"):
            shown.pilot.drag((0, 0), (4, 0))
            await settle(shown)
            assert said in shown.pilot.screen()
            shown.now += 5
    assert taken == ["alpha"] * 3


async def test_nothing_is_copied_by_itself_if_that_is_turned_off() -> None:
    async with scene("alpha beta", copy_on_select=False) as shown:
        shown.pilot.drag((0, 0), (4, 0))
        await settle(shown)
        assert shown.copied is None
        assert await shown.tui.copy_active_selection_to_clipboard()
        assert shown.copied == "alpha"


async def test_blanks_alone_are_not_copied() -> None:
    async with scene("a", "", "b") as shown:
        shown.pilot.drag((5, 0), (9, 0))
        await settle(shown)
        assert shown.copied is None


async def test_a_selection_is_painted_only_where_no_overlay_lies() -> None:
    async with scene(*LINES) as shown:
        shown.pilot.drag((0, 1), (6, 1))
        shown.tui.show_overlay(Text("over", 0, 0), row=1, col=2, width=3)
        shown.tui.render_now()
        assert shown.selected() == ["li16"]


async def test_over_an_overlay_the_screen_is_selected() -> None:
    async with scene(*LINES) as shown:
        shown.tui.show_overlay(Text("over", 0, 0), row=1, col=2, width=6)
        shown.tui.render_now()
        shown.pilot.drag((0, 1), (7, 1))
        await settle(shown)
        assert shown.copied == "liover"


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from([*"ab 日한", "👍🏽", "e\u0301"]) | STYLES, max_size=20),
    st.integers(0, 30),
    st.integers(1, 30),
)
def test_reverse_video_covers_its_cells_and_changes_no_width(
    parts: list[str], start: int, length: int
) -> None:
    line = "".join(parts)
    terminal = GridTerminal(60, 1)
    terminal.write(paint_mark(line, Mark(0, start, start + length)))
    width = visible_width(line)
    assert terminal.cursor[0] == width
    reversed_cells = [x for x in range(width) if terminal.cell(x, 0).inverse]
    own = GridTerminal(60, 1)
    own.write(line)
    before = {x for x in range(width) if own.cell(x, 0).inverse}
    assert set(reversed_cells) - before <= set(range(start, start + length))
    assert set(range(start, min(width, start + length))) <= set(reversed_cells)


@settings(max_examples=200)
@given(styled_lines, st.integers(-2, 40), st.sampled_from(("cell", "word", "line")))
def test_a_unit_lies_in_its_row_and_holds_its_cell(line: str, column: int, unit: str) -> None:
    start, end = unit_columns(line, column, unit)  # type: ignore[arg-type]  # one of the three
    width = visible_width(line)
    assert 0 <= start <= end <= width
    if 0 <= column < width:
        assert start <= column < end
