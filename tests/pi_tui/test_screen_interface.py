"""What programs may ask of either screen by name, and what they get."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from pi_tui import ProcessTerminal, TuiAltScreen, TuiMainScreen
from pi_tui.component import CURSOR_MARKER, Component, render_fake_cursor
from pi_tui.components import ScrollView, Text
from pi_tui.mouse import right_click_pastes
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_tui.places import MODES, Prompt
from tests.pi_tui.test_contract import Bad

pytestmark = pytest.mark.anyio

BOTH = """children add_child remove_child clear start stop wait_stopped run set_focus focused_component show_overlay
hide_overlay has_overlay add_input_listener remove_input_listener on_debug get_show_hardware_cursor
set_show_hardware_cursor get_clear_on_shrink set_clear_on_shrink full_redraws query_terminal_colors
on_terminal_color_scheme_change set_terminal_color_scheme_notifications request_render render_now
call_soon_threadsafe invalidate on_component_error mode terminal drain_input"""
FULLSCREEN = """set_layout_root viewport_top is_following_output scroll_by scroll_to_top scroll_to_bottom
set_wheel_scroll_lines get_copy_on_select set_copy_on_select has_active_selection
copy_active_selection_to_clipboard reset_text_selection get_screen_lines flash"""
REGULAR = "capture_render_state restore_render_state"


class Caret(Component):
    """A field with the caret behind a text."""

    def __init__(self, text: str) -> None:
        self.focused = True
        self.text = text

    def render(self, width: int) -> list[str]:
        return [f"{self.text}{CURSOR_MARKER}{render_fake_cursor(' ')}"]


@pytest.mark.parametrize("mode", MODES)
def test_every_name_is_there(mode: str) -> None:
    names = BOTH.split() + (FULLSCREEN if mode == "fullscreen" else REGULAR).split()
    screen = MODES[mode](HeadlessTerminal(), environ={})
    assert [name for name in names if not hasattr(screen, name)] == []
    assert screen.mode == mode


@pytest.mark.parametrize("mode", MODES)
def test_without_a_terminal_it_is_the_one_of_the_process(mode: str) -> None:
    assert isinstance(MODES[mode](environ={}).terminal, ProcessTerminal)


@pytest.mark.parametrize("mode", MODES)
def test_variables_decide_what_the_program_does_not(mode: str) -> None:
    on = {"PI_HARDWARE_CURSOR": "1", "PI_CLEAR_ON_SHRINK": "1"}
    for environ, wish, expected in (({}, None, False), (on, None, True), (on, False, False)):
        tui = MODES[mode](
            HeadlessTerminal(), environ=environ, show_hardware_cursor=wish, clear_on_shrink=wish
        )
        assert tui.get_show_hardware_cursor() is expected
        assert tui.get_clear_on_shrink() is expected


@pytest.mark.parametrize("mode", MODES)
async def test_full_redraws_are_counted(mode: str) -> None:
    terminal = HeadlessTerminal(20, 6)
    tui = MODES[mode](terminal, environ={})
    text = Text("one", 0, 0)
    tui.add_child(text)
    tui.start()
    tui.render_now()
    text.set_text("two")
    tui.render_now()
    assert tui.full_redraws == 0
    tui.render_now(force=True)
    assert tui.full_redraws == 1
    terminal.resize(30, 6)
    tui.render_now()
    assert tui.full_redraws == 2
    tui.stop()


async def test_the_scrollback_goes_on_after_another_program() -> None:
    terminal = HeadlessTerminal(20, 5)
    tui = TuiMainScreen(terminal, environ={})
    for number in range(9):
        tui.add_child(Text(f"row {number}", 0, 0))
    last = Text("last", 0, 0)
    tui.add_child(last)
    tui.start()
    tui.render_now()
    state = tui.capture_render_state()
    tui.stop(preserve_screen=True)
    terminal.grid.write("\x1b[?1049h\x1b[2J\x1b[Han editor\x1b[?1049l")
    tui.start()
    tui.restore_render_state(state)
    terminal.grid.write("\x1b7\x1b[1;1Hmark\x1b8")  # where nothing is written anew, this stays
    last.set_text("edited")
    tui.render_now()
    assert terminal.grid.lines() == ["mark5", "row 6", "row 7", "row 8", "edited"]
    assert tui.full_redraws == 0
    tui.stop()


async def test_a_key_that_scrolls_counts_before_the_first_frame() -> None:
    terminal = HeadlessTerminal(20, 10)
    tui = TuiAltScreen(terminal, environ={})
    for number in range(100):
        tui.add_child(Text(f"row {number}", 0, 0))
    tui.start()
    terminal.send(b"\x1b[5~")
    tui.render_now()
    assert terminal.grid.lines()[0] == "row 84"
    tui.stop()


@pytest.mark.parametrize(("rows", "first"), [(-3, "row 87"), (2, "row 90"), (-1000, "row 0")])
async def test_a_view_may_be_scrolled_before_it_is_drawn(rows: int, first: str) -> None:
    terminal = HeadlessTerminal(20, 10)
    tui = TuiAltScreen(terminal, environ={})
    view = ScrollView(Text("\n".join(f"row {number}" for number in range(100)), 0, 0), follow="end")
    tui.set_layout_root(view)
    assert view.scroll_by(rows) == 0
    tui.start()
    tui.render_now()
    assert terminal.grid.lines()[0] == first
    assert view.is_following_end is (rows > 0)
    tui.stop()


async def test_a_view_may_be_put_to_a_row_before_it_is_drawn() -> None:
    terminal = HeadlessTerminal(20, 10)
    tui = TuiAltScreen(terminal, environ={})
    for number in range(100):
        tui.add_child(Text(f"row {number}", 0, 0))
    assert tui.primary_view is not None
    tui.primary_view.scroll_to(41)
    tui.start()
    tui.render_now()
    tui.render_now()
    assert terminal.grid.lines()[0] == "row 41"
    tui.stop()


def _prompt(start: str, width: int, times: int) -> list[str]:
    return [f"{start}prompt", *["row"] * 9]


async def test_prompts_are_found_however_they_are_marked() -> None:
    terminal = HeadlessTerminal(20, 3)
    tui = TuiAltScreen(terminal, environ={})
    for start in ("\x1b]133;A\x07", "\x1b]133;A\x1b\\", "\x1b]133;A;cl=m\x07", "\x1b]133;B\x07"):
        tui.add_child(Bad(partial(_prompt, start)))
    tui.start()
    pilot = Pilot(tui, terminal)
    tops = []
    for _ in range(4):
        terminal.send(b"\x1b[1;6A")
        tui.render_now()
        tops.append(tui.viewport_top)
    assert tops == [20, 10, 0, 0]
    assert pilot.lines() == ["prompt", "row", "row"]
    tui.stop()


async def test_what_a_listener_returns_in_error_changes_nothing() -> None:
    terminal = HeadlessTerminal(20, 5)
    tui = TuiAltScreen(terminal, environ={})
    prompt = Prompt()
    tui.add_child(prompt)
    tui.set_focus(prompt)
    tui.add_input_listener(lambda event: "consume")  # type: ignore[arg-type, return-value]  # the mistake under test
    tui.start()
    Pilot(tui, terminal).type("typed")
    assert terminal.grid.lines()[0] == "> typed"
    tui.stop()


@pytest.mark.parametrize(
    ("platform", "program", "pastes"),
    [("win32", "", True), ("win32", "vscode", False), ("linux", "", False), ("darwin", "", False)],
)
def test_the_right_button_pastes_where_people_expect_it(
    platform: str, program: str, pastes: bool
) -> None:
    assert right_click_pastes({"TERM_PROGRAM": program}, platform) is pastes


async def test_a_right_click_that_nobody_takes_pastes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    asked: list[str] = []
    terminal = HeadlessTerminal(20, 5)
    tui = TuiAltScreen(terminal, environ={}, on_right_click_paste=lambda: asked.append("paste"))
    tui.add_child(Text("text", 0, 0))
    tui.start()
    tui.render_now()
    pilot = Pilot(tui, terminal)
    pilot.click(1, 0, "right")
    pilot.click(1, 0, "left")
    assert asked == ["paste"]
    tui.stop()
    await asyncio.sleep(0)
