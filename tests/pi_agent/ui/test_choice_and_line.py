"""Dialogs to choose and to write a line: what answers them, and what they look like when there is little room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.dialogs.input import InputDialog
from pi_agent.ui.dialogs.select import SelectDialog
from pi_agent.ui.footer import Footer
from pi_agent.ui.plain import styled_line
from pi_agent.ui.widgets import WidgetLines
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.component import Component, Renderable
from pi_tui.events import KeyEvent, MouseEvent, PasteEvent
from pi_tui.snapshot import check_snapshot, snapshot_component
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import SNAPSHOTS
from tests.pi_tui.strategies import styled_texts

THEME = load_bundled_theme("dark", color_mode="truecolor")
ENTER = KeyEvent("enter", raw=b"\r")
DOWN, ESCAPE = KeyEvent("down"), KeyEvent("escape")
FRUIT = ["apple", "pear", "plum"]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def choice(options: list[str], title: str = "Which?") -> tuple[SelectDialog, list[object], Clock]:
    answers: list[object] = []
    clock = Clock()
    dialog = SelectDialog(title, options, THEME, answers.append, clock)
    dialog.render(40)
    return dialog, answers, clock


def rows(dialog: Renderable, width: int = 40) -> list[str]:
    return [strip_terminal_sequences(row).rstrip() for row in dialog.render(width)]


def test_enter_chooses_once_the_dialog_can_have_been_seen() -> None:
    dialog, answers, clock = choice(FRUIT)
    dialog.handle_key(ENTER)
    assert answers == []
    clock.now = 1
    dialog.handle_key(ENTER)
    dialog.handle_key(ENTER)
    assert answers == [0]


@pytest.mark.parametrize("paste", [False, True])
def test_what_was_meant_for_the_editor_chooses_nothing(paste: bool) -> None:
    dialog, answers, clock = choice(FRUIT)
    clock.now = 5
    if paste:
        dialog.handle_paste(PasteEvent("some text"))
    else:
        for letter in "some text":
            dialog.handle_key(KeyEvent(letter, letter))
    dialog.handle_key(ENTER)
    assert answers == []
    assert "choose" in "".join(rows(dialog))
    dialog.handle_key(DOWN)
    assert "choose" not in "".join(rows(dialog))
    dialog.handle_key(ENTER)
    assert answers == [1]


@pytest.mark.parametrize("text", ["just ask", "k", "task j"])
def test_a_sentence_with_letters_that_move_chooses_nothing(text: str) -> None:
    dialog, answers, clock = choice(FRUIT)
    for letter in text:
        dialog.handle_key(KeyEvent(letter, letter))
        clock.now += 0.1
    clock.now = 5
    dialog.handle_key(ENTER)
    assert answers == []
    dialog.handle_key(DOWN)
    dialog.handle_key(KeyEvent("j", "j"))
    dialog.handle_key(ENTER)
    assert answers == [2]


def test_two_options_of_one_text_are_two() -> None:
    dialog, answers, _ = choice(["same", "same"])
    dialog.handle_key(DOWN)
    dialog.handle_key(ENTER)
    assert answers == [1]


def test_of_nothing_nothing_can_be_chosen() -> None:
    dialog, answers, clock = choice([])
    clock.now = 5
    dialog.handle_key(ENTER)
    assert answers == []
    assert "There is nothing to choose from." in "".join(rows(dialog))
    dialog.handle_key(ESCAPE)
    assert answers == [None]


def test_a_long_list_shows_a_window_and_the_place_in_it() -> None:
    dialog, _, _ = choice([f"option {n}" for n in range(30)])
    for _ in range(15):
        dialog.handle_key(DOWN)
    shown = rows(dialog)
    assert "→ option 15" in shown
    assert "  (16/30)" in shown
    assert sum("option" in row for row in shown) == 10


def test_a_click_chooses_the_row_that_it_is_on() -> None:
    dialog, answers, _ = choice(FRUIT)
    row = next(number for number, text in enumerate(rows(dialog)) if "plum" in text)
    for kind in ("press", "click"):
        dialog.handle_mouse(MouseEvent(kind, "left", 3, row, 3, row))
    assert answers == [2]


@pytest.mark.parametrize("max_rows", range(1, 12))
def test_in_few_rows_the_choice_stays_in_sight(max_rows: int) -> None:
    dialog, _, _ = choice([f"option {n}" for n in range(30)], "A title\nof three\nrows")
    dialog.max_rows = max_rows
    shown = rows(dialog)
    assert len(shown) <= max_rows
    assert any("→ option 0" in row for row in shown)


@pytest.mark.parametrize("width", [1, 2, 20, 40])
def test_a_title_that_is_cut_says_so(width: int) -> None:
    dialog, _, _ = choice(FRUIT, "Which of these?\n" + "一二三 four " * 40)
    dialog.max_rows = 5
    shown = rows(dialog, width)
    assert shown[2].endswith("…")
    assert all(visible_width(row) <= width for row in shown)
    dialog.max_rows = None
    assert "…" not in "".join(rows(dialog, 40))


def line(placeholder: str = "") -> tuple[InputDialog, list[object], Clock]:
    answers: list[object] = []
    clock = Clock()
    dialog = InputDialog("Name?", placeholder, THEME, answers.append, clock)
    dialog.focused = True
    dialog.render(40)
    clock.now = 5
    return dialog, answers, clock


def test_a_line_is_written_and_sent() -> None:
    dialog, answers, _ = line("first and last")
    assert "first and last" in "".join(rows(dialog))
    for letter in "Ada":
        dialog.handle_key(KeyEvent(letter, letter))
    dialog.handle_paste(PasteEvent(" Love\nlace"))
    assert "first and last" not in "".join(rows(dialog))
    dialog.handle_key(ENTER)
    dialog.handle_key(ENTER)
    assert answers == ["Ada Love lace"]


def test_an_empty_line_is_an_answer_and_escape_is_none() -> None:
    dialog, answers, _ = line()
    dialog.handle_key(ENTER)
    assert answers == [""]
    dialog, answers, _ = line()
    dialog.handle_key(ESCAPE)
    assert answers == [None]


@pytest.mark.parametrize("max_rows", range(1, 5))
def test_in_few_rows_the_line_stays(max_rows: int) -> None:
    dialog, _, _ = line("here")
    dialog.max_rows = max_rows
    assert len(rows(dialog)) <= max_rows
    assert "here" in rows(dialog)[-1 if max_rows < 4 else -2]


def test_the_seconds_left_stand_in_the_title() -> None:
    dialog, _, _ = choice(FRUIT)
    dialog.remaining = 5
    assert "Which? (5s)" in rows(dialog)


def footer(texts: list[str]) -> Footer:
    made = Footer(THEME)
    made.lines = 3
    made.update(folder="x", statuses=tuple(styled_line(text) for text in texts if text))
    return made


MAKERS = {
    "choice": lambda texts: SelectDialog("\n".join(texts), texts, THEME, print),
    "line": lambda texts: InputDialog("\n".join(texts), "".join(texts), THEME, print),
    "widget": lambda texts: WidgetLines(texts, THEME),
    "footer": footer,
}


@pytest.mark.parametrize("what", list(MAKERS))
@given(texts=st.lists(styled_texts, max_size=13), width=st.integers(1, 60))
def test_no_row_is_wider_than_its_width(what: str, texts: list[str], width: int) -> None:
    for row in MAKERS[what](texts).render(width):
        assert visible_width(row) <= width
        assert "\n" not in row


def test_pictures() -> None:
    """Each at three widths."""
    dialog, _, _ = choice(
        [*FRUIT, "日本語のとても長い選択肢です", *"abcdefghij"], "Which one is it?"
    )
    dialog.remaining = 9
    dialog.handle_key(DOWN)
    asked, _, _ = line("first and last")
    asked.remaining = 3
    lines = [THEME.fg("accent", "Plan"), " 1. look at it", "日本語 and a line that has to wrap"]
    widget = WidgetLines([*lines, *map(str, range(9))], THEME)
    parts: dict[str, Component] = {
        "choice": dialog,
        "line": asked,
        "widget": widget,
        "footer": footer(["● ready", "turn 3 of 4", "日本語のテキスト"]),
    }
    for name, part in parts.items():
        picture = snapshot_component(part.render)
        check_snapshot(SNAPSHOTS / "test_choice_and_line" / f"{name}.txt", picture)
