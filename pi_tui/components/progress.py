"""`Progress`: a bar for work whose size is known, with its rate and the time that is left."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from pi_tui.choices import closed, cut_text, single_line
from pi_tui.component import Component
from pi_tui.component_themes import ProgressTheme
from pi_tui.figures import format_count, format_seconds
from pi_tui.rate import Rate
from pi_tui.width import visible_width

_SHORTEST_BAR = 4
_SHORTEST_LABEL = 8
_LONGEST_BAR = 40
_GAP = "  "


class Progress(Component):
    """One row: label, bar, per cent, how much of how much, how fast, and the time that is left.

    In narrow places what is said last goes first; label, bar and per cent stay. Without a `total` there is no
    bar, only what is done so far. `unit` writes amounts (`format_bytes` for sizes). `update` changes what is
    shown; whoever calls it asks for the frame.
    """

    def __init__(
        self,
        theme: ProgressTheme | None = None,
        total: float | None = None,
        label: str = "",
        unit: Callable[[float], str] = format_count,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._theme = theme or ProgressTheme()
        self._total = _amount(total)
        self._label = label
        self._unit = unit
        self._done = 0.0
        self._rate = Rate(clock)
        self._rate.note(0.0)
        self._drawn: tuple[int, list[str]] | None = None

    @property
    def done(self) -> float:
        """How much is done."""
        return self._done

    @property
    def total(self) -> float | None:
        """How much there is to do; `None` if nobody knows."""
        return self._total

    @property
    def fraction(self) -> float | None:
        """The part that is done, 0 to 1; `None` if nobody knows how much there is to do."""
        if self._total is None:
            return None
        return min(1.0, self._done / self._total) if self._total else 1.0

    def update(self, done: float, total: float | None = None) -> None:
        """Say how much is done; `total` only if it has become known or another one."""
        amount = _amount(done)
        if amount is not None:
            self._done = amount
            self._rate.note(amount)
        if total is not None:
            self._total = _amount(total)
        self.invalidate()

    def advance(self, amount: float = 1) -> None:
        """Say that so much more is done."""
        self.update(self._done + amount)

    def set_label(self, label: str) -> None:
        """Change the label."""
        self._label = label
        self.invalidate()

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._drawn = None

    def render(self, width: int) -> list[str]:
        """Return the row, the same until something is updated."""
        if self._drawn is None or self._drawn[0] != width:
            self._drawn = (width, [self._row(width)])
        return self._drawn[1]

    def _row(self, width: int) -> str:
        label = single_line(self._label)
        fraction = self.fraction
        first, *rest = self._figures()
        bar = 0 if fraction is None else _SHORTEST_BAR
        while rest and _cells(label, bar, first, *rest) > width:
            rest.pop()
        label = self._cut_label(label, width - _cells("", bar, first, *rest))
        if bar and _cells(label, bar, first) > width:
            bar, first = (width, "") if width <= _SHORTEST_BAR else (0, first)
        elif bar:
            beside = _cells(label, 0, first, *rest)
            bar = min(_LONGEST_BAR, width - beside - len(_GAP))
        return self._joined(label, bar, [first, *rest], width)

    def _cut_label(self, label: str, room: int) -> str:
        """Return the label in `room` cells, a gap included; where there is no room to speak of, none."""
        room -= len(_GAP)
        cells = visible_width(label)
        if cells <= room:
            return label if cells else ""
        return cut_text(label, room, "…") if room >= _SHORTEST_LABEL else ""

    def _figures(self) -> list[str]:
        """Return what is said after the bar, the dispensable last."""
        fraction, done = self.fraction, self._unit(self._done)
        figures = [done]
        if fraction is not None and self._total is not None:
            figures = [f"{math.floor(fraction * 100):3d}%"]
            left = self._rate.seconds_for(self._total - self._done)
            if fraction < 1 and left is not None:
                figures.append(f"{format_seconds(left)} left")
            figures.append(f"{done} of {self._unit(self._total)}")
        rate = self._rate.per_second()
        if rate:
            figures.append(f"{self._unit(rate)}/s")
        return figures

    def _joined(self, label: str, bar: int, figures: list[str], width: int) -> str:
        theme = self._theme
        parts = [closed(theme.label(label))] if label else []
        if bar:
            parts.append(self._bar(bar))
        said = single_line(_GAP.join(figure for figure in figures if figure))
        if said:
            used = _cells(label, bar)
            room = width - used - (len(_GAP) if used else 0)
            parts.append(closed(theme.figures(cut_text(said, room))))
        return _GAP.join(parts)

    def _bar(self, cells: int) -> str:
        """Return the bar: in half cells what is done, in thin lines what is left."""
        halves = math.floor((self.fraction or 0.0) * cells * 2)
        whole, half = divmod(halves, 2)
        done = "━" * whole + "╸" * half
        return self._theme.bar(done) + self._theme.track("─" * (cells - len(done)))


def _amount(value: float | None) -> float | None:
    return max(0.0, float(value)) if value is not None and math.isfinite(value) else None


def _cells(label: str, bar: int, *figures: str) -> int:
    """Return the cells of a row with these parts and the gaps between them."""
    sizes = [visible_width(label), bar, *map(visible_width, figures)]
    there = [size for size in sizes if size]
    return sum(there) + len(_GAP) * max(0, len(there) - 1)
