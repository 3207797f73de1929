"""The tree that the lines of a session form, and the place in it where the conversation goes on.

Nothing here recurses: a branch may be a hundred thousand entries long. Which entries there are and how they hang
together is known from an index; an entry itself is made when it is asked for, and always the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from pi_agent.base.errors import PiError
from pi_agent.base.wire import JsonObject
from pi_agent.session.entries import Entry, LabelEntry, Lines, entry_from_raw, stored_entry
from pi_agent.session.index import NO_NUMBER, SessionIndex
from pi_agent.session.sequence import EntrySequence
from pi_agent.session.stats import SessionStats
from pi_tui.frozen import slotted


class EntryNotFoundError(PiError):
    """No entry has the id that was asked for."""

    def __init__(self, entry_id: str) -> None:
        super().__init__(f"Entry not found: {entry_id}")


@slotted
class TreeNode:
    """An entry with what follows it."""

    entry: Entry
    children: list[TreeNode] = field(default_factory=list)
    label: str | None = None
    label_timestamp: str | None = None


class EntryTree:
    """Entries in the order of the file, joined by their parents; the leaf is where the next one goes."""

    def __init__(self, lines: Iterable[JsonObject] = ()) -> None:
        self._index = SessionIndex()
        self._lines: Lines | None = None
        self._entries: list[Entry | None] = []
        self._children: dict[int, list[int]] | None = None
        self._leaf = NO_NUMBER
        self.read(lines)

    @classmethod
    def stored(cls, index: SessionIndex, lines: Lines) -> EntryTree:
        """Return the tree of a file's entries, whose lines are read when somebody looks at them."""
        tree = cls()
        tree._index = index
        tree._lines = lines
        tree._entries = [None] * len(index)
        tree._leaf = len(index) - 1 if len(index) else NO_NUMBER
        return tree

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.all())

    def __contains__(self, entry_id: object) -> bool:
        return isinstance(entry_id, str) and self._index.find(entry_id) is not None

    @property
    def leaf(self) -> Entry | None:
        """The entry that the next one will follow; None starts a new root."""
        return None if self._leaf == NO_NUMBER else self._entry(self._leaf)

    @property
    def name(self) -> str | None:
        """The session's name."""
        return self._index.name or None

    @property
    def stats(self) -> SessionStats:
        """What all entries add up to."""
        return self._index.stats

    @property
    def lines_read(self) -> int:
        """How many lines were read from the file, some of them more than once."""
        return self._lines.lines_read if self._lines is not None else 0

    def get(self, entry_id: str) -> Entry:
        """Return an entry; raises `EntryNotFoundError`."""
        return self._entry(self._number(entry_id))

    def label_of(self, entry_id: str) -> str | None:
        """Return the latest label of an entry, whatever branch it was given on."""
        entry = self._label_entry(entry_id)
        return entry.label if entry else None

    @property
    def labels(self) -> Mapping[str, LabelEntry]:
        """The latest label of each entry that has one."""
        found = {target: self._label_entry(target) for target in self._index.labels}
        return {target: entry for target, entry in found.items() if entry is not None}

    def read(self, lines: Iterable[JsonObject]) -> Sequence[Entry]:
        """Add what stands in the file below the entries that are here; returns the new ones."""
        known = len(self)
        for raw in lines:
            self._take(raw)
        self._children = None
        return self.all()[known:]

    def append(self, entry: Entry) -> None:
        """Add an entry with an id of its own, and make it the leaf."""
        self._leaf = self._index.add(entry.raw)
        self._entries.append(entry)
        self._children = None

    def move_to(self, entry_id: str | None) -> None:
        """Make another entry the leaf; None is the place before the first entry."""
        self._leaf = NO_NUMBER if entry_id is None else self._number(entry_id)

    def newest_first(self, from_id: str | None = None) -> Iterator[Entry]:
        """Yield the entries from `from_id`, or the leaf, back to a root."""
        number = self._leaf if from_id is None else self._number(from_id)
        seen: set[int] = set()
        while number != NO_NUMBER and number not in seen:
            seen.add(number)
            yield self._entry(number)
            number = self._index.parents[number]

    def all(self) -> EntrySequence:
        """Return every entry, in the order of the file."""
        return self._sequence(range(len(self._entries)))

    def branch(self, from_id: str | None = None) -> EntrySequence:
        """Return the entries from a root to `from_id`, or to the leaf."""
        number = self._leaf if from_id is None else self._number(from_id)
        return self._sequence(self._index.path(number))

    def children_of(self, entry_id: str) -> list[Entry]:
        """Return the entries that follow `entry_id`, the oldest first."""
        number = self._number(entry_id)
        return [self._entry(child) for child in self._children_by_parent().get(number, ())]

    def roots(self) -> list[TreeNode]:
        """Return the whole tree. An entry whose parent is not in the file is a root."""
        children = self._children_by_parent()
        nodes: dict[int, TreeNode] = {}
        roots = [self._grow(number, nodes) for number in children.get(NO_NUMBER, ())]
        # Parents that run in a circle are reached from no root; the first entry of the circle becomes one.
        everything = range(len(self._entries))
        roots += [self._grow(number, nodes) for number in everything if number not in nodes]
        return roots

    # Entries by number

    def _entry(self, number: int) -> Entry:
        entry = self._entries[number]
        if entry is None:
            assert self._lines is not None
            entry = self._entries[number] = stored_entry(number, self._index, self._lines)
        return entry

    def _sequence(self, numbers: Sequence[int]) -> EntrySequence:
        return EntrySequence(self._index, self._entry, numbers)

    def _number(self, entry_id: str) -> int:
        number = self._index.find(entry_id)
        if number is None:
            raise EntryNotFoundError(entry_id)
        return number

    def _label_entry(self, target_id: str) -> LabelEntry | None:
        number = self._index.labels.get(target_id)
        entry = self._entry(number) if number is not None else None
        return entry if isinstance(entry, LabelEntry) else None

    def _grow(self, root: int, nodes: dict[int, TreeNode]) -> TreeNode:
        children = self._children_by_parent()
        top = nodes[root] = self._node(root)
        pending = [root]
        while pending:
            parent = pending.pop()
            for child in children.get(parent, ()):
                if child not in nodes:
                    nodes[child] = self._node(child)
                    nodes[parent].children.append(nodes[child])
                    pending.append(child)
        return top

    def _node(self, number: int) -> TreeNode:
        entry = self._entry(number)
        label = self._label_entry(entry.id)
        if label is None:
            return TreeNode(entry)
        return TreeNode(entry, label=label.label, label_timestamp=label.timestamp)

    def _children_by_parent(self) -> dict[int, list[int]]:
        if self._children is None:
            self._children = {}
            for number, parent in enumerate(self._index.parents):
                self._children.setdefault(parent, []).append(number)
            for siblings in self._children.values():
                if len(siblings) > 1:
                    siblings.sort(key=lambda number: self._entry(number).timestamp)
        return self._children

    def _take(self, raw: JsonObject) -> None:
        self._leaf = self._index.add(raw)
        own_id = self._index.id_of(self._leaf)
        self._entries.append(
            entry_from_raw(raw if raw.get("id") == own_id else {**raw, "id": own_id})
        )
