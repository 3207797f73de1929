"""A list of choices: as measured, with keys and with the mouse, at any width."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.choices import SelectItem, get_select_page_index
from pi_tui.component import identity
from pi_tui.components.select_list import PrimaryCell, SelectList, SelectListLayout
from pi_tui.events import KeyEvent, MouseButton, MouseEvent, MouseType
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import SelectListTheme
from pi_tui.width import visible_width
from tests.pi_tui import look
from tests.pi_tui.strategies import styled_texts

PLAIN = SelectListTheme(identity, identity, identity, identity, identity)


def fruits(*names: str, most: int = 5) -> tuple[SelectList, list[tuple[str, str]]]:
    """Return a list and what it reports."""
    chosen = SelectList([SelectItem(name, name) for name in names], most, PLAIN)
    told: list[tuple[str, str]] = []
    chosen.on_select = lambda item: told.append(("select", item.value))
    chosen.on_cancel = lambda: told.append(("cancel", ""))
    chosen.on_selection_change = lambda item: told.append(("change", item.value))
    return chosen, told


def mouse(kind: MouseType, row: int, *, delta: int | None = None) -> MouseEvent:
    button: MouseButton = "none" if kind == "wheel" else "left"
    return MouseEvent(kind, button, 3, row, 3, row, 40, 6, wheel_delta=delta)


def test_a_press_selects_and_the_click_confirms_what_was_pressed_although_the_rows_moved() -> None:
    chosen, told = fruits(*"abcdefgh")
    chosen.render(40)
    pressed = chosen.handle_mouse(mouse("press", 4))
    assert pressed is not None and pressed.handled and pressed.focus
    assert chosen.render(40)[4] == "  g"  # the selected row went to the middle
    chosen.handle_mouse(mouse("click", 4))
    assert told == [("change", "e"), ("select", "e")]


def test_a_click_beside_the_choices_confirms_none_that_was_pressed_and_let_go_elsewhere() -> None:
    chosen, told = fruits("apple", "pear", "fig", most=2)
    chosen.render(20)
    chosen.handle_mouse(mouse("press", 1))
    chosen.handle_mouse(mouse("release", 1))
    chosen.handle_mouse(mouse("press", 2))
    chosen.handle_mouse(mouse("click", 2))
    assert told == [("change", "pear")]


def test_the_row_of_the_position_and_the_rows_below_are_no_choices() -> None:
    chosen, told = fruits(*"abcdefgh")
    assert chosen.render(40)[5] == "  (1/8)"
    assert chosen.handle_mouse(mouse("press", 5)) is None
    assert chosen.handle_mouse(mouse("press", 9)) is None
    assert chosen.handle_mouse(mouse("move", 1)) is None
    assert told == []


def test_the_wheel_moves_by_one_and_stops_at_the_ends() -> None:
    chosen, told = fruits("a", "b", "c")
    for delta in (3, 1, 5, -1):
        result = chosen.handle_mouse(mouse("wheel", 0, delta=delta))
        assert result is not None and result.handled
    assert told == [("change", "b"), ("change", "c"), ("change", "b")]


def test_a_key_that_means_nothing_is_left_to_others() -> None:
    chosen, _ = fruits("a")
    assert chosen.handle_key(KeyEvent("x", "x")) is False
    assert chosen.handle_key(KeyEvent("down")) is True


def test_the_same_rows_come_back_while_nothing_changed() -> None:
    chosen, _ = fruits("a", "b")
    rows = chosen.render(20)
    assert chosen.render(20) is rows
    chosen.handle_key(KeyEvent("down"))
    assert chosen.render(20) is not rows


def test_few_rows_are_for_choices_and_the_position_together() -> None:
    chosen, _ = fruits(*"abcdefgh")
    chosen.max_rows = 3
    assert chosen.render(20) == ["→ a", "  b", "  (1/8)"]
    chosen.max_rows = 1
    assert chosen.render(20) == ["→ a"]


def test_a_style_that_a_label_leaves_open_ends_with_its_row() -> None:
    chosen = SelectList([SelectItem("a", "\x1b[31mred"), SelectItem("b")], 5, PLAIN)
    first, second = chosen.render(20)
    assert look.end_look(first) == ""
    assert second == "  b"


@pytest.mark.anyio
async def test_a_callback_may_be_a_coroutine_function(caplog: pytest.LogCaptureFixture) -> None:
    chosen, _ = fruits("a", "b")
    told: list[str] = []

    async def select(item: SelectItem) -> None:
        await asyncio.sleep(0)
        told.append(item.value)
        raise ValueError("too late")

    chosen.on_select = select
    chosen.handle_key(KeyEvent("enter"))
    assert told == []
    for _ in range(4):
        await asyncio.sleep(0)
    assert told == ["a"]
    assert "a callback failed" in caplog.text


@pytest.mark.parametrize(
    ("key", "selected", "index"),
    [("pageDown", 0, 4), ("pageDown", 8, 9), ("pageUp", 9, 5), ("pageUp", 2, 0), ("down", 2, None)],
)
def test_pages_stop_at_the_ends(key: str, selected: int, index: int | None) -> None:
    keys = get_keybindings()
    assert get_select_page_index(keys, KeyEvent(key), selected, 10, 4) == index
    assert get_select_page_index(keys, KeyEvent("pageUp"), 0, 0, 4) == 0


def test_the_layout_may_cut_long_labels_its_own_way() -> None:
    def from_the_left(cell: PrimaryCell) -> str:
        return cell.text[-cell.max_width :]

    layout = SelectListLayout(max_primary_column_width=8, truncate_primary=from_the_left)
    item = SelectItem("x", "a/long/path.py", "what it is")
    assert SelectList([item], 5, PLAIN, layout).render(50) == ["→ ath.py  what it is"]


@settings(max_examples=150)
@given(
    st.lists(st.tuples(styled_texts, styled_texts), max_size=8),
    st.integers(1, 90),
    st.integers(0, 9),
)
def test_no_row_is_wider_than_the_list(
    texts: list[tuple[str, str]], width: int, selected: int
) -> None:
    items = [SelectItem("v", label, description) for label, description in texts]
    chosen = SelectList(items, 4, PLAIN)
    chosen.set_selected_index(selected)
    for row in chosen.render(width):
        assert visible_width(row) <= width
        assert "\n" not in row and "\r" not in row


@pytest.mark.parametrize("given", [{"value": "a"}, {"value": "a", "label": "a"}])
def test_items_may_be_dicts(given: dict[str, str | None]) -> None:
    assert SelectList([given], 5, PLAIN).render(9) == ["→ a"]
