"""A text of lines with a cursor in which every change is recorded, so that it can be undone.

Nothing here knows of keys, widths or screens. A *unit* is what the cursor steps over: a grapheme
cluster, or the whole marker that stands for a large paste. The cursor is always between two units.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from pi_tui.edit_history import UndoStack
from pi_tui.frozen import frozen, slotted
from pi_tui.patterns import pattern
from pi_tui.width import iter_graphemes, iter_graphemes_reverse
from pi_tui.words import next_word_end, previous_word_start

_MARKER = pattern(r"\[paste #([1-9][0-9]{0,8})(?: (\+[0-9]+ lines|[0-9]+ chars))?\]")
MARKER_START = "[paste #"
_BREAKS = pattern(r"\r\n?")
# Characters that never form a cluster with each other. Below U+1100 they take one cell, above two.
PLAIN_TEXT = pattern(
    "[ -~\xa1-\xac\xae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f"
    "\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*"
)
_UNPRINTABLE = pattern(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_MARKER_LINES = 10
_MARKER_CHARACTERS = 1000
_CLUSTERS_BACK = 4


class Position(NamedTuple):
    """A place between two characters: line, and index in code points."""

    line: int
    col: int


class Span(NamedTuple):
    """The part of a line that is a paste marker, and the paste it stands for."""

    start: int
    end: int
    number: int


@frozen
class Paste:
    """A large paste that is kept aside; `label` is its size as the marker names it."""

    text: str
    label: str


@frozen
class Change:
    """At `start`, `removed` gave way to `inserted`; both may hold line breaks."""

    start: Position
    removed: str
    inserted: str


@slotted
class EditStep:
    """What one undo takes back: changes in order, and what stood around them."""

    changes: list[Change]
    before: Position
    after: Position
    pastes_before: Mapping[int, Paste]
    pastes_after: Mapping[int, Paste]


class TextBuffer:
    """The lines, the cursor and the pastes; all edits go through `replace` and `replace_all`.

    `on_splice(start, old_end, new_end)` is told of each change once the lines have it. `version`
    differs after each change.
    """

    def __init__(self) -> None:
        self.lines: list[str] = [""]
        self.cursor = Position(0, 0)
        self.pastes: Mapping[int, Paste] = {}
        self.version = 0
        self.on_splice: Callable[[Position, Position, Position], None] | None = None
        self._undo: UndoStack[EditStep] = UndoStack()

    @property
    def end(self) -> Position:
        """The position behind the last character."""
        return Position(len(self.lines) - 1, len(self.lines[-1]))

    def text(self) -> str:
        """Return all lines, paste markers as they are."""
        return "\n".join(self.lines)

    def text_between(self, start: Position, end: Position) -> str:
        """Return what stands between two positions."""
        if start.line == end.line:
            return self.lines[start.line][start.col : end.col]
        first, last = self.lines[start.line][start.col :], self.lines[end.line][: end.col]
        return "\n".join([first, *self.lines[start.line + 1 : end.line], last])

    def expanded_text(self) -> str:
        """Return the text with each known marker replaced by its paste, taken literally."""
        if not self.pastes:
            return self.text()
        parts: list[str] = []
        for line in self.lines:
            at = 0
            pieces: list[str] = []
            for span in self.markers(line):
                pieces += [line[at : span.start], self.pastes[span.number].text]
                at = span.end
            parts.append("".join([*pieces, line[at:]]))
        return "\n".join(parts)

    # -- edits

    def replace(self, start: Position, end: Position, text: str, *, joins: bool = False) -> None:
        """Put `text` in place of what stands between two positions, the cursor behind it.

        One undo step, or part of the newest one with `joins`.
        """
        removed = self.text_between(start, end)
        if removed == text:
            self.cursor = self._snapped(end)
            return
        self._record(Change(start, removed, text), self.pastes, joins=joins)

    def insert(self, text: str, *, joins: bool = False) -> None:
        """Put `text` at the cursor."""
        self.replace(self.cursor, self.cursor, text, joins=joins)

    def replace_all(self, text: str) -> None:
        """Make `text` the whole text, the cursor at its end, and forget the pastes; one undo step."""
        self._record(Change(Position(0, 0), self.text(), text), {}, joins=False)

    def replace_lines(self, lines: list[str], cursor: Position) -> None:
        """Make `lines` the text, as one undo step that holds only the lines that differ."""
        new = normalize_text("\n".join(lines)).split("\n")
        old = self.lines
        first = 0
        while first < min(len(old), len(new)) - 1 and old[first] == new[first]:
            first += 1
        kept = 0
        while kept < min(len(old), len(new)) - first - 1 and old[-1 - kept] == new[-1 - kept]:
            kept += 1
        last = len(old) - kept - 1
        end = Position(last, len(old[last]))
        change = Change(
            start=Position(first, 0),
            removed=self.text_between(Position(first, 0), end),
            inserted="\n".join(new[first : len(new) - kept]),
        )
        line = max(0, min(cursor.line, len(new) - 1))
        col = max(0, min(cursor.col, len(new[line])))
        self._record(change, self.pastes, joins=False, cursor=Position(line, col))

    def forget_pastes(self) -> None:
        """Make plain text of all markers."""
        self.pastes = {}
        self.version += 1

    def paste(self, text: str) -> None:
        """Insert `text`, or a marker for it when it is large; one undo step."""
        lines = text.count("\n") + 1
        if lines > _MARKER_LINES:
            label = f"+{lines} lines"
        elif len(text) > _MARKER_CHARACTERS:
            label = f"{len(text)} chars"
        else:
            self.insert(text)
            return
        number = max(self.pastes, default=0) + 1
        change = Change(self.cursor, "", f"{MARKER_START}{number} {label}]")
        self._record(change, {**self.pastes, number: Paste(text, label)}, joins=False)

    def delete(self, start: Position, end: Position) -> None:
        """Remove one unit or line break. A paste whose last marker this was is forgotten."""
        gone = next((s for s in self.markers(self.lines[start.line]) if s.start == start.col), None)
        self.replace(start, end, "")
        if gone is not None and end == Position(start.line, gone.end):
            self._forget_paste(gone.number)

    def undo(self) -> bool:
        """Take the newest step back; whether there was one."""
        step = self._undo.undo()
        if step is not None:
            self._take_back(step)
        return step is not None

    def redo(self) -> bool:
        """Do the step again that was undone last; whether there was one."""
        step = self._undo.redo()
        if step is None:
            return False
        self.pastes = step.pastes_after
        for change in step.changes:
            self._splice(change.start, change.removed, change.inserted)
        self.cursor = step.after
        return True

    def revert(self) -> None:
        """Take the newest step back for good."""
        step = self._undo.discard()
        if step is not None:
            self._take_back(step)

    def take_over(self, other: TextBuffer) -> None:
        """Start with the text of another buffer, its pastes and its cursor; there is nothing to undo."""
        self.reset()
        self._splice(Position(0, 0), "", other.text())
        self.pastes = other.pastes
        self.cursor = other.cursor

    def reset(self) -> None:
        """Start anew: no text, no pastes, nothing to undo."""
        self.pastes = {}
        self._splice(Position(0, 0), self.text(), "")
        self.cursor = Position(0, 0)
        self._undo.clear()

    # -- units

    def markers(self, line: str) -> tuple[Span, ...]:
        """Return the paste markers of a line, in order; only those whose paste is known."""
        if not self.pastes or MARKER_START not in line:
            return ()
        return tuple(self._known_markers(line))

    def marker_around(self, position: Position) -> Span | None:
        """Return the marker that has `position` strictly inside."""
        for span in self.markers(self.lines[position.line]):
            if span.start < position.col < span.end:
                return span
        return None

    def unit_before(self, position: Position) -> Position:
        """Return where the unit before `position` starts; a line break counts as one."""
        line, col = position
        if col == 0:
            return Position(line - 1, len(self.lines[line - 1])) if line else position
        floor, marker, _ = self._between_markers(position)
        if marker is not None and floor == col:
            return Position(line, marker.start)
        return Position(line, _previous_boundary(self.lines[line], col, floor))

    def unit_after(self, position: Position) -> Position:
        """Return where the unit after `position` ends; a line break counts as one."""
        line, col = position
        text = self.lines[line]
        if col >= len(text):
            return Position(line + 1, 0) if line + 1 < len(self.lines) else position
        _, _, marker = self._between_markers(position)
        if marker is not None and marker.start == col:
            return Position(line, marker.end)
        stop = marker.start if marker is not None else len(text)
        return Position(line, col + len(next(iter(iter_graphemes(text[col:stop])))))

    def word_before(self, position: Position) -> Position:
        """Return where the word before `position` starts; at a line's start, the line before."""
        line, col = position
        if col == 0:
            return self.unit_before(position)
        text = self.lines[line]
        return Position(line, previous_word_start(text, col, self._marker_units(text)))

    def word_after(self, position: Position) -> Position:
        """Return where the word after `position` ends; at a line's end, the next line."""
        line, col = position
        text = self.lines[line]
        if col >= len(text):
            return self.unit_after(position)
        return Position(line, next_word_end(text, col, self._marker_units(text)))

    def find_after(self, text: str, position: Position) -> Position | None:
        """Return the next place where units spell exactly `text`, after `position`."""
        start = position.col + 1
        for line in range(position.line, len(self.lines)):
            col = self.lines[line].find(text, start)
            while col >= 0:
                if self._is_whole(line, col, text):
                    return Position(line, col)
                col = self.lines[line].find(text, col + 1)
            start = 0
        return None

    def find_before(self, text: str, position: Position) -> Position | None:
        """Return the previous place where units spell exactly `text`, before `position`."""
        end = position.col + len(text) - 1
        for line in range(position.line, -1, -1):
            col = self.lines[line].rfind(text, 0, end)
            while col >= 0:
                if self._is_whole(line, col, text):
                    return Position(line, col)
                col = self.lines[line].rfind(text, 0, col + len(text) - 1)
            end = len(self.lines[line - 1])
        return None

    # -- recording

    def _record(
        self,
        change: Change,
        pastes: Mapping[int, Paste],
        *,
        joins: bool,
        cursor: Position | None = None,
    ) -> None:
        before, pastes_before = self.cursor, self.pastes
        self.pastes = pastes
        after = self._splice(change.start, change.removed, change.inserted)
        self.cursor = self._snapped(cursor or after)
        newest = self._undo.newest() if joins else None
        if newest is None:
            self._undo.push(EditStep([change], before, self.cursor, pastes_before, pastes))
            return
        last = newest.changes[-1]
        if (
            not change.removed
            and not last.removed
            and _end(last.start, last.inserted) == change.start
        ):
            newest.changes[-1] = Change(last.start, "", last.inserted + change.inserted)
        else:
            newest.changes.append(change)
        newest.after, newest.pastes_after = self.cursor, pastes

    def _take_back(self, step: EditStep) -> None:
        self.pastes = step.pastes_before
        for change in reversed(step.changes):
            self._splice(change.start, change.inserted, change.removed)
        self.cursor = step.before

    def _splice(self, start: Position, removed: str, inserted: str) -> Position:
        old_end, new_end = _end(start, removed), _end(start, inserted)
        new = inserted.split("\n")
        tail = self.lines[old_end.line][old_end.col :]
        new[0] = self.lines[start.line][: start.col] + new[0]
        new[-1] += tail
        self.lines[start.line : old_end.line + 1] = new
        self.version += 1
        if self.on_splice is not None:
            self.on_splice(start, old_end, new_end)
        return new_end

    def _forget_paste(self, number: int) -> None:
        found = [
            (line, span)
            for line, text in enumerate(self.lines)
            if MARKER_START in text
            for span in self.markers(text)
        ]
        if any(span.number == number for _, span in found):
            return  # yanked or undone copies still need it
        cursor = self.cursor
        for line, span in reversed(found):
            if span.number > number:
                start = Position(line, span.start + len(MARKER_START))
                end = Position(line, start.col + len(str(span.number)))
                shorter = str(span.number - 1)
                self.replace(start, end, shorter, joins=True)
                if line == cursor.line and span.start < cursor.col:
                    cursor = Position(line, cursor.col + len(shorter) - (end.col - start.col))
        self.cursor = cursor
        self.pastes = {n - (n > number): paste for n, paste in self.pastes.items() if n != number}
        newest = self._undo.newest()
        if newest is not None:
            newest.after, newest.pastes_after = cursor, self.pastes

    # -- boundaries

    def _known_markers(self, line: str) -> Iterator[Span]:
        for match in _MARKER.finditer(line):
            paste = self.pastes.get(int(match[1]))
            if paste is not None and match[2] in (None, paste.label):
                yield Span(match.start(), match.end(), int(match[1]))

    def _marker_units(self, line: str) -> list[tuple[int, int]]:
        return [(span.start, span.end) for span in self.markers(line)]

    def _between_markers(self, position: Position) -> tuple[int, Span | None, Span | None]:
        """Return where the text between two markers starts, and the marker on either side."""
        left: Span | None = None
        for span in self.markers(self.lines[position.line]):
            if span.end > position.col:
                return (left.end if left else 0), left, span
            left = span
        return (left.end if left else 0), left, None

    def _is_whole(self, line: int, col: int, text: str) -> bool:
        ends = (Position(line, col), Position(line, col + len(text)))
        return all(self._snapped(end) == end for end in ends)

    def _snapped(self, position: Position) -> Position:
        """Return `position`, or the end of the unit it is inside of: text may join its neighbours."""
        marker = self.marker_around(position)
        if marker is not None:
            return Position(position.line, marker.end)
        floor, _, following = self._between_markers(position)
        text = self.lines[position.line]
        stop = following.start if following is not None else len(text)
        return Position(position.line, _next_boundary(text, position.col, floor, stop))


def normalize_text(text: str) -> str:
    """Return `text` as a buffer holds it: `\\n` as line break, four spaces for a tab, no controls."""
    text = _BREAKS.sub("\n", text).replace("\t", "    ")
    return _UNPRINTABLE.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    return "\ufffd" if match[0] >= "\ud800" else ""


def _end(start: Position, text: str) -> Position:
    """Return the position behind `text` that starts at `start`."""
    breaks = text.count("\n")
    if not breaks:
        return Position(start.line, start.col + len(text))
    return Position(start.line + breaks, len(text) - text.rfind("\n") - 1)


def _start_before(text: str, index: int, floor: int) -> int:
    """Return a cluster boundary a little before `index`, found without reading from `floor` on.

    Some clusters back, since walking backwards tells a base from a sign that precedes it too early.
    """
    clusters = islice(iter_graphemes_reverse(text[floor:index]), _CLUSTERS_BACK)
    return index - sum(map(len, clusters))


def _previous_boundary(text: str, index: int, floor: int) -> int:
    """Return the start of the cluster that ends at `index`."""
    boundary = start = _start_before(text, index, floor)
    for grapheme in iter_graphemes(text[start:index]):
        boundary, start = start, start + len(grapheme)
    return boundary


def _next_boundary(text: str, index: int, floor: int, stop: int) -> int:
    """Return the first cluster boundary at or after `index`."""
    boundary = _start_before(text, index, floor)
    for grapheme in iter_graphemes(text[boundary:stop]):
        if boundary >= index:
            break
        boundary += len(grapheme)
    return boundary
