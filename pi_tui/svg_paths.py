"""Many small shapes as few SVG paths: what touches in one colour becomes one piece.

Pieces that only touch would show a hair line between them in a picture that is scaled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from pi_tui.svg_shapes import Block, Curve, Line, Shape

_Piece = TypeVar("_Piece")


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
    rows = _joined(sorted(blocks, key=lambda each: (each.y, each.height, each.x)), _beside)
    return _joined(sorted(rows, key=lambda each: (each.x, each.width, each.y)), _below)


def _beside(first: Block, second: Block) -> Block | None:
    end = first.x + first.width
    touches = (first.y, first.height, end) == (second.y, second.height, second.x)
    return first._replace(width=first.width + second.width) if touches else None


def _below(first: Block, second: Block) -> Block | None:
    end = first.y + first.height
    touches = (first.x, first.width, end) == (second.x, second.width, second.y)
    return first._replace(height=first.height + second.height) if touches else None


def _merged_lines(lines: list[Line]) -> list[Line]:
    """Join lines that continue each other."""
    across = (line for line in lines if line.y0 == line.y1)
    down = (line for line in lines if line.y0 != line.y1)
    return [
        *_joined(sorted(across, key=lambda each: (each.y0, each)), _onwards),
        *_joined(sorted(down), _onwards),
    ]


def _onwards(first: Line, second: Line) -> Line | None:
    is_in_row = first.y0 == first.y1 == second.y0 and second.x0 <= first.x1
    is_in_column = first.x0 == first.x1 == second.x0 and second.y0 <= first.y1
    if not is_in_row and not is_in_column:
        return None
    return first._replace(x1=max(first.x1, second.x1), y1=max(first.y1, second.y1))


def _joined(
    pieces: Iterable[_Piece], join: Callable[[_Piece, _Piece], _Piece | None]
) -> list[_Piece]:
    """Join each piece with the one before it, where `join` knows what both are together."""
    joined: list[_Piece] = []
    for piece in pieces:
        both = join(joined[-1], piece) if joined else None
        if both is None:
            joined.append(piece)
        else:
            joined[-1] = both
    return joined
