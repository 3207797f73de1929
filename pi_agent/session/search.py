"""Find saved sessions by what people remember of them.

Words may each match another field; quotes hold words together; `re:` begins a regular expression. A match in
the name counts most, then one in the text, then letters in order in the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from pi_agent.session.overview import SessionInfo
from pi_tui.frozen import frozen
from pi_tui.fuzzy import fuzzy_match

_TOKEN: Final = re.compile(r'"([^"]*)"|(\S+)')
_NAME, _TEXT, _FUZZY = range(3)

# Returns the tier of a match, the best being the lowest; `None` is no match.
Matcher = Callable[[SessionInfo], int | None]


@frozen
class Found:
    """The sessions that match, best first; `error` is what is wrong with the query."""

    sessions: list[SessionInfo]
    error: str | None = None


def search_sessions(query: str, sessions: Sequence[SessionInfo]) -> Found:
    """Return the sessions that match `query`; those that match equally well keep their order."""
    query = query.strip()
    if not query:
        return Found(list(sessions))
    if query.startswith("re:"):
        try:
            pattern = re.compile(query.removeprefix("re:"), re.IGNORECASE)
        except re.error as error:
            return Found([], f"Not a regular expression: {error}")
        return Found(_ranked([lambda info: _tier_of_pattern(pattern, info)], sessions))
    return Found(_ranked([_matcher(*token) for token in _tokens(query)], sessions))


def _tokens(query: str) -> list[tuple[str, bool]]:
    """Return the parts of a query and whether each stood in quotes; an odd quote is an ordinary character."""
    if query.count('"') % 2:
        return [(word, False) for word in query.split()]
    tokens = [
        (" ".join(match[1].split()), True) if match[1] is not None else (match[2], False)
        for match in _TOKEN.finditer(query)
    ]
    return [token for token in tokens if token[0]]


def _matcher(text: str, is_phrase: bool) -> Matcher:
    wanted = text.casefold()
    # Many sessions have the same directory, and matching letters takes its time.
    fuzzy = lru_cache(None)(lambda field: fuzzy_match(text, field).matches)

    def match(info: SessionInfo) -> int | None:
        if wanted in _folded(info.name or ""):
            return _NAME
        if wanted in info.search_text or any(wanted in field.casefold() for field in _fields(info)):
            return _TEXT
        if is_phrase:
            return None
        return _FUZZY if fuzzy(info.name or "") or fuzzy(info.header.cwd) else None

    return match


def _tier_of_pattern(pattern: re.Pattern[str], info: SessionInfo) -> int | None:
    if pattern.search(info.name or ""):
        return _NAME
    fields = (info.search_text, *_fields(info))
    return _TEXT if any(pattern.search(field) for field in fields) else None


def _fields(info: SessionInfo) -> tuple[str, ...]:
    """Return what is searched besides the text, which is not there yet after a glance at a long file."""
    beginning = "" if info.search_text else info.first_message
    return beginning, info.header.id, info.header.cwd


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _ranked(matchers: Sequence[Matcher], sessions: Sequence[SessionInfo]) -> list[SessionInfo]:
    ranked: list[tuple[int, SessionInfo]] = []
    for info in sessions:
        tiers = [tier for match in matchers if (tier := match(info)) is not None]
        if len(tiers) == len(matchers):
            ranked.append((max(tiers, default=_NAME), info))
    return [info for _, info in sorted(ranked, key=lambda each: each[0])]
