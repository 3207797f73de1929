"""The question for a key: hidden, understood, and in sight at any size."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.dialogs.api_key import ApiKeyDialog, ApiKeyTexts
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.events import KeyEvent, MouseEvent, PasteEvent
from pi_tui.key_parser import text_key
from pi_tui.snapshot import check_snapshot, snapshot_component
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import SNAPSHOTS
from tests.pi_tui.strategies import styled_texts

THEME = load_bundled_theme("dark", color_mode="truecolor")
ENTER, ESCAPE, TAB = KeyEvent("enter", raw=b"\r"), KeyEvent("escape"), KeyEvent("tab")
KEY = "sk-test-0123456789abcdef"
TEXTS = ApiKeyTexts(
    "Key for OpenAI",
    ["It wins over the variable OPENAI_API_KEY.", "Kept in ~/auth.json, which only you can read."],
)


def dialog(texts: ApiKeyTexts = TEXTS) -> tuple[ApiKeyDialog, list[str]]:
    told: list[str] = []
    shown = ApiKeyDialog(
        texts,
        THEME,
        environ={"OTHER_KEY": "sk-other", "EMPTY": ""},
        on_store=lambda written: told.append(f"store {written}"),
        on_back=lambda: told.append("back"),
    )
    shown.focused = True
    return shown, told


def rows(shown: ApiKeyDialog, width: int = 70) -> list[str]:
    return [strip_terminal_sequences(row).rstrip() for row in shown.render(width)]


def write(shown: ApiKeyDialog, text: str) -> None:
    for letter in text:
        shown.handle_key(text_key(letter))


def click(shown: ApiKeyDialog, text: str, width: int = 70) -> None:
    """Click on a text that is shown."""
    y = next(number for number, row in enumerate(rows(shown, width)) if text in row)
    x = rows(shown, width)[y].index(text)
    for kind in ("press", "click"):
        shown.handle_mouse(MouseEvent(kind, "left", x, y, x, y))


def test_what_is_typed_never_shows_and_is_stored_by_enter() -> None:
    shown, told = dialog()
    write(shown, KEY)
    text = "".join(rows(shown))
    assert "> " + "•" * len(KEY) in text
    assert not any(part in text for part in ("sk-", "0123", "cdef"))
    assert "A key of 24 characters." in text
    shown.handle_key(ENTER)
    assert told == [f"store {KEY}"]


def test_of_a_pasted_key_the_end_shows_until_something_is_typed() -> None:
    shown, told = dialog()
    shown.handle_paste(PasteEvent(f"\n  {KEY}\r\n"))
    assert "> ••••••••••••••••••••cdef" in rows(shown)
    shown.handle_key(text_key("x"))
    assert "cdef" not in "".join(rows(shown))
    shown.handle_key(KeyEvent("backspace"))
    shown.handle_key(ENTER)
    assert told == [f"store {KEY}"]


def test_of_a_short_key_nothing_shows() -> None:
    shown, _ = dialog()
    shown.handle_paste(PasteEvent("short-key"))
    assert "> •••••••••" in rows(shown)


def test_nothing_is_stored_without_a_key() -> None:
    shown, told = dialog()
    shown.handle_key(ENTER)
    assert told == []
    shown.handle_paste(PasteEvent("sk-one\nsk-two"))
    assert "There is a blank in it, which no key has." in " ".join(rows(shown))
    shown.handle_key(ENTER)
    assert told == []
    shown.handle_key(ESCAPE)
    assert told == ["back"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("$OTHER_KEY", "The variable OTHER_KEY has the key."),
        ("${OTHER_KEY}", "The variable OTHER_KEY has the key."),
        ("$NOT_THERE", "It names a variable that is not set now."),
        ("$EMPTY", "It names a variable that is not set now."),
        ("!pass show openai", "A command: what it prints is the key."),
    ],
)
def test_a_name_is_shown_as_typed_and_stored_as_it_is(text: str, words: str) -> None:
    shown, told = dialog()
    write(shown, text)
    assert f"> {text}" in rows(shown)
    assert words in " ".join(rows(shown))
    shown.handle_key(ENTER)
    assert told == [f"store {text}"]


@pytest.mark.parametrize(
    ("text", "written"), [("!secret", "$!secret"), ("$secret", "$$secret"), ("a$b!c", "a$$b!c")]
)
@pytest.mark.parametrize("is_clicked", [False, True])
def test_a_key_that_looks_like_a_name_can_be_meant_as_it_is(
    text: str, written: str, is_clicked: bool
) -> None:
    shown, told = dialog()
    shown.handle_paste(PasteEvent(text))
    assert "secret" not in "".join(rows(shown))
    if is_clicked:
        click(shown, "take as it is")
    else:
        shown.handle_key(TAB)
    assert f"A key of {len(text)} characters." in " ".join(rows(shown))
    assert "understand it" in " ".join(rows(shown))
    shown.handle_key(ENTER)
    assert told == [f"store {written}"]


def test_the_mouse_alone_stores_and_goes_back() -> None:
    shown, told = dialog()
    click(shown, "Enter store")
    assert told == []
    shown.handle_paste(PasteEvent(KEY))
    click(shown, "Enter store")
    click(shown, "Esc back")
    assert told == [f"store {KEY}", "back"]


def test_what_is_said_stands_until_something_is_typed() -> None:
    shown, _ = dialog()
    write(shown, "x")
    shown.say("Not stored.", "error")
    assert "Not stored." in rows(shown)
    write(shown, "y")
    assert "Not stored." not in rows(shown)


@pytest.mark.parametrize("most", range(1, 12))
def test_in_few_rows_the_line_stays_in_sight(most: int) -> None:
    shown, _ = dialog()
    write(shown, "abc")
    shown.max_rows = most
    shown_rows = rows(shown, 20)
    assert len(shown_rows) <= most
    assert "> •••" in shown_rows


@settings(max_examples=100)
@given(styled_texts, styled_texts, styled_texts, st.integers(1, 60), st.integers(1, 12))
def test_no_row_is_wider_than_its_width(
    title: str, note: str, typed: str, width: int, most: int
) -> None:
    shown, _ = dialog(ApiKeyTexts(title, [note, note]))
    shown.handle_paste(PasteEvent(typed))
    shown.max_rows = most
    lines = shown.render(width)
    assert len(lines) <= most
    assert all(visible_width(line) <= width for line in lines)


@pytest.mark.parametrize("story", ["empty", "pasted", "name"])
def test_pictures(story: str) -> None:
    shown, _ = dialog()
    if story == "pasted":
        shown.handle_paste(PasteEvent(KEY))
    elif story == "name":
        write(shown, "$OTHER_KEY")
    check_snapshot(
        SNAPSHOTS / "test_api_key_dialog" / f"{story}.txt",
        snapshot_component(shown.render),
    )
