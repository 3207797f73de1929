"""A component that breaks its contract, in whatever way, costs its own rows and nothing else."""

from __future__ import annotations

import pytest

from pi_tui.component import CURSOR_MARKER, Component
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.events import KeyEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import Box, LayoutContext, StackEntry, Viewport
from pi_tui.testing import HeadlessTerminal, Pilot

pytestmark = pytest.mark.anyio


class Raises(Component):
    def render(self, width: int) -> list[str]:
        raise ValueError("render")


class NoList(Component):
    def render(self, width: int) -> list[str]:
        return None  # type: ignore[return-value]  # the mistake under test


class NoText(Component):
    def render(self, width: int) -> list[str]:
        return ["fine", 5, *["more"] * 9]  # type: ignore[list-item]  # the mistake under test


class BadWindow(Component):
    def render(self, width: int) -> list[str]:
        return ["x"]

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


class BadLayout(Component):
    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        raise ValueError("layout_box")

    def render(self, width: int) -> list[str]:
        return ["x"]


class BadInvalidate(Component):
    def invalidate(self) -> None:
        raise ValueError("invalidate")

    def render(self, width: int) -> list[str]:
        return ["stays"]


def bad_visible(viewport: Viewport) -> bool:
    raise ValueError("visible")


class Prompt(Component):
    def __init__(self) -> None:
        self.focused = False
        self.text = ""

    def handle_key(self, event: KeyEvent) -> bool:
        self.text += event.text
        return True

    def render(self, width: int) -> list[str]:
        return [f"> {self.text}{CURSOR_MARKER}"]


@pytest.mark.parametrize(
    "component",
    [Raises(), NoList(), NoText(), BadWindow(), BadMeasure(), BadLayout(), BadInvalidate()],
    ids=lambda component: type(component).__name__,
)
@pytest.mark.parametrize("place", ["stack", "transcript"])
async def test_the_rest_of_the_screen_goes_on(component: Component, place: str) -> None:
    terminal = HeadlessTerminal(30, 8)
    tui = TuiAltScreen(terminal, environ={})
    document = Transcript()
    document.append(Text("a neighbour", 0, 0))
    if place == "transcript":
        document.append(component)
    view = ScrollView(document, primary=True)
    prompt = Prompt()
    stack = VStack([StackEntry(view, basis=0, grow=1, min_size=2)])
    if place == "stack":
        stack.add_child(component, max_size=3)
    stack.add_child(Text("shown all the same", 0, 0), shrink=0, visible=bad_visible)
    stack.add_child(prompt, shrink=0)
    tui.set_layout_root(stack)
    tui.set_focus(prompt)
    tui.start()
    pilot = Pilot(tui, terminal)
    pilot.type("typing")
    tui.invalidate()
    tui.scroll_by(1)
    tui.scroll_by(-9)
    tui.render_now(force=True)
    screen = pilot.screen()
    assert tui.is_started
    assert "a neighbour" in screen
    assert "> typing" in screen
    assert "shown all the same" in screen
    fails_only_as_a_part = isinstance(component, BadWindow | BadLayout | BadInvalidate)
    if not fails_only_as_a_part:
        assert "[render error: " in screen
        assert {type(error) for _, error in tui.problems.reports} <= {ValueError, TypeError}
    tui.stop()
