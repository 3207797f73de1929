"""A loader that can be called off."""

from __future__ import annotations

import pytest

from pi_tui.component import identity
from pi_tui.components.cancellable_loader import CancellableLoader
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.testing import HeadlessTerminal, Pilot

pytestmark = pytest.mark.anyio


async def test_escape_fires_the_signal_once_and_tells_each_time() -> None:
    terminal = HeadlessTerminal(20, 4)
    tui = TuiAltScreen(terminal, strict=True, environ={})
    loader = CancellableLoader(tui, identity, identity, "Waiting")
    told: list[str] = []
    loader.on_abort = lambda: told.append("again")
    loader.signal.on_abort(lambda: told.append("fired"))
    tui.set_layout_root(loader)
    tui.set_focus(loader)
    tui.start()
    try:
        pilot = Pilot(tui, terminal)
        pilot.press("x", "enter")
        assert not loader.aborted and pilot.lines()[1].endswith("Waiting")
        pilot.press("escape", "escape")
        assert loader.aborted and told == ["fired", "again", "again"]
    finally:
        loader.dispose()
        tui.stop()


async def test_disposing_stops_the_animation_and_nothing_else() -> None:
    tui = TuiAltScreen(HeadlessTerminal(20, 4), environ={})
    loader = CancellableLoader(tui, identity, identity)
    loader.dispose()
    assert not loader.aborted
