"""JSON as people write it: with comments and trailing commas."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pi_agent.base.errors import PiError
from pi_tui.patterns import pattern

if TYPE_CHECKING:
    from pi_agent.base.wire import JsonValue

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
_COMMENT = pattern(rf"{_STRING}|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING_COMMA = pattern(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_NOT_BLANK = pattern(r"[^\r\n]")
_SHOWN_CHARACTERS = 60


def parse_jsonc(text: str, source: str) -> JsonValue:
    """Read `text`; the `PiError` for what is no JSON names `source`, line and column."""
    try:
        return json.loads(plain_json(text.removeprefix("\ufeff")))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise PiError(f"{source}: not valid JSON at {where}: {error.msg}") from error
    except RecursionError as error:
        raise PiError(f"{source}: nested too deeply") from error


def plain_json(text: str) -> str:
    """Return `text` with blanks in place of comments and trailing commas: every other character stays where it is."""
    return _TRAILING_COMMA.sub(_blank, without_comments(text))


def without_comments(text: str) -> str:
    """Return `text` with blanks in place of comments."""
    return _COMMENT.sub(_blank, text)


def shown_value(value: object) -> str:
    """Return a value for a message about a file: as the file may have it, short and printable."""
    text = json.dumps(value, ensure_ascii=False)
    if not text.isprintable():
        text = json.dumps(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"


def _blank(match: re.Match[str]) -> str:
    """Keep strings; put spaces in place of all else, so that lines and columns stay right."""
    return match[0] if match[0].startswith('"') else _NOT_BLANK.sub(" ", match[0])
