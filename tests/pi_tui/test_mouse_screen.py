"""Who gets the mouse on a screen: components, scroll views, bars, labels, links, the focus."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pi_tui.ansi import hyperlink
from pi_tui.component import Component
from pi_tui.components.container import Container
from pi_tui.components.mouse_region import MouseRegion
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.scrollbar import ScrollState, Thumb
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.events import KeyEvent, MouseEvent, MouseResult
from pi_tui.flash import FlashRow
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import StackEntry
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_tui.mouse_screen import Panel, scene

pytestmark = pytest.mark.anyio

LINES = tuple(f"line {number:02}" for number in range(20))


class Field(Panel):
    """A panel that can have the keys and asks for them."""

    def __init__(self, *takes: str) -> None:
        super().__init__(*takes)
        self.focused = False

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        answer = super().handle_mouse(event)
        return MouseResult(focus=True) if answer is not None else None


class Host(Container):
    """A container that takes the keys for what is in it."""

    def __init__(self) -> None:
        super().__init__()
        self.focused = False
        self.keys: list[str] = []

    def handle_key(self, event: KeyEvent) -> bool:
        self.keys.append(event.id)
        return True


class Failing(Panel):
    """Raises at every mouse event."""

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        raise ValueError("no mouse here")


@pytest.mark.parametrize("report", [b"\x1b[<0;3;1M", b"\x1b[<2;3;1M", b"\x1b[<65;3;1M"])
async def test_the_mouse_does_nothing_before_the_first_frame(report: bytes) -> None:
    terminal = HeadlessTerminal(20, 5)
    tui, panel = TuiAltScreen(terminal), Panel("press")
    tui.add_child(panel)
    tui.start()
    terminal.send(report)
    tui.render_now()
    assert panel.told == []
    Pilot(tui, terminal).click(2, 0)
    tui.stop()
    assert "click" in panel.types()


async def test_a_drag_follows_a_component_that_moves() -> None:
    async with scene(*LINES) as shown:
        panel, entry = Panel("press", "drag", "release", rows=2), Container()
        entry.add_child(Text("above", 0, 0))
        entry.add_child(panel)
        shown.document.append(entry)
        shown.tui.render_now()
        shown.pilot.drag((1, 3), (1, 4), (1, 0), release=False)
        assert [event.y for event in panel.told] == [0, 1, -3]
        shown.view.scroll_by(-1)
        shown.tui.render_now()
        shown.pilot.release(1, 4)
        assert panel.told[-1].y == 0


@pytest.mark.parametrize("inside", [False, True])
async def test_focus_goes_to_who_answered_or_to_its_host(inside: bool) -> None:
    async with scene("text") as shown:
        field, host = Field("press"), Host()
        host.add_child(field)
        shown.document.append(host if inside else field)
        shown.tui.render_now()
        shown.pilot.click(0, 1)
        assert shown.tui.focused_component is (host if inside else field)


async def test_a_click_focuses_an_overlay_as_a_whole() -> None:
    async with scene("text") as shown:
        host = Host()
        host.add_child(Field("press"))
        shown.tui.show_overlay(host, row=1, col=1, width=6, non_capturing=True)
        shown.tui.render_now()
        shown.pilot.click(2, 1)
        assert shown.tui.focused_component is host


async def test_a_handler_that_fails_has_not_handled() -> None:
    terminal = HeadlessTerminal(20, 5)
    tui = TuiAltScreen(terminal, environ={})
    failing = Failing(text="fails")
    tui.add_child(Text("some text", 0, 0))
    tui.add_child(failing)
    failed: list[object] = []
    tui.on_component_error = lambda component, error: failed.append(component)
    tui.start()
    try:
        tui.render_now()
        Pilot(tui, terminal).drag((0, 1), (3, 1))
        assert failed == [failing]
        assert tui.has_active_selection()
    finally:
        tui.stop()


async def test_hovering_is_told_and_selects_nothing() -> None:
    async with scene(*LINES) as shown:
        drawn = shown.tui.frames_drawn
        shown.pilot.terminal.send(b"\x1b[<35;1;6M")
        assert shown.foot.types() == ["move"]
        assert shown.tui.frames_drawn == drawn
        assert shown.selected() == []


async def test_clicks_are_counted_on_one_cell_of_one_component() -> None:
    async with scene("text") as shown:
        shown.foot.takes = ("press",)

        def counts() -> list[int | None]:
            return [event.click_count for event in shown.foot.told if event.type == "click"]

        shown.pilot.click(1, 5, times=4)
        assert counts() == [1, 2, 3, 1]
        shown.now += 0.6
        shown.pilot.click(1, 5)
        shown.pilot.click(2, 5)
        assert counts()[4:] == [1, 1]


async def test_a_region_is_asked_once_after_its_child() -> None:
    told: list[str] = []

    def on_mouse(event: MouseEvent) -> bool:
        told.append(event.type)
        return event.type == "press"

    child = Panel("wheel", rows=2)
    inner = VStack([child])
    async with scene("text") as shown:
        shown.tui.set_layout_root(MouseRegion(inner, on_mouse))
        shown.tui.render_now()
        shown.pilot.click(0, 0)
        shown.pilot.scroll(1)
        assert told == ["press", "release", "click"]
        assert child.types() == ["press", "release", "click", "wheel"]


# The wheel.


async def test_the_wheel_scrolls_the_document_and_renders_nothing_twice() -> None:
    async with scene(*LINES) as shown:
        shown.pilot.scroll(-3, 1, 1)
        assert shown.pilot.lines()[0] == "line 12"
        assert not shown.view.is_following_end
        shown.pilot.scroll(3, 1, 5)  # over the foot, which does not scroll
        assert shown.view.is_following_end


async def test_what_a_view_leaves_of_the_wheel_goes_to_what_is_around() -> None:
    for overscroll, moved in (("chain", 2), ("contain", 0)):
        inner = ScrollView(_column(6), overscroll=overscroll)  # type: ignore[arg-type]  # one of the two
        outer = ScrollView(_column(30), primary=True)
        terminal = HeadlessTerminal(20, 8)
        tui = TuiAltScreen(terminal, strict=True, environ={})
        tui.set_layout_root(
            VStack([StackEntry(inner, basis=4, shrink=0), StackEntry(outer, basis=0, grow=1)])
        )
        tui.start()
        try:
            tui.render_now()
            Pilot(tui, terminal).scroll(4, 1, 1)
            assert (inner.scroll_top, outer.scroll_top) == (2, moved)
        finally:
            tui.stop()


async def test_a_wheel_over_an_overlay_scrolls_what_is_beneath() -> None:
    async with scene(*LINES) as shown:
        panel = Panel(rows=2)
        shown.tui.show_overlay(panel, row=1, col=1, width=6)
        shown.tui.render_now()
        shown.pilot.scroll(-2, 2, 1)
        assert shown.view.scroll_top == 13
        panel.takes = ("wheel",)
        shown.pilot.scroll(-2, 2, 1)
        assert shown.view.scroll_top == 13


async def test_a_wheel_step_costs_the_rows_in_view() -> None:
    class Counted(Component):
        renders = 0

        def render(self, width: int) -> list[str]:
            Counted.renders += 1
            return ["row"]

    async with scene() as shown:
        for _ in range(5000):
            shown.document.append(Counted())
        shown.tui.render_now()
        Counted.renders = 0
        for _ in range(10):
            shown.pilot.terminal.send(b"\x1b[<64;1;1M")
        await shown.pilot.wait_for(lambda: shown.view.scroll_top == 4985)
        shown.tui.request_view()
        assert Counted.renders <= 40


# The scrollbar.


@pytest.mark.parametrize(
    ("content", "track", "top", "thumb"),
    [
        (100, 10, 0, (0, 2)),
        (100, 10, 45, (4, 2)),
        (12, 10, 1, (1, 8)),
        (20, 10, 5, (3, 5)),
        (3, 10, 0, (0, 10)),
        (0, 0, 0, (0, 0)),
        (5, 1, 4, (0, 1)),
    ],
)
def test_where_the_thumb_lies(content: int, track: int, top: int, thumb: tuple[int, int]) -> None:
    assert ScrollState(content, track, top).thumb == Thumb(*thumb)


def bar(lines: list[str]) -> str:
    return "".join(line[19:20] or " " for line in lines[:5])


async def test_a_bar_that_comes_and_goes() -> None:
    async with scene(*LINES, scrollbar="auto") as shown:
        assert bar(shown.pilot.lines()) == "     "
        shown.pilot.scroll(-1)
        assert bar(shown.pilot.lines()) == "│││┃┃"
        assert shown.view.is_scrollbar_visible
        await shown.pilot.wait_for(lambda: bar(shown.pilot.lines()) == "     ")


async def test_output_alone_shows_no_bar() -> None:
    async with scene(*LINES, scrollbar="auto") as shown:
        shown.add("more", "and more")
        shown.view.scroll_to_end()
        shown.tui.render_now()
        assert bar(shown.pilot.lines()) == "     "


async def test_the_pointer_on_its_column_brings_the_bar_and_keeps_it() -> None:
    async with scene(*LINES, scrollbar="auto") as shown:
        shown.pilot.hover(19, 2)
        assert bar(shown.pilot.lines()) == "│││██"
        shown.pilot.hover(3, 2)
        assert bar(shown.pilot.lines()) == "     "


async def test_the_thumb_is_dragged_and_the_track_pressed() -> None:
    async with scene(*LINES, scrollbar="always") as shown:
        assert bar(shown.pilot.lines()) == "│││┃┃"
        shown.pilot.drag((19, 3), (19, 2), (19, 0), release=False)
        assert shown.view.scroll_top == 0
        assert bar(shown.pilot.lines()) == "██│││"
        shown.pilot.drag((19, 0), (2, 30), release=False)  # off the screen: nothing
        shown.pilot.release(19, 0)
        shown.pilot.click(19, 4)
        assert shown.view.is_following_end
        assert shown.selected() == []


async def test_a_bar_lies_on_the_background_of_its_row() -> None:
    async with scene(*LINES, scrollbar="auto") as shown:
        shown.document.append(Text("panel", 0, 0, lambda row: f"\x1b[44m{row}\x1b[0m"))
        shown.tui.render_now()
        shown.pilot.scroll(-1)
        shown.pilot.scroll(1)
        grid = shown.pilot.terminal.grid
        assert grid.cell(19, 4).bg == grid.cell(18, 4).bg != ""
        assert grid.cell(19, 3).bg == grid.cell(18, 3).bg


async def test_a_selection_leaves_the_bar_alone() -> None:
    async with scene(*LINES, scrollbar="auto") as shown:
        shown.pilot.scroll(-1)
        shown.pilot.drag((0, 0), (19, 2))
        assert not shown.pilot.terminal.grid.cell(19, 1).inverse


# What lies over the document.


async def test_the_label_leads_back_to_the_end() -> None:
    async with scene(*LINES, scroll_to_end_indicator=lambda: "[end]") as shown:
        assert "[end]" not in shown.pilot.screen()
        shown.pilot.scroll(-3)
        assert shown.pilot.lines()[4] == "line 16[end]" or "[end]" in shown.pilot.lines()[4]
        shown.pilot.click(9, 4)
        assert shown.view.is_following_end
        assert "[end]" not in shown.pilot.screen()


async def test_the_label_does_not_take_the_only_row_of_the_document() -> None:
    async with scene(*LINES, scroll_to_end_indicator=lambda: "[end]") as shown:
        shown.pilot.scroll(-3)
        shown.pilot.resize(5, 2)
        assert shown.pilot.lines()[0].startswith("line")
        shown.pilot.resize(5, 3)
        assert "[end]" in shown.pilot.lines()[1]


async def test_flash_messages_are_stacked_and_go() -> None:
    async with scene("some text here") as shown:
        shown.tui.flash("first", 30)
        shown.tui.flash("second", 0.05)
        shown.tui.flash("a message that is too long for this screen", 30)
        shown.tui.render_now()
        assert shown.pilot.lines()[:3] == [
            "some text her first",
            "             second",
            " a message that is t",
        ]
        await shown.pilot.wait_for(lambda: "second" not in shown.pilot.screen())
        assert "first" in shown.pilot.screen()


async def test_flash_messages_bring_no_control_characters() -> None:
    assert FlashRow("a\x1b[31mb\nc").render(20)[0].count("\x1b") == 2


async def test_a_click_on_a_link_opens_it_and_a_drag_over_it_selects() -> None:
    opened: list[str] = []
    async with scene(hyperlink("a link", "https://example.com/x"), open_url=opened.append) as shown:
        shown.pilot.click(2, 0)
        assert opened == ["https://example.com/x"]
        shown.now += 5
        shown.pilot.drag((0, 0), (3, 0))
        assert opened == ["https://example.com/x"]
        assert shown.selected() == ["a li"]


# Taking and giving back the mouse.


async def test_the_mouse_can_be_given_back() -> None:
    async with scene("alpha beta") as shown:
        grid = shown.pilot.terminal.grid
        assert {1000, 1002, 1003, 1006} <= grid.modes
        shown.pilot.drag((0, 0), (4, 0), release=False)
        shown.tui.set_mouse(False)
        shown.tui.render_now()
        assert not {1000, 1002, 1003, 1006} & grid.modes
        assert shown.selected() == []
        shown.pilot.drag((0, 0), (4, 0))
        assert shown.selected() == []
        shown.tui.set_mouse(True)
        assert {1000, 1002, 1003, 1006} <= grid.modes
    assert not {1000, 1002, 1003, 1006} & grid.modes


async def test_a_program_that_leaves_hears_nothing_of_the_mouse() -> None:
    async with scene("alpha") as shown:
        await shown.tui.drain_input(limit=0.05, idle=0.01)
        assert not {1000, 1002, 1003, 1006} & shown.pilot.terminal.grid.modes
        shown.pilot.click(0, 5)
        assert shown.foot.told == []


async def test_listeners_see_the_mouse_first() -> None:
    async with scene("alpha") as shown:
        seen: list[str] = []

        def listener(event: object) -> dict[str, bool] | None:
            if not isinstance(event, MouseEvent):
                return None
            seen.append(event.type)
            return {"consume": True}

        remove: Callable[[], None] = shown.tui.add_input_listener(listener)
        shown.pilot.click(0, 5)
        remove()
        assert seen == ["press", "release"]
        assert shown.foot.told == []


def _column(rows: int) -> Component:
    column = Container()
    for row in range(rows):
        column.add_child(Text(f"row {row}", 0, 0))
    return column
