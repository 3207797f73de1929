"""The tree that the lines of a session form, and the place in it where the conversation goes on.

Nothing here recurses: a branch may be a hundred thousand entries long.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from pi_agent.base.errors import PiError
from pi_agent.base.wire import JsonObject
from pi_agent.session.entries import Entry, LabelEntry, SessionInfoEntry, entry_from_raw
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
        self._entries: list[Entry] = []
        self._by_id: dict[str, Entry] = {}
        self._children: dict[str | None, list[Entry]] | None = None
        self._labels: dict[str, LabelEntry] = {}
        self._name = ""
        self._leaf: Entry | None = None
        self.read(lines)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._by_id

    @property
    def leaf(self) -> Entry | None:
        """The entry that the next one will follow; None starts a new root."""
        return self._leaf

    @property
    def name(self) -> str | None:
        """The session's name."""
        return self._name or None

    def get(self, entry_id: str) -> Entry:
        """Return an entry; raises `EntryNotFoundError`."""
        try:
            return self._by_id[entry_id]
        except KeyError:
            raise EntryNotFoundError(entry_id) from None

    def label_of(self, entry_id: str) -> str | None:
        """Return the latest label of an entry, whatever branch it was given on."""
        entry = self._labels.get(entry_id)
        return entry.label if entry else None

    @property
    def labels(self) -> Mapping[str, LabelEntry]:
        """The latest label of each entry that has one."""
        return self._labels

    def read(self, lines: Iterable[JsonObject]) -> list[Entry]:
        """Add what stands in the file below the entries that are here; returns the new ones."""
        known = len(self._entries)
        for raw in lines:
            self._add(self._with_own_id(entry_from_raw(raw)))
        return self._entries[known:]

    def append(self, entry: Entry) -> None:
        """Add an entry with an id of its own, and make it the leaf."""
        self._add(entry)

    def move_to(self, entry_id: str | None) -> None:
        """Make another entry the leaf; None is the place before the first entry."""
        self._leaf = None if entry_id is None else self.get(entry_id)

    def newest_first(self, from_id: str | None = None) -> Iterator[Entry]:
        """Yield the entries from `from_id`, or the leaf, back to a root."""
        entry = self._leaf if from_id is None else self.get(from_id)
        seen: set[str] = set()
        while entry is not None and entry.id not in seen:
            seen.add(entry.id)
            yield entry
            entry = self._by_id.get(entry.parent_id) if entry.parent_id else None

    def branch(self, from_id: str | None = None) -> list[Entry]:
        """Return the entries from a root to `from_id`, or to the leaf."""
        path = list(self.newest_first(from_id))
        path.reverse()
        return path

    def children_of(self, entry_id: str) -> list[Entry]:
        """Return the entries that follow `entry_id`, the oldest first."""
        self.get(entry_id)
        return list(self._children_by_parent().get(entry_id, ()))

    def roots(self) -> list[TreeNode]:
        """Return the whole tree. An entry whose parent is not in the file is a root."""
        children = self._children_by_parent()
        nodes: dict[str, TreeNode] = {}
        roots = [self._grow(entry, children, nodes) for entry in children.get(None, ())]
        # Parents that run in a circle are reached from no root; the first entry of the circle becomes one.
        roots += [
            self._grow(entry, children, nodes) for entry in self._entries if entry.id not in nodes
        ]
        return roots

    def _grow(
        self, root: Entry, children: dict[str | None, list[Entry]], nodes: dict[str, TreeNode]
    ) -> TreeNode:
        top = nodes[root.id] = self._node(root)
        pending = [top]
        while pending:
            node = pending.pop()
            for child in children.get(node.entry.id, ()):
                if child.id not in nodes:
                    nodes[child.id] = self._node(child)
                    node.children.append(nodes[child.id])
            pending.extend(node.children)
        return top

    def _node(self, entry: Entry) -> TreeNode:
        label = self._labels.get(entry.id)
        if label is None:
            return TreeNode(entry)
        return TreeNode(entry, label=label.label, label_timestamp=label.timestamp)

    def _children_by_parent(self) -> dict[str | None, list[Entry]]:
        if self._children is None:
            self._children = {}
            for entry in self._entries:
                parent = entry.parent_id if entry.parent_id in self._by_id else None
                self._children.setdefault(parent, []).append(entry)
            for siblings in self._children.values():
                siblings.sort(key=lambda entry: entry.timestamp)
        return self._children

    def _add(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._by_id[entry.id] = entry
        self._children = None
        self._leaf = entry
        if isinstance(entry, LabelEntry):
            self._set_label(entry)
        elif isinstance(entry, SessionInfoEntry):
            self._name = entry.name

    def _set_label(self, entry: LabelEntry) -> None:
        if entry.label:
            self._labels[entry.target_id] = entry
        else:
            self._labels.pop(entry.target_id, None)

    def _with_own_id(self, entry: Entry) -> Entry:
        """Give a line that has no id, or one that is taken, an id in memory.

        It depends on the lines before only, so that lines written below it still find it after the next load.
        """
        if entry.id and entry.id not in self._by_id:
            return entry
        seed = f"{len(self._entries)} {entry.id}"
        while (own_id := f"{zlib.crc32(seed.encode()):08x}") in self._by_id:
            seed += "+"
        return entry_from_raw({**entry.raw, "id": own_id})
