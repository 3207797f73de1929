"""Selectors at any size: every row fits, and what Enter would choose is in sight."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.dialogs.picker import Choice, Picker, PickerTexts
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.events import KeyEvent, MouseEvent, PasteEvent
from pi_tui.key_parser import text_key
from pi_tui.width import visible_width
from tests.pi_tui.strategies import styled_texts

THEME = load_bundled_theme("dark", color_mode="truecolor")
TEXTS = PickerTexts(title="Choose one", nothing="Nothing there", pick="use")


def picker(*labels: str, has_search: bool = True) -> tuple[Picker, list[str]]:
    told: list[str] = []
    shown = Picker(
        TEXTS,
        THEME,
        on_pick=lambda value: told.append(f"pick {value}"),
        on_close=lambda: told.append("close"),
        keys={"app.models.save": lambda value: told.append(f"save {value}")},
        has_search=has_search,
    )
    shown.set_choices([Choice(str(n), label) for n, label in enumerate(labels)])
    return shown, told


def rows(shown: Picker, width: int = 40) -> list[str]:
    return [strip_terminal_sequences(row).rstrip() for row in shown.render(width)]


def test_a_search_that_fits_nothing_says_so_and_enter_does_nothing() -> None:
    shown, told = picker("one", "two")
    for letter in "xyz":
        shown.handle_key(text_key(letter))
    assert "  Nothing there" in rows(shown)
    shown.handle_key(KeyEvent("enter"))
    shown.handle_key(KeyEvent("escape"))
    assert told == ["close"]


def click(shown: Picker, text: str, width: int = 40) -> None:
    y = next(number for number, row in enumerate(rows(shown, width)) if text in row)
    x = rows(shown, width)[y].index(text)
    for kind in ("press", "click"):
        shown.handle_mouse(MouseEvent(kind, "left", x, y, x, y))


def test_a_click_on_what_a_key_does_does_it() -> None:
    shown, told = picker("one", "two")
    shown.texts = replace(TEXTS, keys={"app.models.save": "default"})
    shown.handle_key(KeyEvent("down"))
    for text in ("Enter use", "default", "Esc cancel"):
        click(shown, text)
    assert told == ["pick 1", "save 1", "close"]


def test_in_few_rows_there_is_still_a_place_to_click_to_close() -> None:
    shown, told = picker("one", "two", "three", "four")
    shown.max_rows = 6
    click(shown, "Esc cancel", 20)
    assert told == ["close"]


def test_the_selected_row_stays_so_when_others_come() -> None:
    shown, told = picker("one", "two", "three")
    shown.handle_key(KeyEvent("down"))
    shown.set_choices([Choice("9", "new"), Choice("0", "one"), Choice("1", "two")])
    shown.handle_key(KeyEvent("enter"))
    assert told == ["pick 1"]


def test_moving_goes_round_and_paging_does_not() -> None:
    shown, told = picker(*"abc")
    for key in ("up", "enter", "pageDown", "enter", "down", "enter"):
        shown.handle_key(KeyEvent(key))
    assert told == ["pick 2", "pick 2", "pick 0"]


def test_labels_from_outside_bring_no_controls() -> None:
    shown, _ = picker("evil\x1b[2J\x1b]0;title\x07 name\nnext")
    assert "→ evil name next" in rows(shown)


def test_without_a_search_letters_are_left_alone() -> None:
    shown, _ = picker("one", has_search=False)
    assert shown.handle_key(text_key("x")) is False
    shown.handle_paste(PasteEvent("pasted"))
    assert "→ one" in rows(shown)


@pytest.mark.parametrize("most", range(1, 14))
@pytest.mark.parametrize("has_search", [True, False])
def test_few_rows_show_what_enter_would_choose(most: int, has_search: bool) -> None:
    shown, _ = picker(*[f"choice {n}" for n in range(20)], has_search=has_search)
    shown.max_rows = most
    for _ in range(15):
        shown.handle_key(KeyEvent("down"))
        drawn = rows(shown, 30)
        assert len(drawn) <= most
        assert sum(row.startswith("→ choice") for row in drawn) == 1


@settings(max_examples=100)
@given(
    st.lists(styled_texts, max_size=5),
    st.integers(1, 50),
    st.sampled_from([None, 1, 4, 8]),
    st.text(),
)
def test_no_row_is_wider_than_the_selector(
    labels: list[str], width: int, most: int | None, query: str
) -> None:
    shown, _ = picker(*labels)
    shown.max_rows = most
    shown.handle_paste(PasteEvent(query))
    for row in shown.render(width):
        assert visible_width(row) <= width
