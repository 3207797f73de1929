"""Source code as styled rows, in the `syntax*` colours of a theme. The door of pygments, loaded when first used."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from pi_tui.theme import Theme

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

_log = logging.getLogger("pi.tui")

# What each kind of token looks like; the most specific entry counts. Not colours: "italic" and "bold".
_LOOKS: Final[Mapping[str, str]] = {
    "Comment": "syntaxComment",
    "Comment.Preproc": "muted",
    "Generic.Deleted": "toolDiffRemoved",
    "Generic.Emph": "italic",
    "Generic.Inserted": "toolDiffAdded",
    "Generic.Prompt": "muted",
    "Generic.Strong": "bold",
    "Keyword": "syntaxKeyword",
    "Keyword.Constant": "syntaxNumber",
    "Keyword.Type": "syntaxType",
    "Literal.Date": "syntaxString",
    "Literal.Number": "syntaxNumber",
    "Literal.String": "syntaxString",
    "Literal.String.Doc": "syntaxComment",
    "Name.Attribute": "syntaxVariable",
    "Name.Builtin": "syntaxType",
    "Name.Class": "syntaxType",
    "Name.Constant": "syntaxNumber",
    "Name.Decorator": "syntaxFunction",
    "Name.Exception": "syntaxType",
    "Name.Function": "syntaxFunction",
    "Name.Namespace": "syntaxType",
    "Name.Property": "syntaxVariable",
    "Name.Tag": "syntaxKeyword",
    "Name.Variable": "syntaxVariable",
    "Operator": "syntaxOperator",
    "Punctuation": "syntaxPunctuation",
}

_LANGUAGES: Final[Mapping[str, str]] = {
    "bash": "bash", "bat": "batch", "c": "c", "cc": "cpp", "cfg": "ini", "cjs": "javascript",
    "clj": "clojure", "cpp": "cpp", "cs": "csharp", "css": "css", "csv": "", "cxx": "cpp",
    "dart": "dart", "diff": "diff", "erl": "erlang", "ex": "elixir", "exs": "elixir",
    "fish": "fish", "go": "go", "graphql": "graphql", "h": "c", "hpp": "cpp", "hs": "haskell",
    "html": "html", "ini": "ini", "java": "java", "js": "javascript", "json": "json",
    "jsx": "jsx", "kt": "kotlin", "less": "less", "lua": "lua", "md": "markdown",
    "mjs": "javascript", "ml": "ocaml", "patch": "diff", "php": "php", "pl": "perl",
    "proto": "protobuf", "ps1": "powershell", "py": "python", "pyi": "python", "r": "r",
    "rb": "ruby", "rs": "rust", "scala": "scala", "scss": "scss", "sh": "bash", "sql": "sql",
    "svelte": "html", "swift": "swift", "tf": "terraform", "toml": "toml", "ts": "typescript",
    "tsx": "tsx", "vim": "vim", "vue": "html", "xml": "xml", "yaml": "yaml", "yml": "yaml",
    "zig": "zig", "zsh": "bash",
}  # fmt: skip


def highlight_code(theme: Theme, code: str, language: str) -> list[str]:
    """Return a styled row for each line of `code`; in `mdCodeBlock` where the language is unknown.

    `language` is the first word of a fence's info string. It is never guessed from the code.
    """
    lines = code.removesuffix("\n").split("\n")
    pieces = code_pieces(code, language)
    rows = [] if pieces is None else list(_styled_rows(theme, pieces))
    if len(rows) != len(lines):
        return [theme.fg("mdCodeBlock", line) for line in lines]
    return rows


def code_pieces(code: str, language: str) -> list[tuple[str, str]] | None:
    """Return `code` in pieces, each after its look: a token of the theme, `italic` or `bold`.

    `None` where the language is unknown, or its lexer fails. The last line ends with a newline.
    """
    lexer = _lexer(language.lower()) if language else None
    if lexer is None:
        return None
    try:
        return [(_look_of(kind), text) for kind, text in lexer.get_tokens(code)]
    except Exception:  # a lexer is a thousand patterns by many authors
        _log.exception("highlighting %s failed", language)
        return None


def get_language_from_path(path: str) -> str | None:
    """Return the name of the language that a file's extension stands for, or `None`."""
    name = PurePath(path).name.lower()
    if name in ("dockerfile", "makefile"):
        return {"dockerfile": "docker", "makefile": "make"}[name]
    return _LANGUAGES.get(name.rpartition(".")[2]) or None


def _styled_rows(theme: Theme, pieces: Iterable[tuple[str, str]]) -> Iterator[str]:
    row = ""
    for look, text in pieces:
        first, *others = text.split("\n")
        row += _styled(theme, look, first)
        for part in others:
            yield row
            row = _styled(theme, look, part)
    if row:
        yield row


def _styled(theme: Theme, look: str, text: str) -> str:
    if not text or text.isspace():
        return text
    if look == "italic":
        return theme.italic(text)
    return theme.bold(text) if look == "bold" else theme.fg(look, text)


@lru_cache(maxsize=512)
def _look_of(kind: _TokenType) -> str:
    while kind.parent is not None:
        look = _LOOKS.get(str(kind).removeprefix("Token."))
        if look is not None:
            return look
        kind = kind.parent
    return "text"


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return None
