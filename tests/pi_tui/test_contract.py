"""A component that breaks its contract, in whatever way, costs its own rows and nothing else."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from pi_tui.component import CURSOR_MARKER, Component, Renderable
from pi_tui.components import Box, HStack, VStack
from pi_tui.components.container import Container
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.fullscreen import TuiAltScreen, is_viewport_tui
from pi_tui.layout import Box as LayoutBox
from pi_tui.layout import LayoutContext
from pi_tui.problems import LineTooWideError
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_tui.places import MODES, PLACES, Stage, staged

pytestmark = pytest.mark.anyio

EVERYWHERE = list(itertools.product(MODES, PLACES))


class Bad(Component):
    """Draws as a row of the table says."""

    def __init__(self, draw: Callable[[int, int], object]) -> None:
        self._draw = draw
        self._times = 0

    def render(self, width: int) -> list[str]:
        self._times += 1
        return self._draw(width, self._times)  # type: ignore[return-value]  # the mistakes under test


@dataclass(frozen=True, slots=True)
class Case:
    """What a component draws at a width for the n-th time, what is seen of it, and what is reported."""

    draw: Callable[[int, int], object]
    seen: tuple[str, ...] = ()
    reported: str = ""


def _raises(error: BaseException) -> object:
    raise error


DRAWINGS: Mapping[str, Case] = {
    "too wide": Case(
        lambda width, times: ["fine", "X" * (width + 4)],
        ("fine", "XXXX"),
        "Bad: LineTooWideError: Bad returned a line of ",
    ),
    "too wide later": Case(
        lambda width, times: ["fine"] if times < 3 else ["X" * (width + 4)],
        ("XXXX",),
        "Bad: LineTooWideError: ",
    ),
    "wide characters too wide": Case(
        lambda width, times: ["日" * width], ("日日",), "Bad: LineTooWideError: "
    ),
    "nothing": Case(
        lambda width, times: None, ("[render",), "Bad: TypeError: render() returned NoneType"
    ),
    "a text": Case(
        lambda width, times: "text", ("[render",), "Bad: TypeError: render() returned str"
    ),
    "a tuple": Case(
        lambda width, times: ("a",), ("[render",), "Bad: TypeError: render() returned tuple"
    ),
    "a generator": Case(
        lambda width, times: (row for row in ["a"]), ("[render",), "render() returned generator"
    ),
    "bytes": Case(
        lambda width, times: b"text", ("[render",), "Bad: TypeError: render() returned bytes"
    ),
    "rows of bytes": Case(
        lambda width, times: [b"a"],
        ("[render",),
        "Bad: TypeError: render() returned a row that is bytes",
    ),
    "a number among rows": Case(
        lambda width, times: ["a", 5, *"bcdefghi"],
        ("[render",),
        "Bad: TypeError: render() returned a row that is int",
    ),
    "a row that is nothing": Case(
        lambda width, times: ["a", None],
        ("[render",),
        "Bad: TypeError: render() returned a row that is NoneType",
    ),
    "line breaks": Case(
        lambda width, times: ["one\ntwo", "six\r\nten\n"], ("one", "two", "six", "ten")
    ),
    "control characters": Case(
        lambda width, times: ["a\x07b\x1b[2Jc\x1b[9;9Hd\x1b]0;t\x07e"], ("abcde",)
    ),
    "unknown marks": Case(
        lambda width, times: [f"a\x1b_pi:x\x07b{CURSOR_MARKER}c\x1b_pi:fc\x07d"], ("abcd",)
    ),
    "a surrogate": Case(lambda width, times: ["a\ud800b"], ("a?b",)),
    "an open style": Case(
        lambda width, times: ["\x1b[31;44;8;7mred\x1b]8;;http://x\x07link"], ("redlink",)
    ),
    "an exception": Case(
        lambda width, times: _raises(ValueError("first")), ("[render",), "Bad: ValueError: first"
    ),
    "an exception later": Case(
        lambda width, times: ["fine"] if times < 3 else _raises(ValueError("third")),
        ("[render",),
        "Bad: ValueError: third",
    ),
    "a cancelled task": Case(
        lambda width, times: _raises(asyncio.CancelledError()),
        ("[render",),
        "looked at was cancelled",
    ),
    "no end": Case(
        lambda width, times: _raises(RecursionError("deep")),
        ("[render",),
        "Bad: RecursionError: deep",
    ),
}


@pytest.mark.parametrize("name", DRAWINGS)
async def test_what_it_draws_costs_its_own_rows_only(name: str) -> None:
    case = DRAWINGS[name]
    for mode, place in EVERYWHERE:
        with staged(Bad(case.draw), mode, place) as stage:
            for letter in "abc":
                stage.assert_alive(letter)
            screen = stage.pilot.screen()
            assert all(text in screen for text in case.seen), (mode, place, screen)
            assert len(stage.reports) == (1 if case.reported else 0), (mode, place, stage.reports)
            assert all(case.reported in report for report in stage.reports), (mode, place)


async def test_a_row_that_is_too_wide_is_named_with_its_number_and_both_widths() -> None:
    def draw(width: int, times: int) -> list[str]:
        return ["fine", "X" * 44]

    for mode, place in EVERYWHERE:
        with staged(Bad(draw), mode, place) as stage:
            assert "returned a line of 44 cells where " in stage.reports[0], (mode, place)
            assert "fit (line 2): 'XXX" in stage.reports[0], (mode, place)


async def test_a_strict_screen_gives_the_terminal_back_and_raises() -> None:
    terminal = HeadlessTerminal(20, 4)
    tui = TuiAltScreen(terminal, environ={}, strict=True)
    tui.add_child(Bad(lambda width, times: ["X" * 24]))
    tui.start()
    with pytest.raises(LineTooWideError, match="24 cells where 20 fit"):
        await tui.wait_stopped()
    assert not tui.is_started
    assert not terminal.grid.alternate_screen


async def test_a_strict_screen_gives_the_terminal_back_when_leaving_fails() -> None:
    terminal = HeadlessTerminal(20, 4)
    tui = TuiAltScreen(terminal, environ={}, strict=True)
    tui.add_child(Clingy())
    tui.start()
    tui.render_now()
    Pilot(tui, terminal).hover(1, 0)
    with pytest.raises(ValueError, match="broken"):
        tui.stop()
    assert not tui.is_started
    assert not terminal.grid.alternate_screen


def _fail(*_: object) -> None:
    raise ValueError("broken")


class Clingy(Component):
    """Fails when the pointer leaves it."""

    @property
    def hovered(self) -> bool:
        return False

    @hovered.setter
    def hovered(self, is_hovered: bool) -> None:
        if not is_hovered:
            _fail()

    def render(self, width: int) -> list[str]:
        return ["drawn"]


class BadHandlers(Component):
    def __init__(self) -> None:
        self.focused = False

    def render(self, width: int) -> list[str]:
        return ["drawn"]

    def handle_key(self, event: KeyEvent) -> bool:
        raise ValueError("handle_key")

    def handle_paste(self, event: PasteEvent) -> None:
        raise ValueError("handle_paste")

    def handle_mouse(self, event: MouseEvent) -> MouseResult:
        raise ValueError("handle_mouse")

    def invalidate(self) -> None:
        raise ValueError("invalidate")

    def dispose(self) -> None:
        raise ValueError("dispose")


class CancelledKey(BadHandlers):
    def handle_key(self, event: KeyEvent) -> bool:
        raise asyncio.CancelledError


class BadFlags(Component):
    """Fails when it is asked or told anything of itself."""

    focused = property(_fail, _fail)
    hovered = property(_fail, _fail)
    wants_key_release = property(_fail)
    captures_viewport_input = property(_fail)

    def render(self, width: int) -> list[str]:
        return ["drawn"]


class BadAnswers(Component):
    focused = False

    def render(self, width: int) -> list[str]:
        return ["drawn"]

    def handle_key(self, event: KeyEvent) -> bool:
        return "yes"  # type: ignore[return-value]  # the mistake under test

    def handle_mouse(self, event: MouseEvent) -> MouseResult:
        return {"handeld": True}  # type: ignore[return-value]


class BadWindow(Component):
    def render(self, width: int) -> list[str]:
        return ["drawn"]

    def measure(self, width: int) -> int | None:
        return 3

    def estimate(self, width: int) -> int:
        return 3

    def render_rows(self, width: int, start: int, stop: int) -> list[str]:
        raise ValueError("render_rows")


class BadMeasure(BadWindow):
    def measure(self, width: int) -> int | None:
        raise ValueError("measure")

    def render_rows(self, width: int, start: int, stop: int) -> list[str]:
        return ["row"][start:stop]


class NegativeMeasure(BadMeasure):
    def measure(self, width: int) -> int | None:
        return -5


class TooManyRows(BadWindow):
    def render_rows(self, width: int, start: int, stop: int) -> list[str]:
        return ["row"] * 99


class RowsOfNumbers(BadWindow):
    def render_rows(self, width: int, start: int, stop: int) -> list[str]:
        return [1, 2, 3]  # type: ignore[list-item]  # the mistake under test


class BadLayout(Component):
    def render(self, width: int) -> list[str]:
        return ["drawn"]

    def natural_height(self, width: int, context: LayoutContext) -> int:
        raise ValueError("natural_height")

    def natural_width(self, width: int, context: LayoutContext) -> int:
        raise ValueError("natural_width")

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> LayoutBox:
        raise ValueError("layout_box")


class NoBox(BadLayout):
    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> LayoutBox:
        return ["drawn"]  # type: ignore[return-value]  # the mistake under test


class BadParts(Component):
    children = property(_fail)
    child = property(_fail)
    entries = property(_fail)

    def render(self, width: int) -> list[str]:
        return ["drawn"]


HABITS: list[type[Component]] = [
    BadParts,
    BadHandlers,
    CancelledKey,
    BadFlags,
    BadAnswers,
    BadWindow,
    BadMeasure,
    NegativeMeasure,
    TooManyRows,
    RowsOfNumbers,
    BadLayout,
    NoBox,
]


def _use(stage: Stage, component: Renderable) -> None:
    """Do to a component all that one can do with keys and mouse, and change the theme."""
    pilot = stage.pilot
    stage.tui.set_focus(component)
    pilot.type("xy")
    pilot.paste("pasted")
    pilot.press("pageUp", "pageDown")
    pilot.terminal.send(b"\x1b[97;1:3u")  # a key is let go
    for y in (2, 4) if is_viewport_tui(stage.tui) else ():  # where it lies
        pilot.hover(3, y)
        pilot.click(3, y)
        pilot.drag((3, y), (5, y))
        pilot.scroll(1, 3, y)
    stage.tui.invalidate()
    pilot.resize(30, 9)


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.__name__)
async def test_what_it_does_with_what_it_is_asked_costs_that_only(habit: type[Component]) -> None:
    for mode, place in EVERYWHERE:
        component = habit()
        with staged(component, mode, place) as stage:
            _use(stage, component)
            stage.assert_alive("k")
            names = {report.partition(":")[0] for report in stage.reports}
            assert names <= {habit.__name__}, (mode, place, stage.reports)


class Doer(Component):
    """Does something to the screen while it is drawn, at most `times` times."""

    def __init__(self, do: Callable[[Stage, Doer], object]) -> None:
        self.focused = False
        self.rows = 1
        self.stage: Stage | None = None
        self._do = do
        self._left = 4

    def render(self, width: int) -> list[str]:
        stage = self.stage
        if stage is not None and self._left:
            self._left -= 1
            self._do(stage, self)
        return ["drawn"] * self.rows


def _unmount(stage: Stage, doer: Doer) -> None:
    stage.tui.clear()
    stage.tui.set_layout_root(None)
    for child in (Bad(lambda width, times: ["above"]), stage.prompt):
        stage.tui.add_child(child)


def _resize(stage: Stage, doer: Doer) -> None:
    doer.rows = 4 - doer.rows


def _move_focus(stage: Stage, doer: Doer) -> None:
    stage.tui.set_focus(stage.prompt if stage.tui.focused_component is doer else doer)


def _show_overlay(stage: Stage, doer: Doer) -> None:
    stage.tui.show_overlay(Bad(lambda width, times: ["over"]), width=9, row=9).hide()


def _terminal_shrinks(stage: Stage, doer: Doer) -> None:
    stage.pilot.terminal.resize(stage.tui.columns - 1, 12)


DOINGS: Mapping[str, Callable[[Stage, Doer], object]] = {
    "changes its height": _resize,
    "asks for a frame": lambda stage, doer: stage.tui.request_render(),
    "asks for a whole frame": lambda stage, doer: stage.tui.request_render(force=True),
    "draws a frame": lambda stage, doer: stage.tui.render_now(),
    "invalidates all": lambda stage, doer: stage.tui.invalidate(),
    "unmounts itself": _unmount,
    "moves the focus": _move_focus,
    "shows an overlay": _show_overlay,
    "drops the overlays": lambda stage, doer: stage.tui.hide_overlay(),
    "types": lambda stage, doer: stage.pilot.terminal.send(b"t"),
    "shrinks the terminal": _terminal_shrinks,
}


@pytest.mark.parametrize("name", DOINGS)
async def test_what_it_does_while_it_is_drawn_is_taken_as_it_comes(name: str) -> None:
    for mode, place in EVERYWHERE:
        doer = Doer(DOINGS[name])
        with staged(doer, mode, place) as stage:
            doer.stage = stage
            for _ in range(6):
                stage.tui.render_now()
            doer.stage = None
            stage.assert_alive("k")
            assert not stage.reports, (mode, place)


@pytest.mark.parametrize("kind", [Container, Box, VStack, HStack])
def test_nothing_is_put_into_itself(kind: type[Container | VStack | HStack]) -> None:
    outer, between, inner = kind(), kind(), kind()
    outer.add_child(between)
    between.add_child(inner)
    for whole in (outer, between, inner):
        with pytest.raises(ValueError, match="cannot be put into itself"):
            inner.add_child(whole)
    assert inner.render(20) == []


async def test_frames_go_on_when_whoever_is_told_of_problems_fails() -> None:
    component = Bad(lambda width, times: ["fine"] if times < 3 else None)
    with staged(component, "fullscreen", "stack") as stage:
        stage.tui.on_component_error = lambda component, error: _fail()
        for letter in "abc":
            stage.assert_alive(letter)
