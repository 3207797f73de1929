"""A question must not be answered by what was meant for the editor, nor hide what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.dialogs.confirm import ConfirmDialog
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.events import KeyEvent, MouseEvent, PasteEvent
from tests.pi_agent.ui.support import interactive, script

THEME = load_bundled_theme("dark", color_mode="truecolor")
ENTER = KeyEvent("enter", raw=b"\r")


def question(
    message: str = "rm -rf build", clock: Sequence[float] = (0.0,)
) -> tuple[ConfirmDialog, list[bool]]:
    answers: list[bool] = []
    dialog = ConfirmDialog("Run it?", message, THEME, answers.append, clock=lambda: clock[0])
    dialog.render(40)
    return dialog, answers


def rows(dialog: ConfirmDialog, width: int = 40) -> list[str]:
    return [strip_terminal_sequences(row).rstrip() for row in dialog.render(width)]


def test_enter_says_yes_once_the_question_can_have_been_seen() -> None:
    clock = [100.0]
    dialog, answers = question(clock=clock)
    dialog.handle_key(ENTER)
    assert answers == []
    clock[0] += 1
    dialog.handle_key(ENTER)
    dialog.handle_key(ENTER)
    assert answers == [True]


def click(dialog: ConfirmDialog, text: str) -> None:
    """Click on the row that shows a text."""
    y = next(y for y, row in enumerate(rows(dialog)) if text in row)
    for kind in ("press", "release", "click"):
        dialog.handle_mouse(MouseEvent(kind, "left", 2, y, 2, y, 40, 8))


def test_a_click_on_an_answer_gives_it_once_the_question_can_have_been_seen() -> None:
    clock = [100.0]
    dialog, answers = question(clock=clock)
    click(dialog, "No")
    assert (answers, "→ No" in rows(dialog)) == ([], True)
    clock[0] += 1
    click(dialog, "rm -rf build")
    assert answers == []
    click(dialog, "Yes")
    assert answers == [True]


def test_a_click_only_chooses_while_a_part_of_the_question_is_hidden() -> None:
    clock = [100.0]
    dialog, answers = question("\n".join(f"echo {n}" for n in range(50)), clock)
    dialog.max_rows = 8
    clock[0] += 1
    click(dialog, "Yes")
    assert answers == []
    click(dialog, "Yes")
    assert answers == [True]


@pytest.mark.parametrize("text", ["ask", "just ask", "k"])
def test_letters_that_move_are_part_of_the_sentence_that_the_question_interrupts(text: str) -> None:
    clock = [100.0]
    dialog, answers = question(clock=clock)
    for letter in text:
        dialog.handle_key(KeyEvent(letter, letter))
    clock[0] += 1
    dialog.handle_key(ENTER)
    assert answers == []


@pytest.mark.parametrize("paste", [False, True])
def test_a_sentence_that_the_question_interrupts_answers_nothing(paste: bool) -> None:
    dialog, answers = question()
    if paste:
        dialog.handle_paste(PasteEvent("y"))
    else:
        dialog.handle_key(KeyEvent("y", "y"))
    dialog.handle_key(ENTER)
    assert answers == []
    assert "→" not in "".join(rows(dialog))
    dialog.handle_key(KeyEvent("down"))
    assert "→ Yes" in rows(dialog)
    dialog.handle_key(KeyEvent("down"))
    dialog.handle_key(ENTER)
    assert answers == [False]


def test_of_a_long_question_the_end_is_shown_and_the_gap_is_told() -> None:
    dialog, _ = question("\n".join(["cd /tmp", *(f"echo {n}" for n in range(50)), "rm -rf ~"]))
    dialog.max_rows = 10
    assert rows(dialog) == [
        "Run it?",
        "cd /tmp",
        "echo 0",
        "echo 1",
        "… 46 more rows …",
        "echo 48",
        "echo 49",
        "rm -rf ~",
        "  Yes  ↑↓ choose",
        "  No",
    ]


@pytest.mark.parametrize("max_rows", range(1, 12))
def test_enter_answers_no_question_that_is_hidden_in_part(max_rows: int) -> None:
    clock = [0.0]
    dialog, answers = question("one\ntwo\nrm -rf ~\nfour", clock)
    dialog.max_rows = max_rows
    shown = rows(dialog)
    assert len(shown) <= max_rows
    clock[0] += 1
    dialog.handle_key(ENTER)
    assert answers == ([True] if "rm -rf ~" in shown and "four" in shown else [])
    dialog.handle_key(KeyEvent("down"))
    assert "→" in "".join(rows(dialog))
    dialog.handle_key(ENTER)
    assert len(answers) == 1


@pytest.mark.anyio
async def test_sending_shows_the_end_of_the_conversation(tmp_path: Path) -> None:
    environ = script(
        tmp_path, {"text": "\n".join(f"row {n}" for n in range(100))}, {"text": "Done."}
    )
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.settled("row 99")
        program.pilot.press("pageUp", "pageUp")
        assert "row 99" not in program.pilot.screen()
        program.say("on we go")
        await program.settled("Done.")
        assert "on we go" in program.pilot.screen()


@pytest.mark.anyio
async def test_of_a_command_that_fails_the_end_is_shown(tmp_path: Path) -> None:
    call = {"name": "bash", "arguments": {"command": "seq 1 100; echo broken; exit 3"}}
    environ = script(tmp_path, {"toolCalls": [call]}, {"text": "Done."})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ, rows=40) as program:
        program.say("go")
        await program.settled("Done.")
        shown = [row.strip() for row in program.pilot.lines()]
    assert "broken" in shown
    assert "100" in shown
    assert "1" not in shown
