"""The terminal's own cursor stands on the caret's cell, where input methods look for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pi_tui import TUI, Renderable, StackEntry
from pi_tui.component import CURSOR_MARKER, Component, render_fake_cursor
from pi_tui.components import (
    Box,
    Editor,
    HStack,
    Input,
    ScrollView,
    Spacer,
    Text,
    VStack,
)
from pi_tui.events import KeyEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.testing import HeadlessTerminal, Pilot
from pi_tui.theme import EditorTheme, SelectListTheme
from tests.pi_tui.places import MODES

pytestmark = pytest.mark.anyio


class Field(Component):
    """A text with the caret behind so many characters of it."""

    def __init__(self, text: str = "", caret: int | None = None) -> None:
        self.focused = False
        self.text = text
        self.caret = len(text) if caret is None else caret

    def handle_key(self, event: KeyEvent) -> bool:
        self.text += event.text
        self.caret = len(self.text)
        return True

    def render(self, width: int) -> list[str]:
        if not self.focused:
            return [self.text]
        before, at, after = (
            self.text[: self.caret],
            self.text[self.caret : self.caret + 1],
            self.text[self.caret + 1 :],
        )
        return [f"{before}{CURSOR_MARKER}{render_fake_cursor(at or ' ')}{after}"]


@contextmanager
def shown(
    root: Renderable, mode: str, columns: int = 20, rows: int = 8, *, cursor: bool = True
) -> Iterator[tuple[TUI, Pilot]]:
    terminal = HeadlessTerminal(columns, rows)
    tui = MODES[mode](terminal, environ={}, show_hardware_cursor=cursor)
    tui.set_layout_root(root)
    tui.start()
    try:
        yield tui, Pilot(tui, terminal)
    finally:
        tui.stop()


def caret(pilot: Pilot) -> tuple[int, int] | None:
    """Return the cell of the cursor that a person sees, if there is one."""
    pilot.tui.render_now()
    grid = pilot.terminal.grid
    return grid.cursor if grid.cursor_visible else None


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("text", "at", "column"),
    [
        ("", 0, 0),
        ("abc", 3, 3),
        ("abc", 1, 1),
        ("日本語", 3, 6),
        ("日本語", 1, 2),
        ("e\u0301a", 3, 2),
        ("👨‍👩‍👧‍👦x", 8, 3),
        ("🇩🇪", 2, 2),
        ("กำ", 2, 2),
        ("x" * 19, 19, 19),
        ("x" * 20, 20, 19),  # behind a full row it stays on the screen
        ("x" * 21, 21, None),  # cut off with what is too wide
        ("日" * 10, 10, 19),
    ],
)
async def test_it_stands_where_the_marker_is(
    mode: str, text: str, at: int, column: int | None
) -> None:
    field = Field(text, at)
    with shown(VStack([Text("above", 0, 0), field]), mode) as (tui, pilot):
        assert caret(pilot) is None
        tui.set_focus(field)
        assert caret(pilot) == (None if column is None else (column, 1))
        tui.set_focus(None)
        assert caret(pilot) is None


@pytest.mark.parametrize("mode", MODES)
async def test_hidden_it_stands_there_all_the_same(mode: str) -> None:
    field = Field("日本")
    with shown(VStack([Text("above", 0, 0), field]), mode, cursor=False) as (tui, pilot):
        tui.set_focus(field)
        assert caret(pilot) is None
        assert pilot.terminal.grid.cursor == (4, 1)
        assert pilot.terminal.grid.cell(4, 1).style.inverse
        tui.set_show_hardware_cursor(True)
        assert caret(pilot) == (4, 1)
        assert not pilot.terminal.grid.cell(4, 1).style.inverse
        tui.set_show_hardware_cursor(False)
        assert caret(pilot) is None


@pytest.mark.parametrize("mode", MODES)
async def test_it_follows_into_an_overlay_and_back(mode: str) -> None:
    field, inner = Field("below"), Field("日")
    with shown(VStack([field, Spacer(5)]), mode) as (tui, pilot):
        tui.set_focus(field)
        handle = tui.show_overlay(inner, width=10, row=3, col=4)
        assert caret(pilot) == (6, 3)
        handle.hide()
        assert caret(pilot) == (5, 0)
        tui.show_overlay(Text("no field", 0, 0), row=3)
        assert caret(pilot) is None


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("column", "is_seen"), [(6, True), (5, False), (0, False)])
async def test_it_is_not_seen_through_an_overlay(mode: str, column: int, is_seen: bool) -> None:
    field = Field("below")
    with shown(VStack([field, Spacer(5)]), mode) as (tui, pilot):
        tui.set_focus(field)
        tui.show_overlay(Text("over", 0, 0), width=8, row=0, col=column, non_capturing=True)
        assert caret(pilot) == ((5, 0) if is_seen else None)


async def test_it_scrolls_with_its_row() -> None:
    field = Field("field")
    document = VStack([Spacer(20), field, Spacer(20)])
    view = ScrollView(document)
    with shown(view, "fullscreen") as (tui, pilot):
        tui.set_focus(field)
        assert caret(pilot) is None
        view.scroll_to(18)
        assert caret(pilot) == (5, 2)
        view.scroll_to(21)
        assert caret(pilot) is None
        view.scroll_to_end()
        assert caret(pilot) is None


async def test_it_is_in_the_column_and_the_box_of_its_field() -> None:
    field = Field("日")
    box = Box(2, 1)
    box.add_child(field)
    columns = HStack([StackEntry(Text("l", 0, 0), basis=3, shrink=0), box])
    for root in (columns, ScrollView(VStack([columns]))):
        with shown(root, "fullscreen") as (tui, pilot):
            tui.set_focus(field)
            assert caret(pilot) == (7, 1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("width", [1, 2, 3, 20, 80])
@pytest.mark.parametrize("text", ["", "日本語" * 14, "x" * 90], ids=["none", "wide", "long"])
async def test_every_field_shows_it_at_every_width(mode: str, width: int, text: str) -> None:
    field = Input("")
    field.set_value(text)
    host = MODES[mode](HeadlessTerminal(width, 8), environ={})
    editor = Editor(host, EditorTheme(str, SelectListTheme(str, str, str, str, str)))
    editor.set_text(text)
    for one in (field, editor):
        with shown(VStack([one]), mode, width, 8) as (tui, pilot):
            tui.set_focus(one)
            assert caret(pilot) is not None
            for key in ("home", "right", "end", "left"):
                pilot.press(key)
                assert caret(pilot) is not None, (type(one).__name__, key)


async def test_the_search_in_the_document_shows_it() -> None:
    terminal = HeadlessTerminal(60, 12)
    tui = TuiAltScreen(terminal, environ={}, show_hardware_cursor=True)
    tui.add_child(Text("some text", 0, 0))
    tui.start()
    pilot = Pilot(tui, terminal)
    terminal.send(b"\x1b[102;6u")
    tui.render_now()
    assert "Find in transcript" in pilot.screen()
    row = next(y for y, line in enumerate(pilot.lines()) if "Find in transcript" in line)
    at = caret(pilot)
    assert at is not None
    assert at[1] == row
    pilot.type("so")
    moved = caret(pilot)
    assert moved == (at[0] + 2, row)
    tui.stop()
