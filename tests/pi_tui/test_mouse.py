"""Mouse reports become events in cells, and containers give them to the child that lies there."""

from __future__ import annotations

import pytest

from pi_tui.component import Component
from pi_tui.components.container import Container
from pi_tui.components.hstack import HStack
from pi_tui.components.stack import VStack
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.hit_test import boxes_at
from pi_tui.layout import Box, StackEntry
from pi_tui.mouse import MouseReader, MouseReport, WheelPace, mouse_off, mouse_on, wheel_lines_here
from pi_tui.mouse_delivery import deliver_mouse


class Rows(Component):
    """So many rows; remembers what it was told."""

    def __init__(self, height: int, answer: object = True) -> None:
        self.lines = ["x"] * height
        self.answer = answer
        self.told: list[MouseEvent] = []

    def render(self, width: int) -> list[str]:
        return self.lines

    def handle_mouse(self, event: MouseEvent) -> MouseResult | bool | None:
        self.told.append(event)
        return self.answer  # type: ignore[return-value]  # also what extensions may answer


def press(x: int, y: int, width: int = 20, height: int = 5) -> MouseEvent:
    return MouseEvent("press", "left", x, y, x, y, width, height)


def report(code: int, *, release: bool = False) -> MouseReport:
    return MouseReport(code, 3, 2, release)


def kinds(*reports: MouseReport) -> list[tuple[str, str]]:
    reader = MouseReader()
    events = [reader.read(one, 0.0) for one in reports]
    return [(event.type, event.button) for event in events if event is not None]


def test_a_release_of_the_old_form_ends_what_was_pressed() -> None:
    assert kinds(report(2), report(3, release=True)) == [("press", "right"), ("release", "right")]


def test_after_the_focus_was_lost_nothing_is_held() -> None:
    reader = MouseReader()
    reader.read(report(2), 0.0)
    reader.forget()
    event = reader.read(report(3, release=True), 0.0)
    assert event is not None
    assert event.button == "none"


@pytest.mark.parametrize("code", [66, 67, 128, 129, 64 + 128])
def test_sideways_wheels_and_further_buttons_mean_nothing(code: int) -> None:
    assert kinds(report(code), report(code, release=True)) == []


def test_alt_multiplies_the_wheel_by_five() -> None:
    event = MouseReader(3).read(report(64 + 8), 0.0)
    assert event is not None
    assert event.wheel_delta == -15


def turned(*gaps_ms: float, direction: int = 1) -> list[int]:
    pace = WheelPace()
    now = 10.0
    lines = [pace.lines(direction, now)]
    for gap in gaps_ms:
        now += gap / 1000
        lines.append(pace.lines(direction, now))
    return lines


def test_a_wheel_that_turns_faster_goes_further() -> None:
    assert turned(100) == [1, 1]
    assert turned(50, 50, 50) == [1, 2, 2, 2]
    assert turned(20, 20) == [1, 5, 5]
    assert turned(1, 1, 1) == [1, 1, 1, 1]  # one notch that is sent in pieces
    assert turned(10, 300, 10) == [1, 6, 1, 6]


def test_what_is_left_of_a_line_is_carried_on() -> None:
    # 1.6 lines a notch: 1 and 2 in turn, 8 in 5.
    assert sum(turned(62.5, 62.5, 62.5, 62.5, 62.5)[1:]) == 8


def test_a_wheel_that_turns_round_starts_anew() -> None:
    pace = WheelPace()
    assert [pace.lines(1, 1.0), pace.lines(1, 1.02), pace.lines(-1, 1.04)] == [1, 5, 1]


def test_only_a_local_mac_goes_line_by_line() -> None:
    assert wheel_lines_here("auto", {}, "darwin") == 1
    assert wheel_lines_here("auto", {"SSH_TTY": "/dev/pts/1"}, "darwin") == "auto"
    assert wheel_lines_here("auto", {}, "linux") == "auto"
    assert wheel_lines_here(4, {}, "darwin") == 4


@pytest.mark.parametrize(
    "environ", [{"TMUX": "x"}, {"STY": "x"}, {"ZELLIJ": "0"}, {"TERM": "tmux-256color"}]
)
def test_multiplexers_are_not_asked_for_every_movement(environ: dict[str, str]) -> None:
    assert "1003" in mouse_on({"TERM": "xterm-256color"})
    assert "1003" not in mouse_on(environ)
    assert mouse_off() == "\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l"


def test_a_container_tells_the_child_at_the_row() -> None:
    first, second = Rows(2), Rows(3)
    inner = Container()
    inner.add_child(second)
    outer = Container()
    outer.add_child(first)
    outer.add_child(inner)
    outer.render(20)
    answer = deliver_mouse(outer, press(4, 3))
    assert not first.told
    (event,) = second.told
    assert (event.x, event.y, event.width, event.height) == (4, 1, 20, 3)
    assert (event.screen_x, event.screen_y) == (4, 3)
    assert answer.target is not None
    assert answer.target.component is second
    assert (answer.target.x, answer.target.y) == (0, 2)


def test_a_container_uses_the_rows_of_its_last_render() -> None:
    child = Rows(2)
    box = Container()
    box.add_child(child)
    box.render(20)
    child.lines = ["x"] * 4
    assert not deliver_mouse(box, press(0, 3)).handled
    box.render(20)
    assert deliver_mouse(box, press(0, 3)).handled


@pytest.mark.parametrize(
    ("given", "handled"),
    [
        (True, True),
        (None, False),
        (False, False),
        ({"handled": True}, True),
        ({"focus": True}, True),
        (MouseResult(capture=True), True),
        (MouseResult(), False),
    ],
)
def test_answers_in_short(given: object, handled: bool) -> None:
    component = Rows(1, given)
    answer = deliver_mouse(component, press(0, 0))
    assert answer.handled is handled
    assert (answer.target is not None) is handled


def test_the_deepest_box_in_sight_comes_first() -> None:
    low, high = Box(Rows(1), 0, 10, 4, 0, 4), Box(Rows(1), 2, 4, 2, 2, 3, x=6)
    root = Box(Rows(1), 0, 20, 4, 0, 4, children=[low, high])
    assert boxes_at(root, 7, 2) == [high, root]
    assert boxes_at(root, 5, 2) == [low, root]
    assert boxes_at(root, 7, 3) == [low, root]  # the clip hides the second row of `high`
    assert boxes_at(root, 12, 0) == [root]
    assert boxes_at(root, 20, 0) == []


def test_a_stack_in_a_document_tells_the_child_that_lies_there() -> None:
    left, right, below = Rows(2), Rows(2), Rows(1)
    beside = HStack([StackEntry(left, basis=6), StackEntry(right, basis=0, grow=1)], gap=1)
    whole = Container()
    whole.add_child(Rows(1))
    whole.add_child(VStack([beside, below], gap=1))
    whole.render(20)
    assert deliver_mouse(whole, press(9, 2)).handled
    (event,) = right.told
    assert (event.x, event.y, event.width, event.height) == (2, 1, 13, 2)
    assert not deliver_mouse(whole, press(6, 2)).handled  # the gap
    assert deliver_mouse(whole, press(6, 4)).handled
    assert [event.y for event in below.told] == [0]
    assert not left.told
