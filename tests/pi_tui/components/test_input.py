"""A line of input: as measured, with pastes and the mouse, at any width."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pi_tui.component import CURSOR_MARKER
from pi_tui.components.input import Input
from pi_tui.events import KeyEvent, MouseEvent, PasteEvent
from pi_tui.key_parser import text_key
from pi_tui.width import iter_graphemes, visible_width
from tests.pi_tui.components.hands import plain
from tests.pi_tui.strategies import plain_texts, styled_texts


def typed(text: str, prompt: str = "> ", mask: str | None = None) -> Input:
    field = Input(prompt, mask=mask)
    field.focused = True
    for cluster in iter_graphemes(text):
        field.handle_key(text_key(cluster))
    return field


def row(field: Input, width: int) -> str:
    return plain(field.render(width))[0]


def caret_column(field: Input, width: int) -> int | None:
    before, mark, _ = field.render(width)[0].partition(CURSOR_MARKER)
    return visible_width(before) if mark else None


def test_a_paste_becomes_one_line_and_one_undo_step() -> None:
    field = typed("> ")
    field.handle_paste(PasteEvent("one\r\ntwo\rthree\tfour\x1b[31m\x07\n"))
    assert field.get_value() == "> one two three    four[31m"
    field.handle_key(KeyEvent("ctrl+-"))
    assert field.get_value() == "> "


def test_a_long_text_is_shown_around_the_cursor() -> None:
    field = typed("abcdefghijklmnopqrstuvwxyz")
    assert row(field, 12) == "> rstuvwxyz "
    for _ in range(13):
        field.handle_key(KeyEvent("left"))
    assert (row(field, 12), caret_column(field, 12)) == ("> ijklmnopqr", 7)
    field.handle_key(KeyEvent("home"))
    assert (row(field, 12), caret_column(field, 12)) == ("> abcdefghij", 2)


@pytest.mark.parametrize(("x", "index"), [(0, 0), (4, 0), (5, 1), (6, 2), (7, 2), (8, 3), (19, 4)])
def test_a_press_puts_the_cursor_under_the_pointer(x: int, index: int) -> None:
    field = typed("ab日c", prompt="ask ")
    field.render(20)
    result = field.handle_mouse(MouseEvent("press", "left", x, 0, x, 0, 20, 1))
    assert result is not None and result.focus
    assert field.get_cursor() == index


def test_a_press_counts_from_what_is_in_sight() -> None:
    field = typed("abcdefghijklmnopqrstuvwxyz")
    assert row(field, 12) == "> rstuvwxyz "
    field.handle_mouse(MouseEvent("press", "left", 3, 0, 3, 0, 12, 1))
    assert field.get_value()[field.get_cursor()] == "s"


def test_a_mask_hides_every_character_but_those_at_the_end() -> None:
    field = typed("sk-日本é👍🏽89", mask="•")
    assert row(field, 16) == "> •••••••••     "
    field.clear_at_end = 3
    assert row(field, 16) == "> ••••••👍🏽89    "
    field.clear_at_end = 99
    assert row(field, 16) == "> sk-日本é👍🏽89  "
    assert field.get_value() == "sk-日本é👍🏽89"


def test_under_a_mask_the_cursor_moves_by_characters_and_the_window_hides_as_well() -> None:
    field = typed("日本abcdefghij", mask="*")
    field.handle_key(KeyEvent("home"))
    field.handle_key(KeyEvent("right"))
    assert (field.get_cursor(), caret_column(field, 20)) == (1, 3)
    field.handle_key(KeyEvent("end"))
    assert row(field, 8) == "> ***** "


@pytest.mark.parametrize(("x", "index"), [(2, 0), (3, 1), (4, 2), (5, 4), (9, 5)])
def test_under_a_mask_a_press_counts_what_is_shown(x: int, index: int) -> None:
    field = typed("日ae\u0301c", mask="*")
    field.render(20)
    field.handle_mouse(MouseEvent("press", "left", x, 0, x, 0, 20, 1))
    assert field.get_cursor() == index


def test_the_placeholder_is_no_secret() -> None:
    field = Input("> ", "the key", mask="*")
    assert row(field, 10) == "> the key "


def test_only_a_left_press_is_used() -> None:
    field = typed("abc")
    assert field.handle_mouse(MouseEvent("press", "right", 2, 0, 2, 0)) is None
    assert field.handle_mouse(MouseEvent("drag", "left", 2, 0, 2, 0)) is None


def test_whoever_listens_is_told_of_each_change() -> None:
    field = Input()
    told: list[str] = []
    field.on_change = told.append
    field.handle_key(text_key("a"))
    field.handle_paste(PasteEvent("bc"))
    field.handle_key(KeyEvent("left"))
    field.handle_key(KeyEvent("backspace"))
    field.set_value("set by the program")
    assert told == ["a", "abc", "ac"]


def test_keys_without_a_meaning_are_left_to_others() -> None:
    field = typed("a")
    assert field.handle_key(KeyEvent("up")) is False
    assert field.handle_key(KeyEvent("f5")) is False


def test_a_placeholder_is_styled_and_gives_way_to_text() -> None:
    field = Input("> ", "Type\nhere", lambda text: f"<{text}>")
    assert row(field, 20) == "> <T><ype here>" + " " * 5
    field.handle_key(text_key("x"))
    assert row(field, 20) == "> x" + " " * 17


@settings(max_examples=200)
@example("🇩", 0, 5, "🇩", None, 0)
@given(
    plain_texts,
    st.integers(0, 40),
    st.integers(1, 24),
    styled_texts,
    st.sampled_from([None, "•", "日", "🇩"]),
    st.integers(0, 4),
)
def test_the_row_fills_the_width_and_the_caret_is_in_it(
    text: str, moves: int, width: int, prompt: str, mask: str | None, clear: int
) -> None:
    field = Input(prompt, mask=mask)
    field.clear_at_end = clear
    field.focused = True
    field.handle_paste(PasteEvent(text))
    for _ in range(moves):
        field.handle_key(KeyEvent("left"))
    (line,) = field.render(width)
    assert visible_width(line) == width
    column = caret_column(field, width)
    assert column is None or column < width
    if visible_width(prompt) < width and "\n" not in prompt and "\r" not in prompt:
        assert column is not None
