"""Two panes and the line between them."""

from __future__ import annotations

import pytest

from pi_tui.choices import SelectItem
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.select_list import SelectList
from pi_tui.components.split import Split
from pi_tui.components.text import Text
from pi_tui.theme import get_select_list_theme
from tests.pi_tui.components.on_screen import on_screen

pytestmark = pytest.mark.anyio


def panes(**options: float) -> tuple[Split, list[float]]:
    """Return panes, and the ratios that they tell."""
    split = Split(Text("left", 0, 0), Text("right", 0, 0), min_columns=8, **options)  # type: ignore[arg-type]  # numbers only
    told: list[float] = []
    split.on_change = told.append
    return split, told


async def test_the_line_follows_the_pointer_to_both_ends_and_no_further() -> None:
    split, told = panes()
    async with on_screen(split, 41, 3) as pilot:
        assert [row.index("│") for row in pilot.lines()] == [20, 20, 20]
        pilot.drag((20, 1), (25, 1), (10, 2))
        # It has the keys since the press.
        assert {row.index("┃") for row in pilot.lines()} == {10}
        assert pilot.lines()[0] == "left      ┃right"
        pilot.drag((10, 0), (40, 0))
        assert pilot.lines()[0] == f"left{'':36}┃"
        pilot.drag((40, 0), (0, 0))
        assert pilot.lines()[0] == "┃right"
    assert told[:2] == [0.625, 0.25] and told[-1] == 0.0


async def test_the_keys_move_it_and_a_new_size_keeps_the_ratio() -> None:
    split, _ = panes(ratio=0.5)
    async with on_screen(split, 41, 3) as pilot:
        pilot.tui.set_focus(split.divider)
        pilot.press("right", "right", "left")
        assert pilot.lines()[0].index("┃") == 22
        pilot.resize(21, 3)
        assert pilot.lines()[0].index("┃") == 11


async def test_where_it_is_narrow_the_panes_lie_one_above_the_other() -> None:
    split, told = panes()
    async with on_screen(split, 16, 7) as pilot:
        assert pilot.lines() == ["left", "", "", "─" * 16, "right", "", ""]
        pilot.drag((5, 3), (5, 1))
        assert pilot.lines()[1] == "━" * 16
        assert told == [pytest.approx(1 / 6)]
        pilot.resize(17, 7)
        assert pilot.lines()[0].startswith("left ") or "┃" in pilot.lines()[0]


async def test_a_ratio_that_is_none_is_a_half() -> None:
    split, _ = panes(ratio=float("nan"))
    assert split.ratio == 0.5
    split.set_ratio(7)
    assert split.ratio == 1.0


async def test_in_a_document_the_line_follows_the_pointer_too() -> None:
    split, told = panes()
    async with on_screen(ScrollView(split), 41, 3) as pilot:
        assert pilot.lines()[0].index("│") == 20
        pilot.drag((20, 0), (25, 0))
        assert pilot.lines()[0].index("┃") == 25
    assert told == [0.625]


async def test_panes_one_above_the_other_in_a_document_keep_their_heights() -> None:
    choices = SelectList(
        [SelectItem(str(number)) for number in range(6)], 6, get_select_list_theme()
    )
    split = Split(choices, Text("right", 0, 0), "column", ratio=0.1)
    told: list[float] = []
    split.on_change = told.append
    async with on_screen(ScrollView(split), 20, 9) as pilot:
        pilot.click(3, 4)
        pilot.drag((3, 6), (3, 2))
        assert pilot.lines()[4:8] == ["→ 4", "  5", "─" * 20, "right"]
    assert told == []
