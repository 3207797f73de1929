"""Searching on the screen: the panel, what is painted, keys and mouse, and the way back."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import Component
from pi_tui.events import MouseEvent
from pi_tui.key_parser import set_kitty_protocol_active
from pi_tui.keybindings import TUI_KEYBINDINGS, KeybindingsManager, set_keybindings
from pi_tui.overlay import OverlayOptions
from pi_tui.search_panel import ButtonStyle, SearchAction, SearchPanel
from pi_tui.snapshot import check_snapshot
from pi_tui.testing import render_to_terminal
from tests.pi_tui.mouse_screen import Scene, scene
from tests.pi_tui.strategies import plain_texts
from tests.pty_session import PtySession

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOTS = ROOT / "snapshots" / "pi_tui" / "test_search_screen"
OPEN = b"\x1b\x06"  # Ctrl+Alt+F, which every terminal sends
OPEN_ON_A_NEW_KEYBOARD = b"\x1b[102;6u"
LINES = tuple(f"line {number:02} {'needle' if number % 10 == 5 else 'hay'}" for number in range(60))


def send(shown: Scene, data: bytes) -> None:
    shown.pilot.terminal.send(data)
    shown.tui.render_now()


async def look_for(shown: Scene, text: str) -> None:
    """Open the panel, type, and wait until everything has been read."""
    send(shown, OPEN)
    shown.pilot.type(text)
    await read(shown)


async def read(shown: Scene) -> None:
    await shown.pilot.wait_for(lambda: "…" not in shown.pilot.screen())
    shown.tui.render_now()


def painted(shown: Scene) -> list[tuple[int, str, bool]]:
    """Return the underlined or bold cells of each row, and whether they are those of the current match."""
    grid = shown.pilot.terminal.grid
    found = []
    for y in range(grid.rows):
        cells = [grid.cell(x, y) for x in range(grid.columns)]
        for is_current in (False, True):
            text = "".join(c.text for c in cells if (c.bold if is_current else c.underline))
            if text:
                found.append((y, text, is_current))
    return found


@pytest.mark.parametrize("key", [OPEN, OPEN_ON_A_NEW_KEYBOARD])
async def test_the_key_opens_the_panel_and_closes_it(key: bytes) -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        shown.tui.set_focus(shown.foot)
        send(shown, key)
        assert "Find in transcript" in shown.pilot.screen()
        send(shown, key)
        assert "Find in transcript" not in shown.pilot.screen()
        assert shown.tui.focused_component is shown.foot


async def test_matches_are_counted_painted_and_gone_through() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "NEEDLE")
        assert "5/6" in shown.pilot.screen()
        assert painted(shown) == [(0, "needle", True), (10, "needle", False)]
        shown.pilot.press("enter")
        assert "6/6" in shown.pilot.screen()
        assert painted(shown) == [(0, "needle", False), (10, "needle", True)]
        send(shown, b"\x07")  # Ctrl+G, and round to the start
        assert "1/6" in shown.pilot.screen()
        assert painted(shown) == [(5, "needle", True)]
        for status, key in (("6/6", b"\x1b[13;2u"), ("5/6", b"\x1b[A"), ("6/6", b"\x1b[B")):
            send(shown, key)
            assert status in shown.pilot.screen()
        shown.pilot.type("s")
        await shown.pilot.wait_for("No matches")
        assert painted(shown) == []


async def test_escape_goes_back_to_where_one_was() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        shown.tui.scroll_by(-7)
        shown.tui.render_now()
        before = shown.pilot.screen()
        await look_for(shown, "line 05")
        assert "line 05" in shown.pilot.screen()
        shown.pilot.press("escape")
        assert shown.pilot.screen() == before
        assert not shown.tui.is_following_output


async def test_escape_goes_back_to_the_end_that_was_followed() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "line 05")
        assert not shown.tui.is_following_output
        shown.add("more")
        assert "more" not in shown.pilot.screen()
        send(shown, b"\x03")
        assert shown.tui.is_following_output
        assert "more" in shown.pilot.screen()


async def test_the_key_that_opened_the_panel_closes_it_and_stays() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "line 05")
        send(shown, OPEN)
        assert "line 05" in shown.pilot.screen()
        assert painted(shown) == []


async def test_a_match_may_go_over_rows_and_through_wide_characters() -> None:
    async with scene("語日本語の文章 and some words", "x", columns=12, rows=8) as shown:
        await look_for(shown, "文章 and some")
        # The panel has made way for what was found.
        assert painted(shown) == [(0, "文", True), (1, "章 and some", True)]
        assert shown.pilot.lines()[5:8] == ["┌──────────┐", "│ ome  1/1 │", "└──────────┘"]


async def test_viewport_keys_and_the_wheel_scroll_below_the_panel() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "needle")
        shown.pilot.press("pageUp")
        assert "line 34" in shown.pilot.lines()[0]
        shown.pilot.press("ctrl+home")
        assert painted(shown) == [(5, "needle", False)]
        shown.pilot.scroll(1, 40, 2)
        assert painted(shown)[0] == (4, "needle", False)
        assert "needle  " in shown.pilot.lines()[2]


async def test_what_is_added_counts_and_moves_nothing() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "needle")
        send(shown, b"\x1b[A")
        row = painted(shown)
        shown.add("another needle")
        await shown.pilot.wait_for("4/7")
        assert painted(shown) == row


async def test_the_buttons_are_pressed_and_the_field_takes_the_cursor() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "needle")
        panel = shown.pilot.lines()[3]
        shown.pilot.click(panel.index("↓") + 2, 3)
        assert "6/6" in shown.pilot.screen()
        shown.pilot.click(panel.index("↑"), 3)
        assert "5/6" in shown.pilot.screen()
        shown.pilot.click(shown.pilot.lines()[2].index("needle"), 2)
        shown.pilot.type("x")
        await shown.pilot.wait_for("xneedle")
        shown.pilot.click(panel.index("×"), 3)
        assert "needle" in shown.pilot.lines()[0]
        assert "┌" not in shown.pilot.screen()


async def test_the_keys_come_back_with_a_click_into_the_panel() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "needle")
        shown.tui.set_focus(shown.foot)
        shown.pilot.click(40, 2)
        shown.pilot.type("s")
        await shown.pilot.wait_for("No matches")


async def test_a_hidden_panel_is_closed() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "needle")
        shown.tui.hide_overlay()
        shown.tui.render_now()
        assert painted(shown) == []
        send(shown, OPEN)
        assert "Find in transcript" in shown.pilot.screen()


async def test_rows_that_are_wrapped_anew_are_searched_anew() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "needle")
        shown.pilot.resize(9, 16)
        await read(shown)
        shown.pilot.resize(60, 16)
        await read(shown)
        assert "5/6" in shown.pilot.screen()


async def test_a_paste_is_searched_for_as_one_line() -> None:
    async with scene("one two", "one", columns=60, rows=16) as shown:
        send(shown, OPEN)
        shown.pilot.paste("one\ntwo\n")
        await shown.pilot.wait_for("1/1")


class Reader(Component):
    """A component that scrolls by itself."""

    captures_viewport_input = True
    focused = False

    def render(self, width: int) -> list[str]:
        return ["reader"[:width]]


async def test_what_scrolls_by_itself_and_overlays_are_no_obstacle() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        reader = Reader()
        shown.tui.show_overlay(reader, OverlayOptions(width=10, anchor="bottom-left"))
        await look_for(shown, "needle")
        assert "5/6" in shown.pilot.screen()
        shown.pilot.press("escape")
        assert reader.focused


async def test_a_selection_is_painted_over_matches_and_goes_first_with_escape() -> None:
    async with scene(*LINES, columns=60, rows=16) as shown:
        await look_for(shown, "needle")
        shown.pilot.drag((0, 10), (20, 10))
        assert "line 55 needle" in shown.selected()
        shown.pilot.press("escape")
        assert "5/6" in shown.pilot.screen()
        shown.pilot.press("escape")
        assert "5/6" not in shown.pilot.screen()


async def test_a_long_document_is_read_between_frames() -> None:
    async with scene(*[f"entry {number}" for number in range(20_000)], columns=60) as shown:
        send(shown, OPEN)
        shown.pilot.type("entry")
        assert "…" in shown.pilot.screen()
        shown.pilot.type(" 19999")  # the next key is not kept waiting
        assert "entry 19999" in shown.pilot.screen()
        shown.pilot.press("escape")
        await asyncio.sleep(0)
        assert "…" not in shown.pilot.screen()


@pytest.mark.parametrize("columns", [20, 40, 80])
async def test_how_it_looks(columns: int) -> None:
    texts = [f"{text} and 日本語の文章 behind it" for text in LINES]
    async with scene(*texts, columns=columns, rows=12) as shown:
        await look_for(shown, "hay and 日本")
        shown.pilot.press("up")
        check_snapshot(SNAPSHOTS / f"found-{columns}.txt", shown.pilot.snapshot())


def panel(
    status: str, value: str, button_style: ButtonStyle = lambda text, hovered: text
) -> SearchPanel:
    actions = [
        SearchAction(f"tui.altScreen.search{name}", sign, lambda: None)
        for name, sign in (("Previous", "↑"), ("Next", "↓"), ("Close", "×"))
    ]
    made = SearchPanel(lambda query: None, lambda: None, actions, button_style)
    made.status = status
    made.handle_text(value)
    return made


@settings(max_examples=300)
@given(
    plain_texts,
    st.sampled_from(["", "…", "1/2", "123456/123456…", "No matches"]),
    st.integers(1, 60),
)
def test_no_row_is_wider_than_the_panel(value: str, status: str, width: int) -> None:
    rows = panel(status, value).render(width)
    assert len(rows) == 3
    assert not render_to_terminal(rows, width, 4).lines()[3]


def test_the_narrowest_panel_is_a_corner() -> None:
    assert panel("", "text").render(1) == ["┌", "│", "└"]


def test_buttons_name_keys_that_the_terminal_can_tell() -> None:
    assert "↑ Up ─ ↓ Enter ─ × Escape" in panel("", "").render(60)[2]
    set_kitty_protocol_active(True)
    try:
        assert "↑ Shift+Enter ─ ↓ Enter ─ × Escape" in panel("", "").render(60)[2]
    finally:
        set_kitty_protocol_active(False)


def test_a_button_below_the_pointer_is_told_so() -> None:
    made = panel("", "", button_style=lambda text, hovered: text.upper() if hovered else text)
    row = made.render(60)[2]
    at = row.index("Enter")
    made.handle_mouse(MouseEvent("move", "none", at, 2, at, 2, 60, 3))
    assert made.hovered
    assert made.render(60)[2] == row.replace("Enter", "ENTER")
    made.hovered = False
    assert made.render(60)[2] == row


def test_a_button_without_a_key_says_so() -> None:
    manager = KeybindingsManager(TUI_KEYBINDINGS, {"tui.altScreen.searchNext": []})
    set_keybindings(manager)
    try:
        assert "↓ Unbound" in panel("", "").render(60)[2]
    finally:
        set_keybindings(KeybindingsManager(TUI_KEYBINDINGS))


def test_over_a_terminal_of_its_own() -> None:
    with PtySession(
        [sys.executable, "-m", "tests.programs.notepad"], columns=60, rows=16, cwd=ROOT
    ) as session:
        session.wait_for("entry 199")
        session.send(OPEN)
        session.wait_for("Find in transcript")
        session.send(b"ENTRY 10\x1b[A")
        session.wait_for("11/11")
        session.wait_for("entry 109")
        session.send(b"\x1b")
        session.wait_for("entry 199")
        assert "entry 109" not in "\n".join(session.lines())
        session.send(b"\x04")
        assert session.wait_exit() == 0
