"""Measured mouse input and its events, through the whole screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pi_tui.component import Component
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.transcript import Transcript
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import StackEntry
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.fixtures.load import Case, decided, load_fixture

pytestmark = pytest.mark.anyio

_SHOWN = (
    "type",
    "button",
    "x",
    "y",
    "screen_x",
    "screen_y",
    "width",
    "height",
    "shift",
    "alt",
    "ctrl",
)


class Probe(Component):
    """Rows that note what they are told."""

    def __init__(self, given: Mapping[str, Any], log: list[dict[str, Any]]) -> None:
        self.name = given["name"]
        self._accept = given.get("accept")
        self._captures = bool(given.get("capture"))
        self._rows = [self.name] * given["height"]
        self._log = log

    def render(self, width: int) -> list[str]:
        return [row[:width] for row in self._rows]

    def handle_mouse(self, event: MouseEvent) -> MouseResult:
        told = {"target": self.name, **{name: getattr(event, name) for name in _SHOWN}}
        for name in ("wheel_delta", "click_count"):
            if getattr(event, name) is not None:
                told[name] = getattr(event, name)
        self._log.append(told)
        takes = self._accept is None or event.type in self._accept
        return MouseResult(handled=takes, capture=takes and self._captures)


def cases(stem: str) -> list[Case]:
    return [case for case in load_fixture(stem) if case.id not in decided(stem)]


@pytest.mark.parametrize("case", cases("mouse"), ids=lambda case: case.name)
async def test_mouse_events(case: Case) -> None:
    given = case.input
    log: list[dict[str, Any]] = []
    terminal = HeadlessTerminal(given["columns"], given["rows"])
    tui = TuiAltScreen(terminal, strict=True, environ={})
    tui.set_layout_root(
        VStack(
            [StackEntry(Probe(probe, log), grow=probe.get("grow", 0)) for probe in given["probes"]]
        )
    )
    tui.start()
    try:
        if "overlay" in given:
            overlay = given["overlay"]
            tui.show_overlay(Probe(overlay["probe"], log), **overlay["options"])
        tui.render_now()
        for sequence in given["sequences"]:
            terminal.send(sequence.encode("latin-1"))
        if not case.contested:
            assert log == case.expected["events"]
    finally:
        tui.stop()


class _Line(Component):
    """One row."""

    def __init__(self, text: str) -> None:
        self._text = text

    def render(self, width: int) -> list[str]:
        return [self._text[:width]]


class _Lines(Transcript):
    """So many numbered lines."""

    def set_count(self, count: int) -> None:
        for entry in self.entries[count:]:
            self.remove(entry)
        for number in range(len(self.entries), count):
            self.append(_Line(f"line {number + 1}"))


@pytest.mark.parametrize("case", cases("scroll_view"), ids=lambda case: case.name)
async def test_scroll_views(case: Case) -> None:
    given = case.input
    terminal = HeadlessTerminal(given["columns"], given["rows"])
    tui = TuiAltScreen(terminal, environ={})
    lines = _Lines()
    lines.set_count(given["count"])
    view = ScrollView(lines, primary=True, **given["options"])
    tui.set_layout_root(view)
    tui.start()
    try:
        tui.render_now()
        steps = [_state(view)]
        for name, *arguments in given["ops"]:
            unused = None
            if name == "set_count":
                lines.set_count(*arguments)
            elif name == "set_rows":
                terminal.resize(given["columns"], arguments[0])
            elif name in ("key", "wheel"):
                terminal.send(arguments[1].encode())
            else:
                unused = getattr(view, name)(*arguments)
            tui.render_now()
            steps.append(_state(view) if unused is None else {**_state(view), "unused": unused})
        if not case.contested:
            assert steps == case.expected["steps"]
            assert Pilot(tui, terminal).lines() == case.expected["screen"]
    finally:
        tui.stop()


def _state(view: ScrollView) -> dict[str, Any]:
    return {
        "scroll_top": view.scroll_top,
        "viewport_height": view.viewport_height,
        "following_end": view.is_following_end,
    }
