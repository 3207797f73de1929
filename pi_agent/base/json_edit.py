"""Change members of a JSON object in its text, so that order, comments and layout of all the rest stay.

The text may have comments and trailing commas. A path is the keys that lead to a member, from the outside in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from pi_agent.base.jsonc import plain_json, without_comments
from pi_tui.frozen import frozen

_INDENT: Final = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_BLANKS: Final = re.compile(r"\s*")
_DECODER: Final = json.JSONDecoder()
_DEFAULT_INDENT: Final = "  "

Path = Sequence[str]


@frozen
class _Member:
    """Where a member stands: its key, its value, and the end of that."""

    key: str
    start: int
    value: int
    end: int


@frozen
class _Object:
    """An object's members and the places of its braces."""

    start: int
    end: int
    members: Sequence[_Member]

    def find(self, key: str) -> _Member | None:
        """Return the member that counts: of several with one key it is the last."""
        return next((each for each in reversed(self.members) if each.key == key), None)

    def find_begin(self, place: str) -> _Member | None:
        """Return the member that a place begins with. Keys may have dots, too: the longest one is meant."""
        fitting = [
            each
            for each in self.members
            if f"{place}.".startswith((f"{each.key}.", f"{each.key}["))
        ]
        return max(fitting, key=lambda each: (len(each.key), each.start), default=None)


def set_member(text: str, path: Path, value: object) -> str:
    """Return `text` with `value` at `path`; objects that are missing on the way are made.

    `text` holds an object, or nothing at all. What stands in the way and is no object is replaced.
    """
    if not text.strip():
        text = "{}" + _newline(text)
    found = _Finder(text)
    holder, depth = found.root(), 0
    while (member := holder.find(path[depth])) is not None:
        inside = found.object_at(member.value) if depth < len(path) - 1 else None
        if inside is None:
            new = _written(_nested(path[depth + 1 :], value), text, _indent_at(text, member.start))
            return text[: member.value] + new + text[member.end :]
        holder, depth = inside, depth + 1
    return _insert(text, holder, path[depth], _nested(path[depth + 1 :], value))


def remove_member(text: str, path: Path) -> str:
    """Return `text` without the member at `path`, if there is one."""
    found = _Finder(text)
    holder: _Object | None = found.root() if text.strip() else None
    for key in path[:-1]:
        member = holder.find(key) if holder is not None else None
        holder = found.object_at(member.value) if member is not None else None
    if holder is None:
        return text
    for number, member in reversed(list(enumerate(holder.members))):
        if member.key != path[-1]:
            continue
        if number + 1 < len(holder.members):
            text = text[: member.start] + text[holder.members[number + 1].start :]
        else:
            before = holder.members[number - 1].end if number else holder.start + 1
            text = text[:before] + text[member.end :]
    return text


def line_of(text: str, place: str) -> int | None:
    """Return the line of a place like `retry.maxRetries`, counted from 1; of what is inside a list, that of the list.

    Of a place that is not there it is the last line on the way. `None`: nothing on the way is there, or the text
    is no JSON.
    """
    try:
        return _line_of(_Finder(text), place)
    except (ValueError, IndexError, RecursionError):
        return None


def _line_of(finder: _Finder, place: str) -> int | None:
    holder: _Object | None = finder.root()
    line = None
    while holder is not None and (member := holder.find_begin(place)) is not None:
        line = finder.line_at(member.start)
        place = place[len(member.key) :].removeprefix(".")
        holder = finder.object_at(member.value)
    return line


class _Finder:
    """Finds members in a text that is known to be valid."""

    def __init__(self, text: str) -> None:
        self._plain = plain_json(text)

    def root(self) -> _Object:
        found = self.object_at(self._skip(0))
        if found is None:
            raise ValueError("the text holds no JSON object")
        return found

    def object_at(self, start: int) -> _Object | None:
        """Return the object that begins at `start`, unless something else does."""
        if self._plain[start : start + 1] != "{":
            return None
        members: list[_Member] = []
        place = self._skip(start + 1)
        while self._plain[place] != "}":
            key, key_end = _DECODER.raw_decode(self._plain, place)
            value = self._skip(self._skip(key_end) + 1)
            _, end = _DECODER.raw_decode(self._plain, value)
            members.append(_Member(key, place, value, end))
            place = self._skip(end)
            if self._plain[place] == ",":
                place = self._skip(place + 1)
        return _Object(start, place, members)

    def line_at(self, place: int) -> int:
        """Return the line of a character, counted from 1."""
        return self._plain.count("\n", 0, place) + 1

    def _skip(self, place: int) -> int:
        blanks = _BLANKS.match(self._plain, place)
        return blanks.end() if blanks else place


def _insert(text: str, holder: _Object, key: str, value: object) -> str:
    """Add a member at the end of an object, on a line of its own unless the object is on one line."""
    outer = _indent_at(text, holder.start)
    inner = outer + _indent_unit(text)
    last = holder.members[-1].end if holder.members else holder.start + 1
    between = text[last : holder.end]
    is_one_line = bool(holder.members) and "\n" not in text[holder.start : holder.end]
    written = f"{json.dumps(key)}: {_written(value, text, outer if is_one_line else inner)}"
    kept = between.rstrip()
    comma = "," if holder.members and "," not in without_comments(between) else ""
    if is_one_line:
        return (
            text[:last] + comma + kept + " " + written + between[len(kept) :] + text[holder.end :]
        )
    newline = _newline(text)
    before = text[:last] + comma + kept + newline + inner
    return before + written + newline + outer + text[holder.end :]


def _nested(path: Path, value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _written(value: object, text: str, indent: str) -> str:
    """Return a value as JSON, laid out like `text`, for a line that begins with `indent`."""
    unit = _indent_unit(text)
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return (_newline(text) + indent).join(lines)


def _indent_unit(text: str) -> str:
    found = _INDENT.search(without_comments(text))
    return found[1] if found else _DEFAULT_INDENT


def _indent_at(text: str, place: int) -> str:
    """Return the blanks that the line of `place` begins with."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
