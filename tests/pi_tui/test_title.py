"""The title of the terminal's window, and that it is given back."""

from __future__ import annotations

import pytest

from pi_tui.fullscreen import TuiAltScreen
from pi_tui.testing import HeadlessTerminal

pytestmark = pytest.mark.anyio

KEPT, BACK = "\x1b[22;0t", "\x1b[23;0t"


class Listening(HeadlessTerminal):
    """Notes what is written, the end included."""

    def __init__(self) -> None:
        super().__init__(40, 10)
        self.written = ""

    def write(self, data: str) -> None:
        self.written += data
        super().write(data)


async def test_the_title_that_was_there_is_kept_once_and_given_back() -> None:
    terminal = Listening()
    tui = TuiAltScreen(terminal)
    tui.start()
    tui.set_title("one")
    tui.set_title("two\n\x07lines")
    assert terminal.grid.title == "two lines"
    assert terminal.written.count(KEPT) == 1
    tui.set_title(None)
    assert terminal.written.endswith(BACK)
    tui.set_title(None)
    tui.stop()
    assert terminal.written.count(BACK) == 1


async def test_leaving_gives_it_back_and_coming_again_sets_it() -> None:
    terminal = Listening()
    tui = TuiAltScreen(terminal)
    tui.set_title("early")
    assert terminal.written == ""
    for _ in range(2):
        tui.start()
        assert terminal.grid.title == "early"
        tui.stop()
    assert (terminal.written.count(KEPT), terminal.written.count(BACK)) == (2, 2)


async def test_without_a_title_nothing_is_written_about_one() -> None:
    terminal = Listening()
    tui = TuiAltScreen(terminal)
    tui.start()
    tui.stop()
    assert KEPT not in terminal.written
    assert BACK not in terminal.written
