"""`render_latex`: formulas in plain characters, in one row within text, in several rows where they stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pi_tui.frozen import frozen
from pi_tui.latex_parser import (
    Accent,
    Blank,
    Fraction,
    Group,
    LatexError,
    Node,
    Root,
    Rows,
    Scripts,
    Symbol,
    parse_latex,
)
from pi_tui.latex_symbols import ACCENTS, SUBSCRIPTS, SUPERSCRIPTS
from pi_tui.width import visible_width

# What is longer than a page is no formula.
_LONGEST = 10_000
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
# Needs no parentheses: one run of digits, or one character with its scripts.
_ATOM = re.compile(
    "(?:[0-9.]+|[^\\W\\d_]|[^\\w\\s+*/=<>,;:-])[\u0300-\u036f\u20d0-\u20ff]*[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾₀-₎′ᵃ-ᶻᵢ-ᵪⱼₐ-ₜⁱⁿʰʲʳʷʸˡˢˣ]*"
)
_SEVERAL = re.compile(r"[\s+\-*/=<>±∓]")
_WORD = re.compile(r"[^\W\d_]+")
_DELIMITERS = {
    "pmatrix": ("( ", " )", "⎛⎜⎝", "⎞⎟⎠"),
    "bmatrix": ("[ ", " ]", "⎡⎢⎣", "⎤⎥⎦"),
    "Bmatrix": ("{ ", " }", "⎧⎪⎩", "⎫⎪⎭"),
    "vmatrix": ("| ", " |", "│││", "│││"),
    "Vmatrix": ("‖ ", " ‖", "‖‖‖", "‖‖‖"),
}
_MATRICES = frozenset({"matrix", "smallmatrix", "array", *_DELIMITERS})

Glue = Literal["plain", "spaced", "word", "blank", "negative"]


def render_latex(source: str, display: bool = False) -> str | None:
    """Return a formula (without its delimiters) in plain characters; `None` for what is not known or not complete.

    With `display` it has as many rows as it needs: fractions lie above each other, limits below their signs.
    """
    if len(source) > _LONGEST:
        return None
    try:
        box = _Layout(display).box(parse_latex(source.strip()))
    except LatexError:
        return None
    return "\n".join(row.rstrip() for row in box.rows)


@frozen
class _Box:
    """Rows of characters, all as wide as the widest; `base` is the row that stands on the line."""

    rows: tuple[str, ...]
    base: int = 0

    @property
    def width(self) -> int:
        """Cells of the widest row."""
        return max(visible_width(row) for row in self.rows)

    @property
    def text(self) -> str:
        """The only row."""
        return self.rows[0]


class _Part(NamedTuple):
    """A box, and what goes between it and its neighbours."""

    box: _Box
    glue: Glue


class _Layout:
    """Draws nodes. `is_tight` leaves out all room, as in scripts."""

    def __init__(self, display: bool, *, is_tight: bool = False) -> None:
        self._display = display
        self._is_tight = is_tight

    def box(self, node: Node) -> _Box:
        """Return a node drawn."""
        match node:
            case Group():
                return self._joined(self._part(part) for part in _flat(node))
            case Scripts():
                return self._scripts(node)
            case Fraction():
                return self._fraction(node)
            case Root():
                return _Box((self._root(node),))
            case Accent():
                return _Box((self._accent(node),))
            case Rows():
                return self._environment(node)
            case Blank():
                return _Box((" ",))
            case Symbol():
                return _Box((node.text,))

    def _part(self, node: Node) -> _Part:
        if isinstance(node, Blank):
            return _Part(_Box(("",)), "negative" if node.is_negative else "blank")
        base = node.base if isinstance(node, Scripts) else node
        kind = base.kind if isinstance(base, Symbol) else "plain"
        glue: Glue = "plain"
        if kind == "relation":
            glue = "spaced"
        elif kind in ("word", "limits"):
            glue = "word"
        return _Part(self.box(node), glue)

    def _joined(self, parts: Iterable[_Part]) -> _Box:
        boxes: list[_Box] = []
        space = _Box((" ",))
        before: _Part | None = None
        wants_space = forbids_space = False
        for part in parts:
            if part.glue == "blank":
                wants_space = True
                continue
            if part.glue == "negative":
                forbids_space = True
                continue
            if (
                before is not None
                and not forbids_space
                and self._is_apart(before, part, wants_space)
            ):
                boxes.append(space)
            boxes.append(part.box)
            before, wants_space, forbids_space = part, False, False
        return _beside(boxes) if boxes else _Box(("",))

    def _is_apart(self, before: _Part, part: _Part, wants_space: bool) -> bool:
        """Tell whether a space goes between two parts; `wants_space` if there was one in the source."""
        if self._is_tight and "word" not in (before.glue, part.glue):
            return False
        return (wants_space and not _ends_in_space(before)) or _needs_space(before, part)

    def _line(self, node: Node, *, is_tight: bool = False) -> str:
        """Return a node in one row."""
        box = _Layout(False, is_tight=is_tight or self._is_tight).box(node)
        return box.text.strip() if is_tight else box.text

    # -- what the nodes look like

    def _scripts(self, node: Scripts) -> _Box:
        base = node.base
        if isinstance(base, Symbol) and base.kind in ("big", "limits"):
            if self._display:
                return self._with_limits(base.text, node)
            if base.kind == "limits" and node.below is not None:
                above = _raised(self._line(node.above, is_tight=True)) if node.above else ""
                return _Box((f"{base.text}[{self._line(node.below, is_tight=True)}]{above}",))
        scripts = ""
        if node.below is not None:
            scripts += _lowered(self._line(node.below, is_tight=True))
        if node.above is not None:
            scripts += _raised(self._line(node.above, is_tight=True))
        return _beside([self.box(base), _Box((scripts,))])

    def _with_limits(self, sign: str, node: Scripts) -> _Box:
        above = self._line(node.above, is_tight=True) if node.above is not None else ""
        below = self._line(node.below, is_tight=True) if node.below is not None else ""
        rows = [row for row in (above, sign, below) if row]
        return _centered(rows, 1 if above else 0)

    def _fraction(self, node: Fraction) -> _Box:
        if self._display:
            above, below = self.box(node.above), self.box(node.below)
            width = max(above.width, below.width)
            rows = [*_center(above.rows, width), "─" * width, *_center(below.rows, width)]
            return _Box(tuple(rows), len(above.rows))
        above_text, below_text = self._line(node.above), self._line(node.below)
        if _SEVERAL.search(above_text):
            above_text = f"({above_text})"
        return _Box((f"{above_text}/{_in_parentheses(below_text)}",))

    def _root(self, node: Root) -> str:
        degree = self._line(node.degree, is_tight=True) if node.degree is not None else ""
        sign = _ROOTS.get(degree) or f"{_raised(degree)}√"
        return sign + _in_parentheses(self._line(node.body))

    def _accent(self, node: Accent) -> str:
        body = self._line(node.body)
        return body + ACCENTS[node.name] if len(body) == 1 else f"{node.name}({body})"

    def _environment(self, node: Rows) -> _Box:
        if node.environment == "cases":
            return self._cases(node)
        if node.environment in _MATRICES:
            return self._matrix(node)
        rows = [self.box(Group(row)) for row in node.rows]
        return _stacked(rows) if self._display else _Box(("; ".join(row.text for row in rows),))

    def _matrix(self, node: Rows) -> _Box:
        cells = [[self._line(cell).strip() for cell in row] for row in node.rows]
        left, right, tall_left, tall_right = _DELIMITERS.get(node.environment, ("", "", "", ""))
        if not self._display:
            return _Box((left.strip() + "; ".join(" ".join(row) for row in cells) + right.strip(),))
        rows = [" │ ".join(row) for row in _padded(cells)]
        if len(rows) == 1 or not tall_left:
            return _Box(tuple(f"{left}{row}{right}" for row in rows), len(rows) // 2)
        last = len(rows) - 1
        drawn = [
            f"{tall_left[_place(number, last)]} {row} {tall_right[_place(number, last)]}"
            for number, row in enumerate(rows)
        ]
        return _Box(tuple(drawn), len(rows) // 2)

    def _cases(self, node: Rows) -> _Box:
        cells = [[self._line(cell).strip() for cell in row] for row in node.rows]
        rows = [" ".join(row) for row in (_padded(cells) if self._display else cells)]
        if not self._display:
            return _Box(("{" + "; ".join(rows),))
        if len(rows) == 1:
            return _Box((f"{{ {rows[0]}",))
        middle = len(rows) // 2
        if len(rows) % 2 == 0:
            rows.insert(middle, "")
        signs = ["⎪"] * len(rows)
        signs[0], signs[middle], signs[-1] = "⎧", "⎨", "⎩"
        return _Box(tuple(f"{sign} {row}" for sign, row in zip(signs, rows, strict=True)), middle)


def _flat(group: Group) -> Iterable[Node]:
    """Yield the parts of a group, and those of the groups in it: braces alone change nothing."""
    for part in group.parts:
        if isinstance(part, Group):
            yield from _flat(part)
        else:
            yield part


def _ends_in_space(part: _Part) -> bool:
    return len(part.box.rows) == 1 and part.box.text.endswith(" ")


def _needs_space(before: _Part, part: _Part) -> bool:
    if "spaced" in (before.glue, part.glue):
        return True
    if "word" not in (before.glue, part.glue):
        return False
    last, first = before.box.rows[before.box.base][-1:], part.box.rows[part.box.base][:1]
    return (last.isalnum() or before.glue == "word") and (first.isalnum() or part.glue == "word")


def _raised(text: str) -> str:
    small = text.translate(SUPERSCRIPTS)
    if text and all(one != other for one, other in zip(text, small, strict=True)):
        return small
    return f"^{text}" if len(text) == 1 else f"^({text})"


def _lowered(text: str) -> str:
    small = text.translate(SUBSCRIPTS)
    if text and all(one != other for one, other in zip(text, small, strict=True)):
        return small
    return f"_{text}" if len(text) == 1 or _WORD.fullmatch(text) else f"_({text})"


def _in_parentheses(text: str) -> str:
    return text if _ATOM.fullmatch(text) else f"({text})"


def _beside(boxes: Sequence[_Box]) -> _Box:
    """Return boxes side by side, their base rows on one line."""
    if all(len(box.rows) == 1 for box in boxes):
        return _Box(("".join(box.text for box in boxes),))
    above = max(box.base for box in boxes)
    below = max(len(box.rows) - box.base for box in boxes)
    rows = [""] * (above + below)
    for box in boxes:
        width, top = box.width, above - box.base
        for number in range(len(rows)):
            inside = 0 <= number - top < len(box.rows)
            row = box.rows[number - top] if inside else ""
            rows[number] += row + " " * (width - visible_width(row))
    return _Box(tuple(rows), above)


def _stacked(boxes: Sequence[_Box]) -> _Box:
    rows = tuple(row for box in boxes for row in box.rows)
    return _Box(rows, len(rows) // 2)


def _center(rows: Sequence[str], width: int) -> list[str]:
    return [_middle(row, width) for row in rows]


def _middle(row: str, width: int) -> str:
    free = width - visible_width(row)
    return " " * (free // 2) + row + " " * (free - free // 2)


def _centered(rows: Sequence[str], base: int) -> _Box:
    width = max(visible_width(row) for row in rows)
    return _Box(tuple(_center(rows, width)), base)


def _padded(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return cells as wide as the widest of their column, the last one of a row as it is."""
    columns = max(len(row) for row in cells)
    full = [[*row, *[""] * (columns - len(row))] for row in cells]
    widths = [max(visible_width(row[number]) for row in full) for number in range(columns)]
    return [
        [
            cell + " " * (width - visible_width(cell))
            for cell, width in zip(row, widths, strict=True)
        ]
        for row in full
    ]


def _place(number: int, last: int) -> int:
    """Return which piece of a tall delimiter stands in a row: its top, its middle or its bottom."""
    return 0 if number == 0 else 2 if number == last else 1
