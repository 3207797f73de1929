"""Tabs: titles and keys change what shows; what shows has the keys first."""

from __future__ import annotations

import pytest

from pi_tui.choices import SelectItem
from pi_tui.component import identity
from pi_tui.components.input import Input
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.select_list import SelectList
from pi_tui.components.stack import VStack
from pi_tui.components.tabs import Tab, Tabs
from pi_tui.components.text import Text
from pi_tui.theme import SelectListTheme
from tests.pi_tui.components.on_screen import on_screen

pytestmark = pytest.mark.anyio
PLAIN = SelectListTheme(identity, identity, identity, identity, identity)


async def test_keys_that_the_component_leaves_change_the_tab() -> None:
    choices = SelectList([SelectItem("a"), SelectItem("b")], 5, PLAIN)
    tabs = Tabs([Tab("List", choices), Tab("Text", Text("words", 0, 0)), Tab("Field", Input())])
    told: list[str] = []
    tabs.on_change = lambda tab: told.append(tab.title)
    async with on_screen(tabs, 24, 4) as pilot:
        pilot.press("down")
        assert pilot.lines()[:3] == ["[List] Text  Field", "  a", "→ b"]
        pilot.press("right")
        assert pilot.lines()[:2] == [" List [Text] Field", "words"]
        pilot.press("right")
        pilot.type("ab")
        pilot.press("left")  # the field's own
        pilot.type("x")
        assert pilot.lines()[1] == "> axb"
        pilot.press("ctrl+pageUp", "ctrl+pageUp")
        assert pilot.lines()[:3] == ["[List] Text  Field", "  a", "→ b"]
        pilot.press("left")  # round to the last
        pilot.paste("!")
        assert pilot.lines()[1] == "> ax!b"
    assert told == ["Text", "Field", "Text", "List", "Field"]


async def test_only_what_shows_has_the_keys() -> None:
    first, second = Input(), Input()
    tabs = Tabs([Tab("One", first), Tab("Two", second)])
    async with on_screen(tabs, 20, 4):
        assert (first.focused, second.focused) == (True, False)
        tabs.select(1)
        assert (first.focused, second.focused) == (False, True)


async def test_titles_are_clicked_and_turned_with_the_wheel_also_where_they_do_not_fit() -> None:
    tabs = Tabs([Tab(f"Part {n}", Text(f"content {n}", 0, 0)) for n in range(1, 10)])
    async with on_screen(tabs, 20, 3) as pilot:
        assert pilot.lines()[0] == " [Part 1] Part 2 ›"
        pilot.click(10, 0)
        assert pilot.lines()[:2] == ["‹[Part 2] Part 3 ›", "content 2"]
        pilot.scroll(3, 3, 0)
        assert pilot.lines()[1] == "content 5"
        pilot.scroll(-9, 3, 0)
        assert pilot.lines()[1] == "content 1"
        pilot.click(18, 0)  # beside the titles
        assert pilot.lines()[1] == "content 1"


async def test_no_tabs_are_no_trouble() -> None:
    async with on_screen(Tabs([]), 20, 3) as pilot:
        pilot.press("right", "x")
        assert pilot.lines() == ["", "", ""]


@pytest.mark.parametrize("in_document", [False, True])
async def test_after_a_click_into_what_shows_the_keys_still_change_the_tab(
    in_document: bool,
) -> None:
    first, second = (
        SelectList([SelectItem(f"{name}{n}") for n in range(3)], 5, PLAIN) for name in "ab"
    )
    tabs = Tabs([Tab("One", first), Tab("Two", second)])
    async with on_screen(ScrollView(tabs) if in_document else tabs, 20, 5) as pilot:
        pilot.click(3, 2)
        pilot.press("down", "ctrl+pageDown", "down")
        assert pilot.lines()[:3] == [" One [Two]", "  b0", "→ b1"]
        pilot.click(2, 0)
        pilot.press("up")
        assert pilot.lines()[:3] == ["[One] Two", "  a0", "→ a1"]
        assert (first.focused, second.focused) == (True, False)


async def test_pages_move_in_the_list_that_shows_and_not_on_the_screen() -> None:
    choices = SelectList([SelectItem(str(n)) for n in range(9)], 3, PLAIN)
    tabs = Tabs([Tab("List", choices), Tab("Text", Text("words", 0, 0))])
    page = ScrollView(VStack([tabs, Text("more\n" * 40, 0, 0)]), primary=True)
    async with on_screen(page, 20, 6) as pilot:
        pilot.click(3, 1)
        pilot.press("pageDown")
        assert pilot.lines()[:4] == ["[List] Text", "  2", "→ 3", "  4"]
