"""How far something has come."""

from __future__ import annotations

import asyncio

from pi_tui import format_bytes, get_progress_theme
from pi_tui.components import Progress
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples

_TICK = 0.1
_TOTAL = 40e6


class _Work:
    """Work that goes on as long as the page shows, and begins anew when it is done."""

    def __init__(self, stage: Stage) -> None:
        looks = get_progress_theme(stage.theme)
        self._stage = stage
        self.known = Progress(looks, _TOTAL, "Fetching", format_bytes)
        self.unknown = Progress(looks, None, "Reading", format_bytes)
        self._timer: asyncio.TimerHandle | None = None
        self._wait()

    def close(self) -> None:
        """Stop."""
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(_TICK, self._go_on)

    def _go_on(self) -> None:
        done = self.known.done + _TOTAL / 200
        self.known.update(done if done <= _TOTAL else 0)
        self.unknown.advance(123_456)
        self._stage.tui.request_render()
        self._wait()


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    looks = get_progress_theme(stage.theme)
    work = _Work(stage)
    half = Progress(looks, 8, "日本語 and a label that has to give way")
    half.update(4)
    rows = ("how much there is to do is known", work.known), ("it is not", work.unknown)
    return Piece(samples(stage.theme, *rows, ("counted", half)), close=work.close)


PAGE = Page(
    "Progress",
    "Make it narrow: the rate goes first, then the amount, then the time; bar and per cent stay.",
    build,
    (
        "Progress",
        "ProgressTheme",
        "get_progress_theme",
        "format_bytes",
        "format_count",
        "format_seconds",
    ),
)
