"""What a terminal answers at the start, or does not: the keyboard is right, and nothing of it is typed.

Each case goes through the real decoder as it is, cut at each byte, and cut with time passing in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from pi_tui.capabilities import (
    TerminalCapabilities,
    get_capabilities,
    reset_capabilities_cache,
    set_capabilities,
)
from pi_tui.cell_size import DEFAULT_CELL_SIZE, get_cell_size, set_cell_size
from pi_tui.component import Component
from pi_tui.events import KeyEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.keys import matches_key
from pi_tui.known_terminals import ImageProtocol
from pi_tui.testing import HeadlessTerminal
from tests.pi_tui.input_line import Line

pytestmark = pytest.mark.anyio

KITTY, PLAIN = b"\x1b[?7u", b"\x1b[?0u"
DA1, SIXEL = b"\x1b[?62;22c", b"\x1b[?62;4;22c"
STATUS = b"\x1b]7501;ok\x1b\\"
CELL = b"\x1b[6;20;10t"
DARK = b"\x1b[?997;1n"
FOREGROUND, BACKGROUND = b"\x1b]10;rgb:d0/d0/d0\x07", b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"
PALETTE = b"".join(b"\x1b]4;%d;#%02x0000\x07" % (index, index) for index in range(16))
COLORS = FOREGROUND + BACKGROUND + PALETTE


@dataclass(frozen=True)
class Case:
    """What comes, and what holds then: which keyboard, and whether the terminal hears of the program's status."""

    comes: bytes
    keyboard: str
    hears: bool = False
    is_measured: bool = False
    shows_sixel: bool = False


CASES = {
    "kitty": Case(KITTY + DA1, "kitty"),
    "no kitty": Case(DA1, "other"),
    "kitty without flags": Case(PLAIN + DA1, "other"),
    "kitty after the end": Case(DA1 + KITTY, "kitty"),
    "kitty alone": Case(KITTY, "kitty"),
    "nothing": Case(b"", "legacy"),
    "all doubled": Case(KITTY + KITTY + DA1 + DA1, "kitty"),
    "doubled in a strange order": Case(DA1 + KITTY + DA1 + KITTY, "kitty"),
    "no kitty, doubled": Case(PLAIN + DA1 + PLAIN + DA1, "other"),
    "status": Case(KITTY + STATUS + DA1, "kitty", hears=True),
    "status first": Case(STATUS + KITTY + DA1, "kitty", hears=True),
    "status doubled": Case(STATUS + STATUS + DA1, "other", hears=True),
    "status too late": Case(KITTY + DA1 + STATUS, "kitty"),
    "status without an end": Case(STATUS, "legacy", hears=True),
    "cell size": Case(KITTY + DA1 + CELL, "kitty", is_measured=True),
    "cell size first": Case(CELL + DA1, "other", is_measured=True),
    "cells without pixels": Case(DA1 + b"\x1b[6;0;0t", "other"),
    "sixel": Case(SIXEL, "other", shows_sixel=True),
    "sixel after kitty": Case(KITTY + SIXEL + CELL, "kitty", is_measured=True, shows_sixel=True),
    "everything": Case(KITTY + STATUS + DA1 + DARK + CELL + COLORS + DA1, "kitty", True, True),
    "everything in a strange order": Case(
        COLORS + CELL + DARK + DA1 + DA1 + KITTY, "kitty", is_measured=True
    ),
    "what others asked for": Case(
        b"\x1b[?2026;2$y\x1b[12;40R\x1bP>|term 1\x1b\\\x1b_Gi=31;OK\x1b\\" + DA1,
        "other",
    ),
}  # fmt: skip


class Editor(Component):
    """Keeps the keys that come."""

    def __init__(self) -> None:
        self.focused = False
        self.keys: list[KeyEvent] = []

    def render(self, width: int) -> list[str]:
        return [""]

    def handle_key(self, event: KeyEvent) -> bool:
        self.keys.append(event)
        return True

    @property
    def text(self) -> str:
        return "".join(key.text for key in self.keys)


@pytest.fixture(autouse=True)
def plain_terminal() -> Iterator[None]:
    forget()
    yield
    forget()
    reset_capabilities_cache()


def forget() -> None:
    """Know nothing of the terminal."""
    set_capabilities(TerminalCapabilities())
    set_cell_size(*DEFAULT_CELL_SIZE)


@asynccontextmanager
async def started(
    environ: dict[str, str] | None = None,
) -> AsyncIterator[tuple[TuiAltScreen, HeadlessTerminal, Editor]]:
    """Start a program that works, on a terminal that is silent by itself."""
    terminal, editor = HeadlessTerminal(20, 5), Editor()
    tui = TuiAltScreen(terminal, strict=True, environ=environ or {})
    tui.add_child(editor)
    tui.set_focus(editor)
    tui.set_program_status("working", "test")
    tui.start()
    try:
        yield tui, terminal, editor
    finally:
        tui.stop()


def keyboard_of(terminal: HeadlessTerminal, editor: Editor) -> str:
    """Return which keyboard is in use, as one sees by what Ctrl+J, or Shift+Enter in kitty, is taken for."""
    terminal.send(b"\n")
    is_kitty = matches_key(editor.keys[-1], "shift+enter")
    if terminal.grid.modify_other_keys:
        return "both" if is_kitty else "other"
    return "kitty" if is_kitty else "legacy"


def assert_holds(case: Case, terminal: HeadlessTerminal, editor: Editor) -> None:
    told = [string.body for string in terminal.grid.strings if string.body.startswith("7501;s")]
    assert keyboard_of(terminal, editor) == case.keyboard
    assert told == (["7501;state=working:app=test"] if case.hears else [])
    assert get_cell_size() == ((10, 20) if case.is_measured else DEFAULT_CELL_SIZE)
    assert get_capabilities().images == ("sixel" if case.shows_sixel else None)
    terminal.send(b"h")
    assert editor.text == "h"


@pytest.mark.parametrize("name", CASES)
async def test_what_is_answered(name: str) -> None:
    case = CASES[name]
    async with started() as (_, terminal, editor):
        assert terminal.grid.kitty_flags == (7,)
        terminal.send(case.comes)
        assert [key.id for key in editor.keys] == []
        assert_holds(case, terminal, editor)


@pytest.mark.parametrize("name", CASES)
async def test_what_is_answered_in_two_pieces(name: str) -> None:
    case = CASES[name]
    for cut in range(1, min(len(case.comes), 90)):
        forget()
        async with started() as (_, terminal, editor):
            terminal.send(case.comes[:cut])
            terminal.send(case.comes[cut:])
            assert editor.keys == []
            assert_holds(case, terminal, editor)


@pytest.mark.parametrize("name", CASES)
def test_what_is_answered_in_two_pieces_on_a_slow_line(name: str) -> None:
    """An ESC that nothing follows is the Escape key; its rest is an answer all the same."""
    comes = CASES[name].comes
    whole = Line(queries=1)
    whole.send(comes)
    for cut in range(1, len(comes)):
        line = Line(queries=1)
        line.send(comes[:cut])
        line.wait(0.15)
        line.send(comes[cut:] + b"h")
        assert line.text == "h", cut
        is_escape = comes[cut - 1] == 0x1B and comes[cut] != ord("\\")
        assert line.keys == (["escape", "h"] if is_escape else ["h"]), cut
        assert line.replies == whole.replies, cut


async def test_byte_by_byte() -> None:
    for case in CASES.values():
        forget()
        async with started() as (_, terminal, editor):
            for byte in case.comes:
                terminal.send(bytes((byte,)))
            assert editor.keys == []
            assert_holds(case, terminal, editor)


async def test_what_comes_while_leaving_turns_nothing_on() -> None:
    async with started() as (tui, terminal, _):
        await tui.drain_input(limit=0)
        terminal.send(KITTY + DA1)
        assert terminal.grid.kitty_flags == ()
        assert not terminal.grid.modify_other_keys


async def test_each_start_asks_anew() -> None:
    async with started() as (tui, terminal, editor):
        terminal.send(KITTY + STATUS + DA1)
        tui.stop()
        tui.start()
        assert terminal.grid.kitty_flags == (7,)
        assert keyboard_of(terminal, editor) == "legacy"
        terminal.send(DA1)
        assert keyboard_of(terminal, editor) == "other"


@pytest.mark.parametrize(("images", "size"), [(None, DEFAULT_CELL_SIZE), ("kitty", (10, 20))])
async def test_the_size_of_cells_is_asked_for_where_pictures_are_shown(
    images: ImageProtocol | None, size: tuple[int, int]
) -> None:
    set_capabilities(TerminalCapabilities(images=images))
    terminal = HeadlessTerminal(20, 5, answers={"cell_size": "20;10"})
    tui = TuiAltScreen(terminal, environ={})
    tui.start()
    await asyncio.sleep(0)
    tui.stop()
    assert get_cell_size() == size


async def test_a_terminal_that_shows_sixel_is_asked_when_it_has_said_so() -> None:
    terminal = HeadlessTerminal(20, 5, answers={"cell_size": "20;10", "da1": "?62;4"})
    tui = TuiAltScreen(terminal, environ={})
    tui.start()
    for _ in range(3):
        await asyncio.sleep(0)
    assert get_capabilities().images == "sixel"
    assert get_cell_size() == (10, 20)
    tui.stop()


async def test_a_new_size_of_cells_draws_all_anew() -> None:
    class Picture(Component):
        dropped = 0

        def render(self, width: int) -> list[str]:
            return ["x"]

        def invalidate(self) -> None:
            self.dropped += 1

    async with started() as (tui, terminal, _):
        picture = Picture()
        tui.add_child(picture)
        tui.render_now()
        before = picture.dropped, terminal.rows_written
        terminal.send(CELL)
        tui.render_now()
        assert (picture.dropped, terminal.rows_written) == (before[0] + 1, before[1] + 5)
        terminal.send(CELL)
        tui.render_now()
        assert terminal.rows_written == before[1] + 5


async def test_the_terminal_says_what_it_is() -> None:
    async with started() as (tui, terminal, _):
        assert tui.terminal_attributes == frozenset()
        terminal.send(SIXEL)
        assert tui.terminal_attributes == {62, 4, 22}


@pytest.mark.parametrize(
    ("value", "asks", "hears"), [("1", 0, True), ("0", 0, False), ("auto", 1, False)]
)
async def test_a_person_may_decide_about_the_status(value: str, asks: int, hears: bool) -> None:
    async with started({"PI_PROGRAM_STATUS": value}) as (_, terminal, _):
        bodies = [string.body for string in terminal.grid.strings]
        assert bodies.count("7501;?") == asks
        assert ("7501;state=working:app=test" in bodies) is hears
        terminal.send(STATUS)
        bodies = [string.body for string in terminal.grid.strings]
        assert ("7501;state=working:app=test" in bodies) is (value != "0")
