"""Source code as nodes of the page, in the classes of the theme's syntax colours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pi_agent.session.export.nodes import Node, element, plain
from pi_tui.highlight import code_pieces

# Longer code takes a while to read as such, and nobody reads it through.
_MOST_CHARACTERS = 100_000


def code_nodes(code: str, language: str) -> list[Node]:
    """Return coloured code; where the language is unknown, or there is much of it, its text."""
    text = plain(code).removesuffix("\n")
    pieces = code_pieces(text, language) if len(text) <= _MOST_CHARACTERS else None
    if pieces is None or "".join(piece for _, piece in pieces).removesuffix("\n") != text:
        return [text] if text else []
    nodes: list[Node] = []
    # Every lexer ends the last line, which no row of the page needs.
    for look, group in groupby(_without_last_line_end(pieces), key=_look):
        piece = "".join(text for _, text in group)
        nodes.append(element(f"span.{look}", piece) if look else piece)
    return nodes


def _without_last_line_end(pieces: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    *others, (look, last) = pieces
    yield from others
    if last := last.removesuffix("\n"):
        yield look, last


def _look(piece: tuple[str, str]) -> str:
    """Return the class of a piece; none for what looks as all text does."""
    look, text = piece
    return "" if look == "text" or text.isspace() else look
