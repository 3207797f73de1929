"""urwid and the toolkit in one program, both ways."""

from __future__ import annotations

import asyncio

import pytest
import urwid
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.component import CURSOR_MARKER, Component, render_fake_cursor
from pi_tui.components import Input, Text
from pi_tui.emulator import GridTerminal
from pi_tui.events import KeyEvent, MouseEvent, PasteEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.interop import ComponentWidget, UrwidWidget, paste_input_filter
from pi_tui.interop_keys import PastedText, UrwidInput, key_event, urwid_key
from pi_tui.testing import HeadlessTerminal, Pilot
from pi_tui.width import visible_width

pytestmark = pytest.mark.anyio

KEYS = [
    ("esc", "escape"),
    ("page up", "pageUp"),
    ("page down", "pageDown"),
    (" ", "space"),
    ("meta x", "alt+x"),
    ("ctrl P", "ctrl+shift+p"),
    ("P", "shift+p"),
    ("shift up", "shift+up"),
    ("enter", "enter"),
    ("f5", "f5"),
    ("日", "日"),
]


@pytest.fixture(autouse=True)
def utf8() -> None:
    urwid.set_encoding("utf-8")


class Recorder(Component):
    """Shows rows; remembers its input."""

    def __init__(self, *rows: str) -> None:
        self.focused = False
        self.rows = list(rows)
        self.keys: list[str] = []
        self.pastes: list[str] = []
        self.mouse: list[tuple[str, int, int]] = []

    def render(self, width: int) -> list[str]:
        return self.rows

    def handle_key(self, event: KeyEvent) -> bool:
        self.keys.append(event.id)
        return event.id != "escape"

    def handle_paste(self, event: PasteEvent) -> None:
        self.pastes.append(event.text)

    def handle_mouse(self, event: MouseEvent) -> bool:
        self.mouse.append((event.type, event.x, event.y))
        return event.type == "press"


def drawn(widget: urwid.Widget, columns: int, rows: int) -> GridTerminal:
    """Return what a terminal shows of a box widget, through the lines that it becomes."""
    grid = GridTerminal(columns, rows)
    lines = UrwidWidget(widget, rows).render(columns)
    grid.write("\r\n".join(lines))
    return grid


@pytest.mark.parametrize(("theirs", "ours"), KEYS)
def test_keys_have_their_names_in_both_worlds(theirs: str, ours: str) -> None:
    event = key_event(theirs)
    assert event.id == ours
    assert urwid_key(event) == theirs


def test_a_widget_that_flows_is_as_high_as_it_needs() -> None:
    component = UrwidWidget(urwid.Text("one two three four"))
    assert [line.rstrip() for line in component.render(9)] == ["one two", "three", "four"]
    assert component.render(9) is component.render(9)


def test_a_box_needs_a_height() -> None:
    with pytest.raises(ValueError, match="SolidFill fills a box: give its height"):
        UrwidWidget(urwid.SolidFill("x"))
    assert UrwidWidget(urwid.SolidFill("x"), lambda: 2).render(3) == ["xxx", "xxx"]


def test_a_fixed_widget_is_cut_at_the_width() -> None:
    big = urwid.BigText("12345", urwid.HalfBlock5x4Font())
    lines = UrwidWidget(big).render(7)
    assert len(lines) == 4
    assert max(map(visible_width, lines)) <= 7


def test_styles_and_links_of_widgets_are_seen() -> None:
    palette = [("warn", "yellow,bold", "dark blue"), ("true", "", "", "", "#123456", "#654321")]
    link = urwid.AttrSpec("underline", "", hyperlink="http://x.y")
    text = urwid.Text([("warn", "ab"), ("true", "cd"), (link, "ef"), "日"])
    grid = GridTerminal(20, 1)
    grid.write(UrwidWidget(text, palette=palette).render(20)[0])
    assert grid.lines() == ["abcdef日"]
    assert str(grid.cell(0, 0).style) == "bold bright-yellow on blue"
    assert grid.cell(2, 0).style.bg != ""
    assert grid.cell(4, 0).style.link == "http://x.y"
    assert grid.cell(4, 0).style.underline == "single"
    assert str(grid.cell(6, 0).style) == "plain"


def test_keys_the_caret_and_the_mouse_of_a_widget() -> None:
    edit = urwid.Edit("> ", "日x")
    component = UrwidWidget(edit)
    assert CURSOR_MARKER not in component.render(10)[0]
    component.focused = True
    assert component.render(10)[0].startswith(f"> 日x{CURSOR_MARKER}{render_fake_cursor(' ')}")
    assert component.handle_key(KeyEvent("a", "a"))
    assert component.handle_key(KeyEvent("left"))
    assert not component.handle_key(KeyEvent("f7"))
    component.handle_paste(PasteEvent("p q"))
    assert edit.edit_text == "日xp qa"
    assert component.handle_mouse(MouseEvent("press", "left", 2, 0, 2, 0)).handled
    assert edit.edit_pos == 0
    assert f"{CURSOR_MARKER}{render_fake_cursor('日')}" in component.render(10)[0]


async def test_a_widget_that_changes_by_itself_asks_for_a_frame() -> None:
    terminal = HeadlessTerminal(20, 3)
    tui = TuiAltScreen(terminal, strict=True, environ={})
    text = urwid.Text("before")
    tui.add_child(UrwidWidget(urwid.Padding(text, left=1), host=tui))
    tui.start()
    tui.render_now()
    text.set_text("after")
    async with asyncio.timeout(5):
        while " after" not in terminal.grid.lines():
            await terminal.wait_changed()
    tui.stop()


@given(st.text("ab日é👍 \n", max_size=30), st.integers(1, 12))
def test_no_line_of_a_widget_is_wider_than_asked(text: str, width: int) -> None:
    urwid.set_encoding("utf-8")
    assert all(visible_width(line) <= width for line in UrwidWidget(urwid.Text(text)).render(width))


def test_a_component_is_as_high_as_its_lines_or_as_it_is_told() -> None:
    rows = Recorder("one", "\x1b[1;31mtwo\x1b[0m", "日本")
    widget = ComponentWidget(rows)
    assert widget.rows((10,)) == 3
    assert [line.decode().rstrip() for line in widget.render((10,)).text] == ["one", "two", "日本"]
    assert len(widget.render((10,)).text) == 3
    box = ComponentWidget(rows, box=True)
    assert box.render((10, 2)).rows() == 2
    assert box.render((10, 5)).rows() == 5
    assert urwid.BOX in box.sizing()
    assert widget.selectable()
    assert not ComponentWidget(Text("x")).selectable() or hasattr(Text("x"), "handle_key")


def test_what_a_component_draws_comes_back_as_it_was() -> None:
    styled = (
        "\x1b[1mb\x1b[0m\x1b[2mf\x1b[0m\x1b[3mi\x1b[0m\x1b[4mu\x1b[0m\x1b[7mr\x1b[0m\x1b[9ms\x1b[0m"
        "\x1b[31;42mc\x1b[0m\x1b[38;5;208mx\x1b[0m\x1b[38;2;1;2;3mt\x1b[0m"
        "\x1b]8;;http://x.y\x1b\\l\x1b]8;;\x1b\\ 日"
    )
    there = drawn(ComponentWidget(Recorder(styled), box=True), 20, 1)
    wanted = GridTerminal(20, 1)
    wanted.write(styled)
    assert there.lines() == wanted.lines()
    assert there.style_runs() == wanted.style_runs()


def test_keys_and_the_caret_of_a_component() -> None:
    field = Input("> ")
    widget = ComponentWidget(field)
    for key in ("a", "日", "left"):
        assert widget.keypress((20,), key) is None
    assert field.get_value() == "a日"
    assert widget.get_cursor_coords((20,)) == (3, 0)
    assert widget.render((20,), False).cursor is None
    recorder = Recorder("x")
    assert ComponentWidget(recorder).keypress((20,), "esc") == "esc"
    assert recorder.keys == ["escape"]


def test_a_paste_arrives_whole() -> None:
    raw = b"a\x1b[200~one\r\ntwo\x1b[31m\x1b[201~b"
    keys: list[UrwidInput] = [
        "a",
        "begin paste",
        "o",
        "n",
        "e",
        "enter",
        "t",
        "w",
        "o",
        "end paste",
        "b",
    ]
    filtered = paste_input_filter(keys, list(raw))
    assert filtered == ["a", "one\r\ntwo\x1b[31m", "b"]
    assert isinstance(filtered[1], PastedText)
    recorder = Recorder("x")
    widget = ComponentWidget(recorder)
    for key in [*filtered, *keys]:
        assert isinstance(key, str)
        widget.keypress((20,), key)
    assert recorder.pastes == ["one\r\ntwo\x1b[31m", "one\ntwo"]
    assert recorder.keys == ["a", "b", "a", "b"]


def test_the_mouse_over_a_component() -> None:
    recorder = Recorder("x", "y")
    widget = ComponentWidget(recorder)
    assert widget.mouse_event((20,), "mouse press", 1, 3, 1, True)
    assert not widget.mouse_event((20,), "mouse release", 0, 3, 1, True)
    assert not widget.mouse_event((20,), "ctrl mouse press", 4, 3, 0, True)
    assert recorder.mouse == [("press", 3, 1), ("release", 3, 1), ("click", 3, 1), ("wheel", 3, 0)]


def test_an_editor_inside_a_list_of_urwid() -> None:

    field = Input("name: ")
    listbox = urwid.ListBox(urwid.SimpleFocusListWalker([ComponentWidget(field)]))
    for key in "hi":
        assert listbox.keypress((20, 4), key) is None
    assert drawn(listbox, 20, 4).lines()[0].startswith("name: hi")


async def test_a_component_in_a_widget_in_a_program() -> None:
    terminal = HeadlessTerminal(20, 4)
    tui = TuiAltScreen(terminal, strict=True, environ={})
    field = Input("in: ")
    inside = UrwidWidget(urwid.LineBox(ComponentWidget(field)), host=tui)
    tui.add_child(inside)
    tui.set_focus(inside)
    tui.start()
    pilot = Pilot(tui, terminal)
    pilot.type("ok")
    assert pilot.lines()[1].startswith("│in: ok")
    assert terminal.grid.cursor == (7, 1)
    tui.stop()
