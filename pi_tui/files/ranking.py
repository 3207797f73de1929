"""Which of many paths are meant by a few letters, the likeliest first.

Without a slash the letters are looked for in names, else in whole paths. Letters that are added only
narrow what was found before, so that the work of a key does not grow with the tree.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import field
from heapq import nsmallest

from pi_tui.files.typed_path import folded
from pi_tui.frozen import slotted

Key = tuple[int, int, int, str]

_SLICE = 1000


def rank_of(query: str, path: str) -> Key | None:
    """Return what a path is sorted by, `None` if it does not match; folders end in a slash.

    `query` is folded. Better matches come first, then paths that are less deep, then shorter ones.
    """
    score = _score(query, path) if query else 0
    if score is None:
        return None
    return -score, path.count("/", 0, -1), len(path), path


def _score(query: str, path: str) -> int | None:
    whole = path.removesuffix("/")
    name = folded(whole[whole.rfind("/") + 1 :])
    bonus = 10 if path.endswith("/") else 0
    if name == query:
        return 100 + bonus
    if name.startswith(query):
        return 80 + bonus
    if query in name:
        return 50 + bonus
    return 30 + bonus if "/" in query and query in folded(path) else None


@slotted
class _Step:
    """What is left of the list before it with some more letters; `seen` of that list have been looked at."""

    query: str
    paths: list[str] = field(default_factory=list)
    best: list[Key] = field(default_factory=list)
    seen: int = 0


class FileRanking:
    """Ranks a list of paths that may still grow, for letters that are typed one after the other.

    `examined` counts the paths that were looked at. Usable from any thread.
    """

    KEPT = 40

    def __init__(self, paths: Sequence[str]) -> None:
        self.examined = 0
        self._paths = paths
        self._steps: list[_Step] = []
        self._lock = threading.Lock()

    def best(self, query: str) -> Iterator[str]:
        """Return the paths that fit best, at most `KEPT` of them."""
        with self._lock:
            return (path for *_, path in self._best(folded(query)))

    def _best(self, query: str) -> list[Key]:
        while self._steps and not _narrows(query, self._steps[-1].query):
            self._steps.pop()
        if not self._steps or self._steps[-1].query != query:
            self._steps.append(_Step(query))
        paths = self._paths
        for step in self._steps:
            self._catch_up(step, paths)
            paths = step.paths
        return self._steps[-1].best

    def _catch_up(self, step: _Step, source: Sequence[str]) -> None:
        count = len(source)
        self.examined += count - step.seen
        while step.seen < count:
            slice_end = min(step.seen + _SLICE, count)
            ranks = (rank_of(step.query, source[at]) for at in range(step.seen, slice_end))
            keys = [key for key in ranks if key is not None]
            step.paths += [key[-1] for key in keys]
            step.best = nsmallest(self.KEPT, [*step.best, *keys])
            step.seen = slice_end
            time.sleep(0)  # lets other threads go first: one that draws must not wait for all of it


def _narrows(query: str, other: str) -> bool:
    """Whether what matches `query` matches `other` too; a slash starts to look in whole paths."""
    return other in query and ("/" in query) == ("/" in other)
