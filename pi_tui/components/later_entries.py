"""Entries of a transcript that are made when somebody looks at them, and let go when many others were looked at."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from pi_tui.component import Renderable

# More than any screen shows, and not so many that a search through everything fills the memory.
MOST_KEPT: Final = 500

# In a list of entries a number stands for one that is not made yet.
EntryOrNumber = Renderable | int


class LaterEntries:
    """Makes entries by their numbers, in the places where those stand."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._makers: list[Callable[[int], Renderable]] = []
        self._count = 0
        self._made: OrderedDict[int, int] = (
            OrderedDict()
        )  # numbers by places, the last used at the end

    def numbers(self, count: int, make: Callable[[int], Renderable]) -> range:
        """Return numbers for `count` entries, each to be made by `make`, which counts from 0."""
        first = self._count
        self._firsts.append(first)
        self._makers.append(make)
        self._count += count
        return range(first, self._count)

    def at(self, entries: list[EntryOrNumber], place: int) -> Renderable:
        """Return the entry of a place, making it if need be."""
        entry = entries[place]
        if not isinstance(entry, int):
            if place in self._made:
                self._made.move_to_end(place)
            return entry
        batch = bisect_right(self._firsts, entry) - 1
        made = self._makers[batch](entry - self._firsts[batch])
        entries[place] = made
        self._made[place] = entry
        if len(self._made) > MOST_KEPT:
            oldest, number = self._made.popitem(last=False)
            entries[oldest] = number
        return made

    def keep_from(self, place: int) -> None:
        """Let those that are made from a place on stay for good: places change."""
        for made in [made for made in self._made if made >= place]:
            del self._made[made]

    def clear(self) -> None:
        """Forget everything."""
        self._firsts.clear()
        self._makers.clear()
        self._made.clear()
        self._count = 0


def made_only(entries: list[EntryOrNumber]) -> list[Renderable]:
    """Return the entries that are made."""
    return [entry for entry in entries if not isinstance(entry, int)]
