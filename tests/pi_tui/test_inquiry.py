"""Questions to a terminal, asked over a real pseudo-terminal whose other end answers well, late, in pieces or never."""

from __future__ import annotations

import os
import pty
import select
import signal
import termios
import threading
from collections.abc import Callable, Iterator

import pytest

from pi_tui.inquiry import MOUSE_MODE, SYNC_MODE, TerminalInquiry

LAST_QUESTION = b"\x1b[c"
POSITIONS = b"\x1b[4;1R\x1b[4;2R"
ANSWERS = (
    POSITIONS
    + b"\x1bP>|Fancy 1.2\x1b\\\x1b[?0u\x1b[?1006;2$y\x1b[?2004;2$y\x1b[?2026;0$y\x1b[?2031;4$y\x1b[6;18;9t"
    + b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\\x1b]11;rgb:1e1e/1e1e/2e2e\x07\x1b_Gi=31;OK\x1b\\\x1b[?62;4;22c"
)


class FakeTerminal:
    """The other end: it reads the questions, and answers when it is told to."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)

    def questions(self) -> bytes:
        """Read until the last question has come."""
        asked = b""
        while not asked.endswith(LAST_QUESTION):
            asked += os.read(self.master, 4096)
        return asked

    def send(self, data: bytes) -> None:
        os.write(self.master, data)

    def left_over(self) -> bytes:
        """Return what the next program, which reads without lines, would find typed."""
        mode = termios.tcgetattr(self.slave)
        mode[3] &= ~termios.ICANON
        termios.tcsetattr(self.slave, termios.TCSANOW, mode)
        ready, _, _ = select.select([self.slave], [], [], 0)
        return os.read(self.slave, 4096) if ready else b""

    def close(self) -> None:
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal() -> Iterator[FakeTerminal]:
    fake = FakeTerminal()
    yield fake
    fake.close()


def answering(terminal: FakeTerminal, answer: Callable[[], None]) -> threading.Thread:
    """Let a thread read the questions and then answer."""

    def work() -> None:
        terminal.questions()
        answer()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_everything_that_was_answered_is_known(terminal: FakeTerminal) -> None:
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        assert inquiry.ask()
        thread = answering(terminal, lambda: terminal.send(ANSWERS))
        answers = inquiry.answers(10)
        thread.join()
    assert answers.is_complete
    assert answers.name == "Fancy 1.2"
    assert answers.has_kitty_keyboard
    assert answers.has_kitty_graphics
    assert answers.attributes == {62, 4, 22}
    assert (answers.foreground, answers.background) == ((255, 255, 255), (30, 30, 46))
    assert answers.cell_size == (9, 18)
    assert answers.sample_cells == 1
    assert answers.can(MOUSE_MODE)
    assert not answers.can(SYNC_MODE)
    assert not answers.can(2031)  # it knows the mode, and never turns it on


def test_answers_may_come_byte_by_byte(terminal: FakeTerminal) -> None:
    def answer() -> None:
        for number in range(len(ANSWERS)):
            terminal.send(ANSWERS[number : number + 1])

    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        thread = answering(terminal, answer)
        answers = inquiry.answers(10)
        thread.join()
    assert (answers.name, answers.background, answers.is_complete) == (
        "Fancy 1.2",
        (30, 30, 46),
        True,
    )


def test_one_that_knows_only_the_last_question_is_known_to_know_no_other(
    terminal: FakeTerminal,
) -> None:
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        terminal.questions()
        terminal.send(b"\x1b[?1;2c")
        answers = inquiry.answers(10)
    assert answers.is_complete
    assert not answers.has_kitty_keyboard
    assert answers.modes == {}
    assert answers.sample_cells is None


def test_nothing_is_shown_meanwhile_and_the_terminal_is_as_before(terminal: FakeTerminal) -> None:
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        terminal.questions()
        terminal.send(ANSWERS)
        inquiry.answers(10)
        ready, _, _ = select.select([terminal.master], [], [], 0)
        assert not ready  # with echo on, the answers would have come back
    assert termios.tcgetattr(terminal.slave) == terminal.before
    assert terminal.left_over() == b""


def test_an_interrupt_gives_the_terminal_back_wherever_it_comes(terminal: FakeTerminal) -> None:
    before = termios.tcgetattr(terminal.slave)
    # Whoever runs the tests may have it ignored.
    as_it_was = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        TerminalInquiry(terminal.slave, {}).__enter__()
        assert termios.tcgetattr(terminal.slave) != before
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        # It may have come when `__exit__` had only begun: nothing else can be counted on.
        assert termios.tcgetattr(terminal.slave) == before
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, as_it_was)


def test_a_silent_terminal_is_not_waited_for_longer_than_said(terminal: FakeTerminal) -> None:
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        answers = inquiry.answers(0.05)
    assert not answers.is_complete
    assert termios.tcgetattr(terminal.slave) == terminal.before


def test_what_comes_too_late_is_not_left_for_the_shell(terminal: FakeTerminal) -> None:
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        terminal.questions()
        assert not inquiry.answers(0).is_complete
        terminal.send(ANSWERS)
    assert terminal.left_over() == b""


def test_what_was_typed_before_is_not_lost(terminal: FakeTerminal) -> None:
    terminal.send(b"ls\n")
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        assert not inquiry.ask()
        assert not inquiry.answers(10).is_complete
    assert terminal.left_over() == b"ls\n"


def test_what_is_typed_behind_the_answers_is_not_lost(terminal: FakeTerminal) -> None:
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        terminal.send(ANSWERS + b"ls\n")
        assert inquiry.answers(10).is_complete
    assert terminal.left_over() == b"ls\n"


def test_a_terminal_that_hangs_up_is_no_failure() -> None:
    terminal = FakeTerminal()
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        os.close(terminal.master)
        assert not inquiry.answers(10).is_complete
    os.close(terminal.slave)


@pytest.mark.parametrize(
    ("sent", "cells"),
    [(b"\x1b[9;1R\x1b[9;3R", 2), (b"\x1b[9;7R\x1b[9;10R", 3), (b"\x1b[9;7R", None)],
)
def test_the_width_of_a_character_is_measured(
    sent: bytes, cells: int | None, terminal: FakeTerminal
) -> None:
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        terminal.send(sent + b"\x1b[?1c")
        assert inquiry.answers(10).sample_cells == cells


@pytest.mark.parametrize(
    ("setting", "has_true_color"),
    [
        (b"1$r0;48:2:1:2:3m", True),
        (b"1$r48:2::1:2:3m", True),
        (b"1$r0;48;2;1;2;3m", True),
        (b"1$r0;48:2:0:1:2:3m", True),
        (b"1$r0;48;5;16m", False),
        (b"1$r0m", False),
        (b"0$r", False),
    ],
)
def test_an_exact_color_is_set_and_asked_for(
    setting: bytes, has_true_color: bool, terminal: FakeTerminal
) -> None:
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        terminal.send(b"\x1bP" + setting + b"\x1b\\\x1b[?62c")
        answers = inquiry.answers(10)
    assert (answers.is_complete, answers.has_true_color) == (True, has_true_color)


@pytest.mark.parametrize(
    "environ", [{"TMUX": "/tmp/tmux,1,0"}, {"STY": "1.pts"}, {"TERM": "screen-256color"}]
)
def test_a_multiplexer_is_not_asked_what_it_takes_for_something_else(
    environ: dict[str, str], terminal: FakeTerminal
) -> None:
    with TerminalInquiry(terminal.slave, environ) as inquiry:
        inquiry.ask()
        asked = terminal.questions()
        assert b"\x1b_" not in asked
        assert b"\x1bP" not in asked
        terminal.send(b"\x1b[?1c")
        inquiry.answers(10)
    with TerminalInquiry(terminal.slave, {}) as inquiry:
        inquiry.ask()
        asked = terminal.questions()
        assert b"\x1b_G" in asked
        assert b"\x1bP$qm" in asked
