"""Many small shapes as few SVG paths: what touches in one colour becomes one piece.

Pieces that only touch would show a hair line between them in a picture that is scaled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pi_tui.svg_shapes import Block, Curve, Line, Shape


class Paint(NamedTuple):
    """How a path is drawn: its colour, its stroke (0: filled) and the dashes of it, how opaque it is."""

    color: str
    stroke: float = 0
    dashes: str = ""
    opacity: float = 1


class Paths:
    """Collects shapes, and writes them as `<path>` elements, one for each way to paint."""

    def __init__(self) -> None:
        self._blocks: dict[Paint, list[Block]] = defaultdict(list)
        self._lines: dict[Paint, list[Line]] = defaultdict(list)
        self._curves: dict[Paint, list[str]] = defaultdict(list)

    def add(self, shape: Shape, x: float, y: float, color: str, *, dashes: str = "") -> None:
        """Add a shape moved to the right by `x` and down by `y`."""
        match shape:
            case Block():
                paint = Paint(color, opacity=shape.opacity)
                self._blocks[paint].append(shape._replace(x=x + shape.x, y=y + shape.y))
            case Line(x0, y0, x1, y1, width):
                line = Line(x + x0, y + y0, x + x1, y + y1, width)
                self._lines[Paint(color, width, dashes)].append(line)
            case Curve():
                start = f"M{number(x + shape.x)} {number(y + shape.y)}"
                self._curves[Paint(color, 1)].append(start + shape.path)

    def elements(self) -> Iterator[str]:
        """Yield the elements: what is filled first, then the strokes."""
        for paint, blocks in self._blocks.items():
            yield _element(paint, map(_block_data, _merged_blocks(blocks)))
        strokes = {**self._lines, **self._curves}
        for paint in strokes:
            lines = map(_line_data, _merged_lines(self._lines.get(paint, [])))
            yield _element(paint, [*lines, *self._curves.get(paint, [])])


def number(value: float) -> str:
    """Return a length as short as it goes."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _element(paint: Paint, data: Iterable[str]) -> str:
    style = f'fill="{paint.color}" shape-rendering="crispEdges"'
    if paint.stroke:
        style = f'fill="none" stroke="{paint.color}" stroke-width="{number(paint.stroke)}"'
    style += f' stroke-dasharray="{paint.dashes}"' if paint.dashes else ""
    style += f' opacity="{number(paint.opacity)}"' if paint.opacity != 1 else ""
    return f'<path {style} d="{"".join(data)}"/>'


def _block_data(block: Block) -> str:
    x, y, width, height = map(number, block[:4])
    return f"M{x} {y}h{width}v{height}h-{width}z"


def _line_data(line: Line) -> str:
    x0, y0, x1, y1, _ = map(number, line)
    return f"M{x0} {y0}H{x1}" if y0 == y1 else f"M{x0} {y0}V{y1}"


def _merged_blocks(blocks: list[Block]) -> list[Block]:
    """Join blocks that touch at the side in rows, and then equal rows below each other."""
    rows: list[Block] = []
    for block in sorted(blocks, key=lambda each: (each.y, each.height, each.x)):
        last = rows[-1] if rows else None
        if last and (last.y, last.height, last.x + last.width) == (block.y, block.height, block.x):
            rows[-1] = last._replace(width=last.width + block.width)
        else:
            rows.append(block)
    merged: list[Block] = []
    for block in sorted(rows, key=lambda each: (each.x, each.width, each.y)):
        last = merged[-1] if merged else None
        if last and (last.x, last.width, last.y + last.height) == (block.x, block.width, block.y):
            merged[-1] = last._replace(height=last.height + block.height)
        else:
            merged.append(block)
    return merged


def _merged_lines(lines: list[Line]) -> list[Line]:
    """Join lines that continue each other."""
    merged: list[Line] = []
    for line in sorted(lines, key=lambda each: (each.x0 == each.x1, _across(each), each)):
        last = merged[-1] if merged else None
        if last and _continues(last, line):
            merged[-1] = last._replace(x1=max(last.x1, line.x1), y1=max(last.y1, line.y1))
        else:
            merged.append(line)
    return merged


def _across(line: Line) -> float:
    """Return where a line lies, counted across its direction."""
    return line.x0 if line.x0 == line.x1 else line.y0


def _continues(last: Line, line: Line) -> bool:
    if (last.x0 == last.x1) != (line.x0 == line.x1) or _across(last) != _across(line):
        return False
    return line.x0 <= last.x1 and line.y0 <= last.y1
