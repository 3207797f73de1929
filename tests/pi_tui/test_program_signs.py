"""What a program says to the terminal besides its screen: its status and that it works."""

from __future__ import annotations

import asyncio
import base64

import pytest

from pi_tui.fullscreen import TuiAltScreen
from pi_tui.program_status import program_status_sequence
from pi_tui.regular import TuiMainScreen
from pi_tui.testing import HeadlessTerminal
from pi_tui.window_progress import WindowProgress

pytestmark = pytest.mark.anyio

PROGRESS, NO_PROGRESS = "9;4;3", "9;4;0"
STATUS = b"\x1b]7501;ok\x1b\\"


def said(terminal: HeadlessTerminal, number: str) -> list[str]:
    """Return the bodies of one kind of control string, questions left out."""
    bodies = [string.body for string in terminal.grid.strings]
    return [body for body in bodies if body.startswith(number) and not body.endswith("?")]


def message_of(sequence: str) -> str:
    return base64.b64decode(sequence.partition("msg=")[2].removesuffix("\x1b\\")).decode()


@pytest.mark.parametrize(
    ("arguments", "sequence"),
    [
        (("idle",), "state=idle"),
        (("working", "pi"), "state=working:app=pi"),
        (
            ("blocked", "pi", "question", "Pick\na color"),
            "state=blocked:app=pi:kind=question:msg=UGljayBhIGNvbG9y",
        ),
        (("blocked", None, "permission"), "state=blocked:kind=permission"),
        (("done", "pi", "question"), "state=done:app=pi"),
        (("error", "a b"), "state=error"),
        (("error", "x" * 33), "state=error"),
        (("error", "A1_.+-"), "state=error:app=A1_.+-"),
        (("clear", None, None, " \x1b\x07 \n"), "state=clear"),
    ],
)
def test_the_status_as_it_is_written(arguments: tuple[str, ...], sequence: str) -> None:
    written = program_status_sequence(*arguments)  # type: ignore[arg-type]  # words of the table
    assert written == f"\x1b]7501;{sequence}\x1b\\"


def test_a_message_is_cut_at_a_character() -> None:
    assert message_of(program_status_sequence("done", message="x" * 3000)) == "x" * 2048
    assert message_of(program_status_sequence("done", message="日" * 3000)) == "日" * 682
    assert message_of(program_status_sequence("done", message="a\ud800b")) == "a?b"


@pytest.mark.parametrize("mode", [TuiAltScreen, TuiMainScreen])
async def test_the_status_is_told_again_and_taken_back(
    mode: type[TuiAltScreen] | type[TuiMainScreen],
) -> None:
    terminal = HeadlessTerminal(20, 5)
    tui = mode(terminal, environ={})
    tui.start()
    tui.set_program_status("working", "pi")
    tui.set_program_status("idle", "pi")
    assert said(terminal, "7501") == []
    terminal.send(STATUS)
    assert said(terminal, "7501") == ["7501;state=idle:app=pi"]
    tui.set_program_status("idle", "pi")
    tui.set_program_status("done", "pi")
    assert said(terminal, "7501")[1:] == ["7501;state=done:app=pi"]
    tui.stop()
    assert said(terminal, "7501")[2:] == ["7501;state=clear"]
    tui.set_program_status("error", "pi")
    assert len(said(terminal, "7501")) == 3
    tui.start()
    assert said(terminal, "7501")[3:] == ["7501;state=error:app=pi"]
    tui.stop()
    tui.stop()
    assert said(terminal, "7501")[4:] == ["7501;state=clear"]


async def test_a_terminal_that_does_not_want_to_know_hears_nothing() -> None:
    terminal = HeadlessTerminal(20, 5)
    tui = TuiAltScreen(terminal, environ={})
    tui.start()
    tui.set_program_status("working", "pi")
    tui.stop()
    assert said(terminal, "7501") == []


@pytest.mark.parametrize("mode", [TuiAltScreen, TuiMainScreen])
async def test_progress_is_shown_until_the_end_and_again_after_it(
    mode: type[TuiAltScreen] | type[TuiMainScreen],
) -> None:
    terminal = HeadlessTerminal(20, 5)
    tui = mode(terminal, environ={})
    tui.set_progress(True)
    assert said(terminal, "9") == []
    tui.start()
    tui.set_progress(True)
    assert said(terminal, "9") == [PROGRESS]
    tui.stop()
    assert said(terminal, "9") == [PROGRESS, NO_PROGRESS]
    tui.start()
    tui.set_progress(False)
    tui.set_progress(False)
    assert said(terminal, "9")[2:] == [PROGRESS, NO_PROGRESS]
    tui.stop()
    assert said(terminal, "9")[4:] == []


def test_progress_is_shown_again_every_second() -> None:
    """Terminals take the sign away when they hear nothing more of it."""
    due: list[tuple[float, object]] = []
    written: list[str] = []

    class Due:
        def cancel(self) -> None:
            due.clear()

    def later(seconds: float, function: object) -> Due:
        due.append((seconds, function))
        return Due()

    progress = WindowProgress(later, written.append)
    assert progress.change(True) == "\x1b]9;4;3\x07"
    for count in (1, 2):
        ((seconds, function),) = due
        due.clear()
        assert seconds == 1
        assert callable(function)
        function()
        assert written == ["\x1b]9;4;3\x07"] * count
    progress.pause()
    assert not due
    assert progress.leave() == "\x1b]9;4;0\x07"
    progress.enter()
    assert progress.change(False) == "\x1b]9;4;0\x07"
    assert not due
    assert progress.leave() == ""


async def test_nothing_is_said_after_the_end() -> None:
    terminal = HeadlessTerminal(20, 5)
    tui = TuiAltScreen(terminal, environ={"PI_PROGRAM_STATUS": "1"})
    tui.start()
    tui.set_progress(True)
    tui.set_program_status("working")
    tui.stop()
    written = terminal.grid.bytes_written
    tui.set_progress(False)
    tui.set_progress(True)
    tui.set_title("x")
    tui.set_program_status("done")
    await asyncio.sleep(0)
    assert terminal.grid.bytes_written == written
