"""What was typed for a key means: the key itself, a variable, or a command. Nothing of it is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pi_agent.llm.key_values import expand, is_command, key_problem, literal, variables_of
from pi_tui.frozen import frozen

Token = Literal["muted", "warning", "error"]

_WAYS = "Or $NAME for a variable, !command for what a command prints."
_COMMAND = "A command: what it prints is the key. It runs when a request needs it."
_NOT_SET = "It names a variable that is not set now."


@frozen
class KeyReading:
    """How a text is understood, in `words`, and how it is `written` in the file: not at all if it cannot be a key.

    `is_name`: it only tells where the key is. `has_signs`: the same text could be meant as it stands, too.
    """

    words: str
    token: Token = "muted"
    written: str | None = None
    is_name: bool = False
    has_signs: bool = False


def read_key(typed: str, environ: Mapping[str, str], *, is_literal: bool = False) -> KeyReading:
    """Return what `typed` means; `is_literal`: every sign stands for itself."""
    text = typed.strip()
    if not text:
        return KeyReading(_WAYS)
    written = literal(text) if is_literal else text
    has_signs = literal(text) != text
    problem = key_problem(written)
    if problem is not None:
        return KeyReading(problem, "error", has_signs=has_signs)
    if is_command(written):
        return KeyReading(_COMMAND, "muted", written, is_name=True, has_signs=True)
    names = variables_of(written)
    is_name = written in {form for name in names for form in (f"${name}", f"${{{name}}}")}
    if not all(environ.get(name, "").strip() for name in names):
        return KeyReading(_NOT_SET, "warning", written, is_name, has_signs)
    if is_name:
        return KeyReading(f"The variable {names[0]} has the key.", "muted", written, True, True)
    length = len(expand(written, environ) or "")
    words = f"A key of {length} {'character' if length == 1 else 'characters'}"
    words += f", with {', '.join(names)} filled in." if names else "."
    return KeyReading(words, "muted", written, False, has_signs)
