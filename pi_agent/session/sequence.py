"""Entries in a row: those of a branch, or all of a session.

Which ones is known from the index: an entry is made when it is asked for, its line read when one of its fields is.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterator, Sequence
from typing import overload

from pi_agent.session.entries import Entry, MessageEntry
from pi_agent.session.index import Kind, SessionIndex


class EntrySequence(Sequence[Entry]):
    """A sequence of entries of which only those looked at are made; `entry` makes one by its number."""

    def __init__(
        self, index: SessionIndex, entry: Callable[[int], Entry], numbers: Sequence[int]
    ) -> None:
        self._index = index
        self._entry = entry
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> EntrySequence: ...
    def __getitem__(self, at: int | slice) -> Entry | EntrySequence:
        if isinstance(at, slice):
            return EntrySequence(self._index, self._entry, self._numbers[at])
        return self._entry(self._numbers[at])

    def __iter__(self) -> Iterator[Entry]:
        return map(self._entry, self._numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def last_of(self, entry_type: str) -> int | None:
        """Return where the last entry of a type stands."""
        codes, wanted = self._index.kind_codes, self._codes(lambda kind: kind.type == entry_type)
        places = range(len(self._numbers) - 1, -1, -1) if wanted else ()
        return next((at for at in places if codes[self._numbers[at]] in wanted), None)

    def positions(self, kinds: Container[Kind]) -> Sequence[int]:
        """Return where the entries of some kinds stand."""
        codes, wanted = self._index.kind_codes, self._codes(lambda kind: kind in kinds)
        return array(
            "I", [at for at, number in enumerate(self._numbers) if codes[number] in wanted]
        )

    def _codes(self, is_wanted: Callable[[Kind], bool]) -> frozenset[int]:
        return frozenset(code for code, kind in enumerate(self._index.kinds) if is_wanted(kind))

    def shared_with(self, other: EntrySequence) -> int:
        """Return how many entries both begin with."""
        pairs = enumerate(zip(self._numbers, other._numbers, strict=False))
        return next((at for at, (one, two) in pairs if one != two), min(len(self), len(other)))

    def position_of(self, entry_id: str) -> int | None:
        """Return where an entry stands."""
        number = self._index.find(entry_id)
        try:
            return None if number is None else self._numbers.index(number)
        except ValueError:
            return None


def shared_length(first: Sequence[Entry], second: Sequence[Entry]) -> int:
    """Return how many entries two branches of a session begin with together."""
    if isinstance(first, EntrySequence) and isinstance(second, EntrySequence):
        return first.shared_with(second)
    pairs = enumerate(zip(first, second, strict=False))
    return next(
        (at for at, (one, other) in pairs if one is not other), min(len(first), len(second))
    )


def last_of(entries: Sequence[Entry], entry_type: str) -> int | None:
    """Return where the last entry of a type stands."""
    if isinstance(entries, EntrySequence):
        return entries.last_of(entry_type)
    places = range(len(entries) - 1, -1, -1)
    return next((at for at in places if entries[at].type == entry_type), None)


def position_of(entries: Sequence[Entry], entry_id: str) -> int | None:
    """Return where an entry stands."""
    if isinstance(entries, EntrySequence):
        return entries.position_of(entry_id)
    return next((at for at, entry in enumerate(entries) if entry.id == entry_id), None)


def positions(entries: Sequence[Entry], kinds: Container[Kind]) -> Sequence[int]:
    """Return where the entries of some kinds stand."""
    if isinstance(entries, EntrySequence):
        return entries.positions(kinds)
    return [at for at, entry in enumerate(entries) if _kind_of(entry) in kinds]


def _kind_of(entry: Entry) -> Kind:
    return Kind(entry.type, entry.role if isinstance(entry, MessageEntry) else "")
