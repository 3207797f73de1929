"""Where each entry of a session stands, and what has to be known of it without reading it.

An entry is known by its number, its place among all. For each there are some thirty bytes in columns: a hundred
thousand of them take three megabytes, and are there at once when they come from a file.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from typing import Final, NamedTuple

from pi_agent.base.wire import JsonObject
from pi_agent.session.stats import SessionStats

# In place of the number of an entry, where there is none.
NO_NUMBER: Final = -1
# An entry that is in no file, or not yet.
NO_PLACE: Final = -1

_ID_DIGITS: Final = 8


class Kind(NamedTuple):
    """What an entry is: its type and, of a message, the role."""

    type: str
    role: str = ""

    @classmethod
    def of(cls, raw: JsonObject) -> Kind:
        """Return the kind of a line."""
        message = raw.get("message") if raw.get("type") == "message" else None
        role = message.get("role") if isinstance(message, dict) else ""
        return cls(text_of(raw, "type"), role if isinstance(role, str) else "")


class SessionIndex:
    """Numbers, places, ids, parents and kinds of all entries, and what they say of the session as a whole."""

    def __init__(self) -> None:
        self.offsets = array("q")
        self.sizes = array("q")
        self.parents = array("i")
        self.kind_codes = array("I")
        self.kinds: list[Kind] = []
        self.labels: dict[str, int] = {}
        self.name = ""
        self.stats = SessionStats()
        self._kind_code: dict[Kind, int] = {}
        self._ids = array("I")
        # Numbers of the entries in the order of their ids, as far as `_by_id` does not know them.
        self._order = array("I")
        self._by_id: dict[str, int] = {}
        self._odd_ids: dict[int, str] = {}
        self._unknown_parents: dict[int, str] = {}
        self._awaited: dict[str, list[int]] = {}
        # Whether an entry stands before its parent: only then can parents run in a circle.
        self._has_late_parents = False
        self._last_path = NO_NUMBER, array("i")

    def __len__(self) -> int:
        return len(self._ids)

    # Asking

    def find(self, entry_id: str) -> int | None:
        """Return the number of an entry."""
        number = self._by_id.get(entry_id)
        if number is not None or not self._order:
            return number
        value = _as_number(entry_id)
        if value is None:
            return None
        at = bisect_left(self._order, value, key=self._ids.__getitem__)
        if at == len(self._order) or self._ids[self._order[at]] != value:
            return None
        return self._order[at]

    def id_of(self, number: int) -> str:
        """Return an entry's id, which no other entry has."""
        return self._odd_ids.get(number) or f"{self._ids[number]:0{_ID_DIGITS}x}"

    def parent_id_of(self, number: int) -> str | None:
        """Return the id that an entry gives as its parent, whether there is such an entry or not."""
        parent = self.parents[number]
        return self._unknown_parents.get(number) if parent == NO_NUMBER else self.id_of(parent)

    def kind_of(self, number: int) -> Kind:
        """Return what an entry is."""
        return self.kinds[self.kind_codes[number]]

    def path(self, number: int) -> array[int]:
        """Return the numbers from a root to an entry. Parents that run in a circle are followed once.

        What is returned is not to be changed: the path of the leaf is asked for again and again.
        """
        last, known = self._last_path
        if number == last:
            return known
        if 0 <= last < number and self.parents[number] == last and not self._has_late_parents:
            path = known + array("i", [number])
        else:
            path = self._walk(number)
        self._last_path = number, path
        return path

    def _walk(self, number: int) -> array[int]:
        parents = self.parents
        path = array("i")
        while number != NO_NUMBER and len(path) < len(parents):
            path.append(number)
            number = parents[number]
        if number != NO_NUMBER:
            path = _until_it_repeats(path)
        path.reverse()
        return path

    # Adding

    def add(self, raw: JsonObject, offset: int = NO_PLACE, size: int = 0) -> int:
        """Take down an entry and return its number. A line without an id of its own is given one."""
        number = len(self)
        own_id = self._own_id(raw)
        self.offsets.append(offset)
        self.sizes.append(size)
        self._add_id(number, own_id)
        self._add_parent(number, text_of(raw, "parentId"))
        self._answer(own_id, number)
        self._add_kind(Kind.of(raw))
        self._take_facts(number, raw)
        return number

    def _add_id(self, number: int, own_id: str) -> None:
        value = _as_number(own_id)
        if value is None:
            self._odd_ids[number] = own_id
        self._ids.append(value or 0)
        self._by_id[own_id] = number

    def _add_parent(self, number: int, parent_id: str) -> None:
        parent = self.find(parent_id) if parent_id else None
        self.parents.append(NO_NUMBER if parent is None else parent)
        if parent_id and parent is None:
            self._unknown_parents[number] = parent_id
            self._awaited.setdefault(parent_id, []).append(number)

    def _answer(self, own_id: str, number: int) -> None:
        """Give those their parent that came before it."""
        for child in self._awaited.pop(own_id, ()):
            self._last_path = NO_NUMBER, array("i")
            self._has_late_parents = True
            self.parents[child] = number
            del self._unknown_parents[child]

    def _add_kind(self, kind: Kind) -> None:
        code = self._kind_code.get(kind)
        if code is None:
            code = self._kind_code[kind] = len(self.kinds)
            self.kinds.append(kind)
        self.kind_codes.append(code)

    def _take_facts(self, number: int, raw: JsonObject) -> None:
        self.stats.take(raw)
        match raw.get("type"):
            case "session_info":
                self.name = text_of(raw, "name")
            case "label" if text_of(raw, "label"):
                self.labels[text_of(raw, "targetId")] = number
            case "label":
                self.labels.pop(text_of(raw, "targetId"), None)
            case _:
                pass

    def _own_id(self, raw: JsonObject) -> str:
        """Return a line's id, or another one for a line that has none or one that is taken.

        It depends on the lines before only, so that lines written below it still find it after the next load.
        """
        own_id = text_of(raw, "id")
        if own_id and self.find(own_id) is None:
            return own_id
        seed = f"{len(self)} {own_id}"
        while self.find(own_id := f"{zlib.crc32(seed.encode('utf-8', 'replace')):08x}") is not None:
            seed += "+"
        return own_id

    # As columns

    def settle(self) -> None:
        """Keep the ids in order in place of a dictionary, which is five times as large."""
        odd = set(self._odd_ids)
        numbers = (number for number in range(len(self)) if number not in odd)
        self._order = array("I", sorted(numbers, key=self._ids.__getitem__))
        self._by_id = {own_id: number for number, own_id in self._odd_ids.items()}

    def columns(self) -> tuple[array[int], ...]:
        """Return all columns of an index that has settled, in an order that stays the same."""
        return (
            self.offsets,
            self.sizes,
            self.parents,
            self.kind_codes,
            self._ids,
            self._order,
        )

    def rest(self) -> JsonObject:
        """Return what is in no column."""
        return {
            "kinds": [list(kind) for kind in self.kinds],
            "labels": dict(self.labels),
            "name": self.name,
            "stats": self.stats.to_json(),
            "oddIds": _pairs(self._odd_ids),
            "hasLateParents": self._has_late_parents,
            "unknownParents": _pairs(self._unknown_parents),
        }

    def take_rest(self, rest: JsonObject) -> None:
        """Take what `rest` has given, after the columns."""
        self.kinds = [Kind(*kind) for kind in rest["kinds"]]
        self._kind_code = {kind: code for code, kind in enumerate(self.kinds)}
        self.labels = rest["labels"]
        self.name = rest["name"]
        self.stats = SessionStats.from_json(rest["stats"])
        self._odd_ids = dict(rest["oddIds"])
        self._by_id = {own_id: number for number, own_id in self._odd_ids.items()}
        self._has_late_parents = rest["hasLateParents"]
        self._unknown_parents = dict(rest["unknownParents"])
        for number, parent_id in self._unknown_parents.items():
            self._awaited.setdefault(parent_id, []).append(number)


def text_of(raw: JsonObject, key: str) -> str:
    """Return a text field of a line; empty when it is none."""
    value = raw.get(key)
    return value if isinstance(value, str) else ""


def _as_number(entry_id: str) -> int | None:
    """Return an id of eight small hexadecimal digits as a number; `None` for any other."""
    if len(entry_id) != _ID_DIGITS:
        return None
    try:
        value = int(entry_id, 16)
    except ValueError:
        return None
    return value if value >= 0 and f"{value:0{_ID_DIGITS}x}" == entry_id else None


def _until_it_repeats(path: array[int]) -> array[int]:
    seen: set[int] = set()
    for at, number in enumerate(path):
        if number in seen:
            return path[:at]
        seen.add(number)
    return path


def _pairs(texts: Mapping[int, str]) -> list[list[object]]:
    return [[number, text] for number, text in texts.items()]
