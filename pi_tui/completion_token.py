"""The word before the cursor: whether it can be completed, and as what.

A *trigger token* is a word that starts with a trigger character, like `@`.
"""

from __future__ import annotations

ALWAYS_TRIGGERS = ("@", "#")
_MAX_TOKEN = 512
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "`": "`"}
_OPENING = "".join(_BRACKETS)
_CJK_PUNCTUATION = "、。，．・：；？！「」『』（）［］｛｝〈〉《》【】〔〕〖〗…"
# What ends a path that is not in quotes.
DELIMITERS = frozenset(" \t\"'=" + _CJK_PUNCTUATION)


def is_slash_context(line: int, before: str) -> bool:
    """Whether the text before the cursor belongs to a slash command."""
    return line == 0 and before.lstrip().startswith("/")


def is_command_name(line: int, before: str) -> bool:
    """Whether the text before the cursor is a slash command's name so far."""
    return is_slash_context(line, before) and " " not in before.lstrip()


def ends_in_trigger_token(before: str, triggers: frozenset[str]) -> bool:
    """Whether the text before the cursor ends in a trigger token, or in an unclosed `@"`."""
    before = before[-_MAX_TOKEN:]
    quote = before.rfind('@"')
    if quote >= 0 and '"' not in before[quote + 2 :] and _starts_token(before[:quote]):
        return True
    start = len(before)
    while start and not _separates(before[start - 1]):
        start -= 1
    token = before[start:]
    return token.lstrip(_OPENING)[:1] in triggers if token else False


def asks_for_suggestions(typed: str, line: int, before: str, triggers: frozenset[str]) -> bool:
    """Whether typing `typed`, which ends the text `before` the cursor, should open the menu."""
    if typed == "/" and line == 0 and before.strip() == "/":
        return True
    if typed in triggers and _starts_token(before[: -len(typed)]):
        return True
    if typed[:1].isalnum() or typed in (".", "-", "_"):
        return is_slash_context(line, before) or ends_in_trigger_token(before, triggers)
    return False


def attachment_token(before: str) -> str | None:
    """Return the `@…` or `@"…` that the text before the cursor ends in."""
    quoted = _quoted_token(before)
    token = _bare_token(before) if quoted is None else quoted
    return token if token.startswith("@") else None


def path_token(before: str, *, force: bool) -> str | None:
    """Return what the text before the cursor ends in, if that reads as a path; any word does with `force`."""
    quoted = _quoted_token(before)
    token = _bare_token(before) if quoted is None else quoted
    if force:
        return token
    if not token:
        return token if before[-1:].isspace() else None
    path = token.removeprefix('"')
    return token if "/" in path or path.startswith(".") else None


def _quoted_token(before: str) -> str | None:
    """Return the text from an unclosed quote on, with the `@` before it; `None` without such a quote."""
    if before.count('"') % 2 == 0:
        return None
    start = before.rfind('"')
    if before[:start].endswith("@"):
        start -= 1
    head = before[:start]
    if head and head[-1] not in DELIMITERS and head[-1] not in _OPENING:
        return None
    return before[start:]


def _bare_token(before: str) -> str:
    start = len(before)
    while start and before[start - 1] not in DELIMITERS:
        start -= 1
    return _unwrapped(before[start:])


def _unwrapped(token: str) -> str:
    """Return `token` without a bracket that it opens and what is before that, unless it names a folder.

    `[text](src/a` is about `src/a`; `app/(group` and `app/[slug]/a` are paths.
    """
    for index in range(len(token) - 1, -1, -1):
        closing = _BRACKETS.get(token[index])
        if closing and closing not in token[index + 1 :] and token[:index][-1:] != "/":
            if token[index] == "`" and token.count("`") % 2 == 0:
                continue
            return token[index + 1 :]
    return token


def _separates(character: str) -> bool:
    return character.isspace() or character in _CJK_PUNCTUATION


def _starts_token(before: str) -> bool:
    """Whether a token starts behind `before`, opening brackets and backticks aside."""
    before = before.rstrip(_OPENING)
    return not before or _separates(before[-1])
