"""LaTeX mathematics as a tree. What is not known or not complete raises `LatexError`: then the source is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from pi_tui import latex_symbols as symbols
from pi_tui.frozen import frozen

# Far more than people write by hand, and far less than functions can call each other.
_DEEPEST = 60
# Of a table, those counted that are left out at the ends of rows. What is drawn has to keep a proportion to the source.
_MOST_CELLS = 2000
_TOKEN = re.compile(r"\\operatorname\*|\\[A-Za-z]+|\\.|\s+|[{}^_&~]|:=|[^\\]", re.DOTALL)
_RELATION_SIGNS = frozenset({"=", "<", ">", ":="})

Kind = Literal["plain", "relation", "word", "limits", "big"]
# How an environment is drawn: rows as they are, cells in columns between delimiters, or choices behind a brace.
_ROWS = "equation displaymath aligned align alignedat alignat gather gathered multline split"
_STARRED = "equation align alignat multline cases"
_COLUMNS = "array matrix smallmatrix pmatrix bmatrix Bmatrix vmatrix Vmatrix"
_WITH_ARGUMENT = frozenset({"array", "alignedat", "alignat"})
_ENVIRONMENTS: Final = frozenset(
    [*_ROWS.split(), *_COLUMNS.split(), "cases", *(f"{name}*" for name in _STARRED.split())]
)


class LatexError(Exception):
    """The source is none that can be drawn."""


@frozen
class Symbol:
    """Characters; the kind says what goes around them."""

    text: str
    kind: Kind = "plain"


@frozen
class Blank:
    """Room between two parts; `is_negative` takes room away."""

    is_negative: bool = False


@frozen
class Group:
    """Parts one after another."""

    parts: tuple[Node, ...]


@frozen
class Scripts:
    """Something with what stands below it and above it."""

    base: Node
    below: Node | None = None
    above: Node | None = None


@frozen
class Fraction:
    """One over the other."""

    above: Node
    below: Node


@frozen
class Root:
    """A root, with its degree if it is not the second."""

    body: Node
    degree: Node | None = None


@frozen
class Accent:
    """Something below a mark."""

    name: str
    body: Node


@frozen
class Rows:
    """Rows of cells, in an environment or parted by `\\\\`."""

    environment: str
    rows: tuple[tuple[Node, ...], ...]


Node = Symbol | Blank | Group | Scripts | Fraction | Root | Accent | Rows


def parse_latex(source: str) -> Node:
    """Return the tree of a formula without its delimiters."""
    parser = _Parser(_TOKEN.findall(source))
    if "".join(parser.tokens) != source:
        raise LatexError("a backslash at the end")
    rows = parser.rows(end="")
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else Rows("gathered", rows)


class _Parser:
    """Reads tokens one after another."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self._at = 0
        self._depth = 0

    def rows(self, end: str) -> tuple[tuple[Node, ...], ...]:
        """Return rows of cells up to `\\end{…}`, or up to the end of all."""
        rows: list[tuple[Node, ...]] = []
        cells: list[Node] = []
        while True:
            cells.append(self._parts(("&", "\\\\", "\\end")))
            stop = self._next()
            if stop == "&":
                if not end:
                    raise LatexError("a column without columns")
                continue
            rows.append(tuple(cells))
            cells = []
            if stop == "\\\\":
                self._skip_space_after_row()
            elif stop == "\\end" and end and self._name() == end:
                break
            elif stop or end:
                raise LatexError(
                    "an environment without its end, or an end without its environment"
                )
            else:
                break
        if len(rows) > 1 and all(_is_empty(cell) for cell in rows[-1]):
            rows.pop()
        if len(rows) * max(map(len, rows)) > _MOST_CELLS:
            raise LatexError("too many cells")
        return tuple(rows)

    def _skip_space_after_row(self) -> None:
        """Skip `[2pt]` behind the end of a row."""
        rest = "".join(self.tokens[self._at : self._at + 12])
        found = re.match(r"\[[\d.]+ *[a-z]{2}\]", rest)
        if found is not None:
            self._at += found.end()

    def _parts(self, stops: Sequence[str]) -> Group:
        parts: list[Node] = []
        while self._peek() and self._peek() not in stops:
            token = self._next()
            if token in ("^", "_"):
                parts.append(self._with_script(parts.pop() if parts else Symbol(""), token))
            elif token == "'":
                parts.append(Symbol("′"))
            else:
                parts.extend(self._node(token))
        return Group(tuple(parts))

    def _with_script(self, base: Node, token: str) -> Node:
        if isinstance(base, Blank):
            raise LatexError("a script of nothing")
        script = self._argument()
        scripts = base if isinstance(base, Scripts) else Scripts(base)
        is_above = token == "^"
        if (scripts.above if is_above else scripts.below) is not None:
            raise LatexError("two scripts at one place")
        if is_above:
            return Scripts(scripts.base, scripts.below, script)
        return Scripts(scripts.base, script, scripts.above)

    def _node(self, token: str) -> list[Node]:
        """Return what begins with a token. Whatever holds something else comes through here."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise LatexError("too deep")
        nodes = list(self._nodes(token))
        self._depth -= 1
        return nodes

    def _nodes(self, token: str) -> Iterator[Node]:
        if token == "{":
            group = self._parts(("}",))
            if self._next() != "}":
                raise LatexError("a brace that is not closed")
            yield group
        elif token in ("}", "&") or token == "":
            raise LatexError("a brace or a column too many")
        elif token.isspace() or token == "~":
            yield Blank()
        elif token.startswith("\\"):
            yield from self._command(token[1:])
        else:
            yield Symbol(token, "relation" if token in _RELATION_SIGNS else "plain")

    def _command(self, name: str) -> Iterator[Node]:
        if name == "!":
            yield Blank(is_negative=True)
        elif name in symbols.SPACES or name.isspace():
            yield Blank()
        elif name in symbols.IGNORED:
            if name in symbols.DELIMITED and self._peek() == ".":
                self._next()
        elif name == "begin":
            yield self._environment()
        else:
            yield self._simple(name) or self._with_arguments(name)

    def _simple(self, name: str) -> Symbol | None:
        """Return what stands for a command without arguments."""
        tables: tuple[tuple[dict[str, str], Kind], ...] = (
            (symbols.SYMBOLS, "plain"),
            (symbols.RELATIONS, "relation"),
            (symbols.BIG_OPERATORS, "big"),
            (symbols.INTEGRALS, "plain"),
            (symbols.LIMITS, "limits"),
            (symbols.ESCAPED, "plain"),
        )
        for table, kind in tables:
            if name in table:
                return Symbol(table[name], kind)
        if name == "bmod":
            return Symbol("mod", "relation")
        return Symbol(name, "word") if name in symbols.WORDS else None

    def _with_arguments(self, name: str) -> Node:
        if name in symbols.FRACTIONS:
            return Fraction(self._argument(), self._argument())
        if name == "sqrt":
            degree = self._option()
            return Root(self._argument(), degree)
        if name in symbols.ACCENTS:
            return Accent(name, self._argument())
        if name in symbols.TEXTS:
            return Symbol(self._text())
        if name == "mathbb":
            return Symbol(symbols.double_struck(self._text()))
        if name in symbols.FONTS:
            return self._argument()
        match name.rstrip("*"):
            case "operatorname":
                return Symbol(self._text(), "limits" if name.endswith("*") else "word")
            case "not":
                return self._negated()
            case "binom" | "dbinom" | "tbinom":
                above, below = self._argument(), self._argument()
                return _wrapped("(", above, Symbol(" choose "), below, Symbol(")"))
            case "boxed":
                return _wrapped("[", self._argument(), Symbol("]"))
            case "pmod":
                return _wrapped("(mod ", self._argument(), Symbol(")"))
            case "overset" | "stackrel":
                script = self._argument()
                return Scripts(self._argument(), above=script)
            case "underset":
                script = self._argument()
                return Scripts(self._argument(), below=script)
        raise LatexError(f"\\{name} is not known")

    def _negated(self) -> Symbol:
        self._skip_blanks()
        for node in self._node(self._next()):
            while isinstance(node, Group) and len(node.parts) == 1:
                node = node.parts[0]
            if isinstance(node, Symbol):
                return Symbol(symbols.negated(node.text), node.kind)
        raise LatexError("nothing to negate")

    def _environment(self) -> Rows:
        name = self._name()
        if name not in _ENVIRONMENTS:
            raise LatexError(f"the environment {name} is not known")
        if name.rstrip("*") in _WITH_ARGUMENT:
            self._text()
        return Rows(name.rstrip("*"), self.rows(end=name))

    # -- tokens

    def _peek(self) -> str:
        return self.tokens[self._at] if self._at < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _skip_blanks(self) -> None:
        while self._peek().isspace():
            self._next()

    def _argument(self) -> Node:
        """Return the next argument: a group, a command with what belongs to it, or one character."""
        self._skip_blanks()
        token = self._next()
        if token in ("", "^", "_", "&", "\\\\", "\\end"):
            raise LatexError("an argument is missing")
        nodes = self._node(token)
        if len(nodes) != 1 or isinstance(nodes[0], Blank):
            raise LatexError("an argument is missing")
        return nodes[0]

    def _option(self) -> Node | None:
        if self._peek() != "[":
            return None
        self._next()
        option = self._parts(("]",))
        if self._next() != "]":
            raise LatexError("an option that is not closed")
        return option

    def _text(self) -> str:
        """Return what stands in braces as it is written."""
        self._skip_blanks()
        first = self._next()
        if first != "{":
            if first in ("", "}") or first.startswith("\\"):
                raise LatexError("an argument is missing")
            return first
        text, depth = "", 1
        while token := self._next():
            depth += (token == "{") - (token == "}")
            if not depth:
                return text
            if token not in "{}":
                text += symbols.ESCAPED.get(token[1:], token[1:]) if token[0] == "\\" else token
        raise LatexError("a brace that is not closed")

    def _name(self) -> str:
        return self._text().strip()


def _wrapped(opening: str, *parts: Node) -> Group:
    return Group((Symbol(opening), *parts))


def _is_empty(node: Node) -> bool:
    return isinstance(node, Group) and all(isinstance(part, Blank) for part in node.parts)
