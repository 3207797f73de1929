"""Screens of both modes with a component in every kind of place, between a neighbour and a prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from pi_tui import Container, Renderable, StackEntry, TuiMainScreen
from pi_tui.app import TUI
from pi_tui.component import CURSOR_MARKER, Component
from pi_tui.components import Box, HStack, MouseRegion, ScrollView, Text, Transcript, VStack
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.testing import HeadlessTerminal, Pilot

MODES: Mapping[str, type[TuiAltScreen | TuiMainScreen]] = {
    "fullscreen": TuiAltScreen,
    "regular": TuiMainScreen,
}


class Prompt(Component):
    """Shows what was typed."""

    def __init__(self) -> None:
        self.focused = False
        self.text = ""

    def handle_key(self, event: KeyEvent) -> bool:
        self.text += event.text
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        self.text += event.text

    def render(self, width: int) -> list[str]:
        return [f"> {self.text}{CURSOR_MARKER if self.focused else ''}"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A started screen with a component on it."""

    tui: TUI
    pilot: Pilot
    prompt: Prompt
    reports: list[str]

    def assert_alive(self, typed: str) -> None:
        """The neighbour is there, and what is typed is shown."""
        self.tui.set_focus(self.prompt)
        before = self.prompt.text
        self.pilot.type(typed)
        screen = self.pilot.screen()
        assert self.tui.is_started, self.reports
        assert "above" in screen, screen
        assert f"> {before}{typed}" in screen, screen
        assert "\x1b_pi:" not in screen


def _above() -> Text:
    return Text("above", 0, 0)


def _stack(component: Renderable, prompt: Prompt) -> VStack:
    return VStack([_above(), prompt, component])


def _columns(component: Renderable) -> HStack:
    return HStack([StackEntry(Text("l", 0, 0), basis=1, shrink=0), component])


def _as_children(tui: TUI, component: Renderable, prompt: Prompt) -> None:
    for child in (_above(), prompt, component):
        tui.add_child(child)


def _in_stack(tui: TUI, component: Renderable, prompt: Prompt) -> None:
    tui.set_layout_root(_stack(component, prompt))


def _in_scrolled_stack(tui: TUI, component: Renderable, prompt: Prompt) -> None:
    tui.set_layout_root(ScrollView(_stack(component, prompt)))


def _in_box(tui: TUI, component: Renderable, prompt: Prompt) -> None:
    inner, outer = Box(0, 0), Container()
    inner.add_child(component)
    outer.add_child(MouseRegion(inner, lambda event: None))
    _as_children(tui, outer, prompt)


def _in_columns(tui: TUI, component: Renderable, prompt: Prompt) -> None:
    _in_stack(tui, _columns(component), prompt)


def _in_scrolled_columns(tui: TUI, component: Renderable, prompt: Prompt) -> None:
    _in_scrolled_stack(tui, _columns(component), prompt)


def _in_transcript(tui: TUI, component: Renderable, prompt: Prompt) -> None:
    document = Transcript()
    document.append(component)
    _in_stack(tui, ScrollView(document, primary=True), prompt)


def _in_overlay(tui: TUI, component: Renderable, prompt: Prompt) -> None:
    _as_children(tui, Text("below", 0, 0), prompt)
    tui.show_overlay(component, width=20, row=4, non_capturing=True)


PLACES: Mapping[str, Callable[[TUI, Renderable, Prompt], None]] = {
    "children": _as_children,
    "stack": _in_stack,
    "scrolled stack": _in_scrolled_stack,
    "box": _in_box,
    "columns": _in_columns,
    "scrolled columns": _in_scrolled_columns,
    "transcript": _in_transcript,
    "overlay": _in_overlay,
}


@contextmanager
def staged(
    component: Renderable, mode: str, place: str, columns: int = 40, rows: int = 12
) -> Iterator[Stage]:
    """Start a screen with a component in a place; it is stopped in any case."""
    terminal = HeadlessTerminal(columns, rows)
    tui = MODES[mode](terminal, environ={})
    reports: list[str] = []
    tui.on_component_error = lambda who, error: reports.append(
        f"{type(who).__name__}: {type(error).__name__}: {error}"
    )
    prompt = Prompt()
    PLACES[place](tui, component, prompt)
    tui.set_focus(prompt)
    tui.start()
    tui.render_now()
    try:
        yield Stage(tui, Pilot(tui, terminal), prompt, reports)
    finally:
        tui.stop()
    assert not tui.is_started
