"""Components of the measured pictures: made from their description, and laid out on a screen of a size."""

from __future__ import annotations

import math
from typing import Any

from pi_tui.component import Component, Renderable
from pi_tui.components.box import Box
from pi_tui.components.container import Container
from pi_tui.components.hstack import HStack
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.spacer import Spacer
from pi_tui.components.stack import Stack, VStack
from pi_tui.components.text import Text
from pi_tui.components.truncated_text import TruncatedText
from pi_tui.frame import FrameMaker
from pi_tui.layout import Box as LaidOut
from pi_tui.layout import Layer, LayoutContext, StackEntry, Viewport, layout_box
from pi_tui.testing import HeadlessTerminal

Description = dict[str, Any]


class Lines(Component):
    """The same rows at any width."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def render(self, width: int) -> list[str]:
        return self._lines


class Block(Component):
    """A rectangle of a letter."""

    def __init__(self, letter: str, height: int) -> None:
        self._letter, self._height = letter, height

    def render(self, width: int) -> list[str]:
        return [self._letter * width] * self._height


def build(description: Description) -> Renderable:
    """Return what a picture's description asks for."""
    given = dict(description)
    kind = given.pop("type")
    if kind in ("vstack", "hstack"):
        return _stack(kind, given)
    if kind in ("box", "container"):
        return _container(kind, given)
    if kind == "scroll_view":
        return ScrollView(build(given.pop("component")), **given)
    if kind == "numbered":
        prefix = given.get("prefix", "line ")
        return Lines([f"{prefix}{number + 1}" for number in range(given["count"])])
    if "bg" in given:
        given["bg"] = _background(given["bg"])
    makers = {
        "text": Text,
        "truncated_text": TruncatedText,
        "spacer": Spacer,
        "lines": Lines,
        "block": Block,
    }
    made: Renderable = makers[kind](**given)
    return made


def lay_out(component: Renderable, columns: int, rows: int) -> LaidOut:
    """Return the boxes of a screen that shows `component`."""
    context = LayoutContext(Viewport(columns, rows))
    return layout_box(component, context, 0, columns, rows, 0, rows)


def draw(component: Renderable, columns: int, rows: int) -> list[str]:
    """Return the rows of a screen that shows `component`, without blanks at their ends."""
    terminal = HeadlessTerminal(columns, rows)
    layer = Layer(lay_out(component, columns, rows))
    terminal.draw(FrameMaker(lambda *_: None).make([layer], columns, rows), show_cursor=False)
    return terminal.grid.lines()


def _stack(kind: str, given: Description) -> Stack:
    children = [_entry(child) for child in given.pop("children")]
    if kind == "hstack":
        return HStack(children, **given)
    return VStack(children, gap=given.get("gap", 0))


def _entry(given: Description) -> StackEntry:
    given = dict(given)
    component = build(given.pop("component"))
    least = given.pop("min_viewport_width", 0)
    given.setdefault("max_size", math.inf)
    return StackEntry(component, visible=lambda viewport: viewport.width >= least, **given)


def _container(kind: str, given: Description) -> Container:
    children = [build(child) for child in given.pop("children")]
    if "bg" in given:
        given["bg"] = _background(given["bg"])
    container = Box(**given) if kind == "box" else Container()
    for child in children:
        container.add_child(child)
    return container


def _background(index: int) -> Any:
    return lambda text: f"\x1b[48;5;{index}m{text}\x1b[49m"
