"""What stands in a paragraph as rows of spans: pieces of text with the marks they are in.

Bare addresses are links by a rule of our own: linkifiers out of the box take the text of scripts without
spaces along.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pi_tui.frozen import frozen
from pi_tui.latex import render_latex
from pi_tui.markdown_tree import Definitions

if TYPE_CHECKING:
    from pi_tui.markdown_grammar import Token

# `link_url` is the address behind a link's text, for terminals that know no links.
Mark = Literal["bold", "italic", "strikethrough", "code", "link", "link_url"]


@frozen
class Span:
    """Text within the same marks, the outermost first, and the target if it is a link.

    Of a picture it is the description, and `image` where the picture is.
    """

    text: str
    marks: tuple[Mark, ...] = ()
    href: str = ""
    image: str = ""


_MARKS: dict[str, Mark] = {
    "strong_open": "bold",
    "em_open": "italic",
    "s_open": "strikethrough",
}

# Without any of these a text is what it says.
_SPECIAL = re.compile(r"[!$&*<\[\\\]_`~@]|https?://", re.IGNORECASE)

_ADDRESS = re.compile(
    "(?<![A-Za-z0-9])https?://[A-Za-z0-9\\[]"
    '[^\\s<>"`\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef'
    "\U0001b000-\U0001b2ff\U00020000-\U0003ffff]*"
    r"|(?<![\w.%+-])[A-Za-z0-9][\w.%+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]*[A-Za-z0-9])+",
    re.IGNORECASE,
)
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_ENDS_OF_SENTENCE = ".,;:!?'*_~"
_OPEN_COMMENT = "<!--"


def read_inline(
    text: str, definitions: Definitions, *, keep_escapes: bool = False, math: bool = True
) -> list[list[Span]]:
    """Return the rows of a paragraph's text. `keep_escapes` shows backslashes that only take a meaning away.

    With `math` formulas are drawn in plain characters.
    """
    if _SPECIAL.search(text) is None:
        return [[Span(line.strip(" "))] for line in text.split("\n")]
    from pi_tui.markdown_grammar import inline_tokens

    reader = _Reader(keep_escapes)
    reader.read(inline_tokens(text, {"references": definitions}, math=math))
    return reader.finished()


class _Reader:
    """The rows so far, the marks that are open, and text that is not yet a span."""

    def __init__(self, keep_escapes: bool) -> None:
        self._keep_escapes = keep_escapes
        self._lines: list[list[Span]] = [[]]
        self._marks: list[Mark] = []
        self._pending = ""
        self._href = ""
        self._link_text = ""
        self._after_comment = False

    def read(self, tokens: Sequence[Token]) -> None:
        """Read all tokens of a paragraph."""
        for token in tokens:
            if token.type == "text" and _OPEN_COMMENT in token.content:
                self._pending += token.content.partition(_OPEN_COMMENT)[0]
                break
            self._read(token)

    def finished(self) -> list[list[Span]]:
        """Return the rows; one in which only a comment stood is gone."""
        self._end_line()
        return [line for line in self._lines if line]

    def _read(self, token: Token) -> None:
        match token.type:
            case "text":
                self._pending += token.content
                return
            case "text_special":
                keeps = self._keep_escapes and token.info == "escape"
                self._pending += token.markup if keeps else token.content
                return
        self._flush()
        match token.type:
            case "strong_open" | "em_open" | "s_open":
                self._marks.append(_MARKS[token.type])
            case "strong_close" | "em_close" | "s_close":
                self._marks.pop()
            case "math_inline":
                self._add(render_latex(token.content) or token.markup)
            case "code_inline":
                self._add(token.content, "code")
            case "link_open":
                self._marks.append("link")
                self._href, self._link_text = str(token.attrs["href"]), ""
            case "link_close":
                self._marks.pop()
                self._close_link(is_bare=token.markup == "autolink")
            case "image":
                self._add(_plain(token.children or []), image=str(token.attrs["src"]))
            case "html_inline":
                self._add_html(token.content)
            case "softbreak" | "hardbreak":
                self._end_line()
                self._lines.append([])

    def _close_link(self, *, is_bare: bool) -> None:
        href, self._href = self._href, ""
        if href and not is_bare and self._link_text not in (href, href.removeprefix("mailto:")):
            space = " " if self._lines[-1] else ""
            self._lines[-1].append(Span(f"{space}({href})", ("link_url",)))

    def _add_html(self, html: str) -> None:
        if html.startswith(_OPEN_COMMENT):
            self._after_comment = True
            return
        first, *others = html.split("\n")
        self._add(first)
        for line in others:
            self._lines.append([])
            self._add(line)

    def _flush(self) -> None:
        text, self._pending = self._pending, ""
        if self._href:
            self._add(text)
            return
        position = 0
        for match in _ADDRESS.finditer(text):
            address = _without_end_of_sentence(match[0])
            self._add(text[position : match.start()])
            self._href = address if "://" in address else f"mailto:{address}"
            self._add(address, "link")
            self._href = ""
            position = match.start() + len(address)
        self._add(text[position:])

    def _add(self, text: str, mark: Mark | None = None, *, image: str = "") -> None:
        line = self._lines[-1]
        if self._after_comment and text:
            self._after_comment = False
            if text.startswith(" ") and (not line or line[-1].text.endswith(" ")):
                text = text[1:]
        if not text:
            return
        marks = (*self._marks, mark) if mark is not None else tuple(self._marks)
        self._link_text += text
        line.append(Span(text, marks, self._href, image))

    def _end_line(self) -> None:
        """End a row without the blanks at its end."""
        self._flush()
        line = self._lines[-1]
        while line and not line[-1].text.rstrip(" "):
            line.pop()
        if line and line[-1].text.endswith(" "):
            last = line[-1]
            line[-1] = replace(last, text=last.text.rstrip(" "))


def _without_end_of_sentence(address: str) -> str:
    """Return an address without the punctuation that belongs to the sentence around it."""
    end = len(address)
    extra = {
        closing: address.count(closing) - address.count(opening)
        for closing, opening in _BRACKETS.items()
    }
    while end:
        last = address[end - 1]
        if extra.get(last, 0) > 0:
            extra[last] -= 1
        elif last not in _ENDS_OF_SENTENCE:
            break
        end -= 1
    return address[:end]


def _plain(tokens: Sequence[Token]) -> str:
    """Return what is to read of a picture's description."""
    return "".join(
        _plain(token.children) if token.children else token.content or _break(token)
        for token in tokens
    )


def _break(token: Token) -> str:
    return " " if token.type in ("softbreak", "hardbreak") else ""
