"""Saved sessions as a tree: each below the one that it was made from, what was used last first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pi_agent.session.overview import SessionInfo

# Of the lines above a session so much is kept: no screen shows more, and chains of sessions may be long.
_MOST_CELLS = 60


class Threaded(NamedTuple):
    """A session, and the lines of the tree in front of it."""

    info: SessionInfo
    lines: str = ""


def thread_sessions(sessions: Sequence[SessionInfo]) -> list[Threaded]:
    """Return the sessions, given with the newest first, in the order of the tree.

    A branch stands where the newest session in it would. Of files that name each other as their origin, one stands
    at the top.
    """
    by_path = {str(info.path): info for info in sessions}
    children: dict[str | None, list[SessionInfo]] = {}
    placed: set[str] = set()
    for first in by_path:
        # Up to what has its place already: what comes first below a session is the newest of its branch.
        walked: set[str] = set()
        path: str | None = first
        while path is not None and path not in placed:
            placed.add(path)
            walked.add(path)
            parent = _parent(path, by_path)
            above = None if parent in walked else parent
            children.setdefault(above, []).append(by_path[path])
            path = above
    return _flat(children)


def _parent(path: str, by_path: dict[str, SessionInfo]) -> str | None:
    parent = by_path[path].header.parent_session
    if not parent or parent == path:
        return None
    if parent not in by_path:
        parent = str(Path(parent))  # which may be written in another way
    return parent if parent in by_path and parent != path else None


def _flat(children: dict[str | None, list[SessionInfo]]) -> list[Threaded]:
    """Walk the tree from the top, without recursion."""
    rows: list[Threaded] = []
    waiting = [(info, "", "") for info in reversed(children.get(None, []))]
    while waiting:
        info, lines, below = waiting.pop()
        rows.append(Threaded(info, lines))
        own = children.get(str(info.path), [])
        for number, child in reversed(list(enumerate(own))):
            is_last = number == len(own) - 1
            mark, rest = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
            above = below[-_MOST_CELLS:]
            waiting.append((child, above + mark, above + rest))
    return rows
