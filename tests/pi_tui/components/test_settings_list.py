"""A list of settings: as measured, with a submenu, with the mouse, on few rows and columns."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import Component, identity
from pi_tui.components.input import Input
from pi_tui.components.settings_list import Done, SettingItem, SettingsList
from pi_tui.events import KeyEvent, MouseButton, MouseEvent, MouseType, PasteEvent
from pi_tui.key_parser import text_key
from pi_tui.mouse_delivery import deliver_mouse
from pi_tui.theme import SettingsListTheme
from pi_tui.width import visible_width
from tests.fixtures.lists import choices
from tests.pi_tui.components.hands import plain
from tests.pi_tui.strategies import styled_texts

Told = list[tuple[str, ...]]
PLAIN = SettingsListTheme(
    lambda text, _: text, lambda text, _: text, identity, lambda: "→ ", identity
)


def three(**options: Any) -> tuple[SettingsList, Told]:
    """Return a list of three settings and what it reports."""
    told: Told = []
    shown = SettingsList(
        [
            SettingItem("theme", "Theme", "dark", "Colours", submenu=choices("dark", "light")),
            SettingItem("bell", "Bell", "off", values=["on", "off"]),
            SettingItem("name", "Name", "me"),
        ],
        10,
        PLAIN,
        lambda item, value: told.append((item, value)),
        lambda: told.append(("cancel",)),
        **options,
    )
    return shown, told


def mouse(kind: MouseType, row: int, *, delta: int | None = None) -> MouseEvent:
    button: MouseButton = "none" if kind == "wheel" else "left"
    return MouseEvent(kind, button, 3, row, 3, row, 40, 6, wheel_delta=delta)


def test_a_submenu_has_the_place_the_keys_and_the_pastes_until_it_is_done() -> None:
    opened: list[tuple[str, Done, Input]] = []

    def open_input(current: str, done: Done) -> Input:
        opened.append((current, done, Input("name: ")))
        return opened[-1][2]

    told: Told = []
    shown = SettingsList(
        [
            SettingItem("name", "Name", "me", submenu=open_input),
            SettingItem("bell", "Bell", "off", values=["on", "off"]),
        ],
        5,
        PLAIN,
        lambda item, value: told.append((item, value)),
    )
    shown.focused = True
    shown.handle_key(KeyEvent("enter"))
    current, done, field = opened[0]
    assert (current, field.focused) == ("me", True)
    shown.handle_key(text_key("a"))
    shown.handle_paste(PasteEvent("bc"))
    assert plain(shown.render(20)) == ["name: abc           "]
    done("abc", navigate_to="bell")
    assert told == [("name", "abc"), ("bell", "on")]
    assert shown.render(30)[:2] == ["  Name  abc", "→ Bell  on"]
    done("late")
    assert told == [("name", "abc"), ("bell", "on")]


def test_the_search_has_the_focus_of_the_list_unless_a_submenu_is_open() -> None:
    shown, told = three(enable_search=True)
    shown.focused = True
    assert "\x1b_pi:c" in shown.render(40)[0]
    shown.handle_key(KeyEvent("enter"))
    assert plain(shown.render(40)) == ["→ dark", "  light"]
    shown.handle_key(KeyEvent("escape"))
    assert "\x1b_pi:c" in shown.render(40)[0]
    assert told == []


def test_a_blank_changes_a_setting_only_while_nothing_is_searched_for() -> None:
    shown, told = three(enable_search=True)
    for key in ("n", "a", "space", "m"):
        shown.handle_key(text_key(" ") if key == "space" else text_key(key))
    assert plain(shown.render(30))[0].rstrip() == "> na m"
    assert told == []


def test_cursor_keys_stay_in_the_query() -> None:
    shown, _ = three(enable_search=True)
    shown.handle_key(text_key("e"))
    shown.handle_key(KeyEvent("down"))
    selected = shown.get_selected_item()
    shown.handle_key(KeyEvent("left"))
    assert selected is not None and shown.get_selected_item() is selected
    assert "e" in plain(shown.render(30))[0]


def test_a_press_selects_and_the_click_changes() -> None:
    shown, told = three(enable_search=True)
    shown.render(40)
    pressed = shown.handle_mouse(mouse("press", 3))
    assert pressed is not None and pressed.focus
    assert told == []
    shown.handle_mouse(mouse("click", 3))
    assert told == [("bell", "on")]
    for row in (1, 5, 8):
        assert shown.handle_mouse(mouse("press", row)) is None
    shown.handle_mouse(mouse("wheel", 3, delta=1))
    selected = shown.get_selected_item()
    assert selected is not None and selected.id == "name"


def test_a_click_in_a_submenu_leaves_the_keys_with_the_list() -> None:
    shown, told = three()
    shown.handle_key(KeyEvent("enter"))
    shown.render(40)
    answer = deliver_mouse(shown, mouse("press", 1))
    assert answer.focus and answer.target is not None and answer.target.component is shown
    deliver_mouse(shown, mouse("click", 1))
    assert told == [("theme", "light")]


def test_values_are_seen_where_labels_would_take_all_the_room() -> None:
    items = [
        SettingItem("a", "What a working model gets", "one-at-a-time"),
        SettingItem("b", "Bell", "off"),
    ]
    rows = SettingsList(items, 5, PLAIN).render(20)
    assert rows[:2] == ["→ What a …  one-at-…", "  Bell      off"]


@pytest.mark.parametrize("most", range(1, 12))
def test_few_rows_show_the_selected_setting_first_of_all(most: int) -> None:
    shown, _ = three(enable_search=True)
    shown.max_rows = most
    rows = shown.render(40)
    assert len(rows) <= max(most, 3)
    assert any(row.startswith("→ Theme  dark") for row in rows)


def test_the_same_rows_come_back_while_nothing_changed() -> None:
    shown, _ = three()
    rows = shown.render(30)
    assert shown.render(30) is rows
    shown.update_value("bell", "on")
    assert shown.render(30) is not rows


class Menu(Component):
    """A submenu that is told how many rows there are."""

    def __init__(self) -> None:
        self.max_rows: int | None = None

    def render(self, width: int) -> list[str]:
        return [f"{self.max_rows} rows"]


def test_a_submenu_learns_how_many_rows_there_are() -> None:
    item = SettingItem("a", "A", "x", submenu=lambda current, done: Menu())
    shown = SettingsList([item], 5, PLAIN)
    shown.max_rows = 4
    shown.handle_key(KeyEvent("enter"))
    assert shown.render(20) == ["4 rows"]


@settings(max_examples=150)
@given(
    st.lists(st.tuples(styled_texts, styled_texts, styled_texts), max_size=6),
    st.integers(1, 60),
    st.booleans(),
    st.sampled_from([None, 1, 5, 9]),
)
def test_no_row_is_wider_than_the_list(
    texts: list[tuple[str, str, str]], width: int, search: bool, most: int | None
) -> None:
    items = [SettingItem(str(n), a, b, c) for n, (a, b, c) in enumerate(texts)]
    shown = SettingsList(items, 4, PLAIN, enable_search=search)
    shown.max_rows = most
    for row in shown.render(width):
        assert visible_width(row) <= width
        assert "\n" not in row and "\r" not in row
