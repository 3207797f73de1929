"""A measured figure, and the table that figures are shown in."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured: one value a run. `aim` is what we would like it to be at most.

    The clock on the wall and waiting for a terminal suffer from other work on the machine; `feels_load` marks
    them. CPU time suffers less, bytes not at all.
    """

    subject: str
    name: str
    unit: str
    values: list[float] = field(default_factory=list)
    aim: float | None = None
    feels_load: bool = False

    @property
    def median(self) -> float:
        """The value to quote."""
        return statistics.median(self.values)

    @property
    def misses(self) -> bool:
        """Whether there is an aim that the median is above."""
        return self.aim is not None and self.median > self.aim


def table(figures: Iterable[Figure]) -> str:
    """Return the figures as a Markdown table: `*` marks what feels other load, `!` what misses its aim."""
    rows = [["Figure", "Median", "Lowest", "Highest", "Aim", ""]]
    subject = ""
    for figure in figures:
        if figure.subject != subject:
            subject = figure.subject
            rows.append([f"**{subject}**", "", "", "", "", ""])
        rows.append(_row(figure))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rule = [("-" * widths[0]), *("-" * (width - 1) + ":" for width in widths[1:-1]), "--"]
    widths[-1] = max(widths[-1], 2)
    return "\n".join(_line(row, widths) for row in (rows[0], rule, *rows[1:]))


def number(value: float) -> str:
    """Return a figure with about three digits."""
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if size >= 1 else f"{value:.3f}".rstrip("0").rstrip(".")


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` (0 to 1) of `values` lie below."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def _row(figure: Figure) -> list[str]:
    name = f"{figure.name}, {figure.unit}" + (" *" if figure.feels_load else "")
    if not figure.values:
        return [name, "failed", "", "", "", "!"]
    aim = "" if figure.aim is None else f"≤ {number(figure.aim)}"
    values = [figure.median, min(figure.values), max(figure.values)]
    return [name, *map(number, values), aim, "!" if figure.misses else ""]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = row
    cells = [first.ljust(widths[0]), *map(str.rjust, rest, widths[1:])]
    return f"| {' | '.join(cells)} |"
