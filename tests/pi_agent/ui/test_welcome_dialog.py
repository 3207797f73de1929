"""The welcome screen by itself: what it takes for an answer, and what it looks like when there is little room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.resources.keybindings_file import default_keybindings
from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.dialogs.welcome import REMEMBER, Way, WelcomeDialog
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.component import Component
from pi_tui.events import KeyEvent, MouseEvent, MouseType, PasteEvent
from pi_tui.key_parser import text_key
from pi_tui.keybindings import KeybindingsManager, get_keybindings, set_keybindings
from pi_tui.snapshot import check_snapshot, snapshot_component
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import SNAPSHOTS
from tests.pi_tui.strategies import styled_texts

THEME = load_bundled_theme("dark", color_mode="truecolor")
ENTER, SAVE = KeyEvent("enter", raw=b"\r"), KeyEvent("ctrl+s")
UP, DOWN, ESCAPE = KeyEvent("up"), KeyEvent("down"), KeyEvent("escape")
LOGIN = Way("login", "Sign in or paste an API key", "OpenAI, OpenRouter, Groq and others")
OLLAMA = Way("ollama", "Use Ollama at 127.0.0.1:11434", "3 models on this machine")
LLAMA = Way("llama", "Use llama.cpp at 127.0.0.1:8080", "1 model on this machine")
SMALL = Way("local", "Small built-in model", "tiny, unfit for real work; fetches 127 MB")
TOUR = Way("tour", "Take the tour", "a played example: no account, no network")
KEEP = Way(REMEMBER, "Remember what I choose", "and start with it next time")
QUIT = Way("quit", "Quit")
KINDS: tuple[MouseType, ...] = ("press", "click")
ROWS = {80: 20, 40: 11, 20: 6}
ALL = [LOGIN, OLLAMA, LLAMA, SMALL, TOUR, KEEP, QUIT]


@pytest.fixture(autouse=True)
def _keys_of_the_program() -> Iterator[None]:
    before = get_keybindings()
    set_keybindings(KeybindingsManager(default_keybindings()))
    yield
    set_keybindings(before)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def welcome(*ways: Way) -> tuple[WelcomeDialog, list[object], Clock]:
    told: list[object] = []
    clock = Clock()
    dialog = WelcomeDialog(
        THEME,
        on_pick=lambda value, remembers: told.append((value, remembers)),
        on_close=lambda: told.append("closed"),
        keep=told.append,
        clock=clock,
    )
    dialog.set_ways(ways)
    dialog.render(80)
    return dialog, told, clock


def rows(dialog: Component, width: int = 80) -> list[str]:
    return [strip_terminal_sequences(row).rstrip() for row in dialog.render(width)]


def row_of(dialog: Component, text: str) -> int:
    return next(at for at, row in enumerate(rows(dialog)) if text in row)


def click(dialog: WelcomeDialog, row: int, column: int = 5) -> None:
    for kind in KINDS:
        dialog.handle_mouse(MouseEvent(kind, "left", column, row, column, row))


def test_each_way_has_a_line_on_what_it_does() -> None:
    dialog, _, _ = welcome(*ALL)
    shown = rows(dialog, 100)
    for way in ALL:
        assert any(way.label in row and way.about in row for row in shown)


def test_where_there_is_no_room_beside_the_selected_way_tells_below_what_it_does() -> None:
    dialog, _, _ = welcome(*ALL)
    heights = set()
    for way in ALL:
        shown = rows(dialog, 40)
        below = " ".join(shown[-5:])
        assert way.about in below
        heights.add(len(shown))
        dialog.handle_key(DOWN)
    assert len(heights) == 1, "nothing jumps when another way is selected"


def test_servers_that_are_found_move_no_selection() -> None:
    dialog, told, _ = welcome(LOGIN, SMALL, TOUR, QUIT)
    dialog.handle_key(DOWN)
    dialog.handle_key(DOWN)
    dialog.set_ways(ALL)
    assert rows(dialog)[row_of(dialog, "Take the tour")].startswith("→")
    dialog.handle_key(ENTER)
    assert told == [("tour", False)]


def test_a_click_means_the_row_that_was_pressed() -> None:
    dialog, told, _ = welcome(LOGIN, SMALL, TOUR, QUIT)
    row = row_of(dialog, "Take the tour")
    dialog.handle_mouse(MouseEvent("press", "left", 5, row, 5, row))
    dialog.set_ways(ALL)
    dialog.handle_mouse(MouseEvent("click", "left", 5, row, 5, row))
    assert told == [("tour", False)]


def test_the_choice_is_remembered_when_the_box_is_ticked_by_keys_or_by_a_click() -> None:
    dialog, told, _ = welcome(LOGIN, KEEP, QUIT)
    dialog.handle_key(DOWN)
    dialog.handle_key(ENTER)
    assert "→ [x] Remember what I choose" in rows(dialog)[row_of(dialog, "Remember")]
    dialog.handle_key(UP)
    dialog.handle_key(ENTER)
    click(dialog, row_of(dialog, "Remember"))
    click(dialog, row_of(dialog, "Sign in"))
    assert told == [("login", True), ("login", False)]


def test_ctrl_s_chooses_and_remembers_at_once() -> None:
    dialog, told, _ = welcome(LOGIN, KEEP, QUIT)
    dialog.handle_key(SAVE)
    dialog.handle_key(DOWN)
    dialog.handle_key(SAVE)
    assert told == [("login", True)]
    assert "[x]" in rows(dialog)[row_of(dialog, "Remember")]


def test_enter_means_nothing_before_the_screen_can_have_been_seen() -> None:
    dialog, told, clock = welcome(*ALL)
    dialog.handle_key(ENTER)
    assert told == []
    clock.now = 1
    dialog.handle_key(ENTER)
    assert told == [("login", False)]


def test_what_is_typed_goes_to_the_editor_and_says_so() -> None:
    dialog, told, clock = welcome(*ALL)
    clock.now = 1
    letter, paste = text_key("f"), PasteEvent("ix it")
    dialog.handle_key(letter)
    dialog.handle_paste(paste)
    dialog.handle_key(ENTER)
    assert told == [letter, paste]
    assert any("What you type is kept for the editor." in row for row in rows(dialog))
    dialog.handle_key(DOWN)
    dialog.handle_key(ENTER)
    assert told[2:] == [("ollama", False)]


def test_escape_closes() -> None:
    dialog, told, _ = welcome(*ALL)
    dialog.handle_key(ESCAPE)
    assert told == ["closed"]


def test_what_keys_do_can_be_clicked() -> None:
    dialog, told, _ = welcome(LOGIN, KEEP, QUIT)
    row = row_of(dialog, "Enter choose")
    for word in ("choose and remember", "close", "choose"):
        click(dialog, row, rows(dialog)[row].index(word))
    assert told == [("login", True), "closed", ("login", False)]


def picture(dialog: WelcomeDialog) -> str:
    """Draw a dialog at the three widths, with as many rows as it gets there."""

    def render(width: int) -> list[str]:
        dialog.max_rows = ROWS[width]
        return dialog.render(width)

    return snapshot_component(render)


def test_what_it_looks_like() -> None:
    dialog, _, _ = welcome(*ALL)
    dialog.note = "Sent once a model is chosen: Why does the build fail?"
    dialog.handle_key(DOWN)
    check_snapshot(SNAPSHOTS / "test_welcome_dialog" / "welcome.txt", picture(dialog))


@given(styled_texts, styled_texts, styled_texts, st.integers(1, 120), st.integers(1, 30))
def test_no_row_is_wider_than_the_screen_and_no_more_are_there_than_fit(
    label: str, about: str, note: str, width: int, max_rows: int
) -> None:
    dialog, _, _ = welcome(Way("1", label, about), *ALL)
    dialog.note = note
    dialog.max_rows = max_rows
    shown = dialog.render(width)
    assert len(shown) <= max_rows
    assert all(visible_width(row) <= width for row in shown)
    if max_rows >= 3:
        assert any("→" in row for row in shown)
