"""Differences between two texts, as lines and as words, and the two forms in which they are written down.

Lines keep their line end, so that a last line without one differs from the same line with one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from pi_tui.frozen import frozen

CONTEXT_LINES = 4
# Beyond so many pairs of equal lines, those that are everywhere are no anchors: it would take too long.
_MOST_PAIRS = 20_000
# Longer texts are compared piece by piece, between lines that are in each of them once.
_MOST_AT_ONCE = 2_000
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


@frozen
class LineChange:
    """Old lines from `old_start` up to `old_end`, counted from 0, have become the new ones; either may be none."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@frozen
class LineDiff:
    """Two texts as lines, and what changed between them, from top to bottom."""

    old: Sequence[str]
    new: Sequence[str]
    changes: Sequence[LineChange]

    @property
    def first_changed_line(self) -> int | None:
        """The number of the first changed line in the new text, counted from 1."""
        return self.changes[0].new_start + 1 if self.changes else None


def split_lines(text: str) -> list[str]:
    """Return the lines with their line ends; only LF ends a line."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def diff_lines(
    old: Sequence[str], new: Sequence[str], regions: Sequence[LineChange] | None = None
) -> LineDiff:
    """Compare lines. Where it is known that nothing changed outside of `regions`, only those are compared."""
    if regions is None:
        regions = [LineChange(0, len(old), 0, len(new))]
    changes: list[LineChange] = []
    for region in regions:
        for change in _changes(old, new, region):
            last = changes[-1] if changes else None
            if last is not None and last.old_end == change.old_start:
                change = LineChange(last.old_start, change.old_end, last.new_start, change.new_end)
                changes.pop()
            changes.append(change)
    return LineDiff(old, new, changes)


def unified_patch(diff: LineDiff, path: str) -> str:
    """Return the diff as `patch` reads it."""
    lines = [f"--- {path}\n", f"+++ {path}\n"]
    for hunk in hunks(diff.changes):
        old_start, old_end, new_start, new_end = with_context(hunk, diff)
        old_range = _patch_range(old_start, old_end)
        lines.append(f"@@ -{old_range} +{_patch_range(new_start, new_end)} @@\n")
        for sign, _, line in _marked(hunk, diff):
            lines.append(sign + line if line.endswith("\n") else f"{sign}{line}\n{_NO_LINE_END}")
    return "".join(lines)


def numbered_diff(diff: LineDiff) -> str:
    """Return the diff for reading: line numbers, and ` ...` where lines are left out."""
    width = len(str(max(len(diff.old), len(diff.new))))
    left_out = f" {'':{width}} ..."
    lines: list[str] = []
    shown = 0
    for hunk in hunks(diff.changes):
        start, end, _, _ = with_context(hunk, diff)
        if start > shown:
            lines.append(left_out)
        shown = end
        for sign, number, line in _marked(hunk, diff):
            lines.append(f"{sign}{number:{width}} {line.removesuffix(chr(10))}")
    if shown < len(diff.old):
        lines.append(left_out)
    return "\n".join(lines)


def diff_words(old: str, new: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return both texts in pieces, each with whether it differs from the other text."""
    old_words, new_words = _WORDS.findall(old), _WORDS.findall(new)
    matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
    old_pieces: list[tuple[str, bool]] = []
    new_pieces: list[tuple[str, bool]] = []
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        _add_piece(old_pieces, "".join(old_words[old_start:old_end]), kind != "equal")
        _add_piece(new_pieces, "".join(new_words[new_start:new_end]), kind != "equal")
    return old_pieces, new_pieces


_NO_LINE_END = "\\ No newline at end of file\n"


def _changes(old: Sequence[str], new: Sequence[str], region: LineChange) -> Iterator[LineChange]:
    old_lines = old[region.old_start : region.old_end]
    new_lines = new[region.new_start : region.new_end]
    before = _common(old_lines, new_lines)
    old_lines, new_lines = old_lines[before:], new_lines[before:]
    after = _common(old_lines[::-1], new_lines[::-1])
    old_lines, new_lines = old_lines[: len(old_lines) - after], new_lines[: len(new_lines) - after]
    old_first, new_first = region.old_start + before, region.new_start + before
    for piece in _pieces(old_lines, new_lines):
        for kind, old_start, old_end, new_start, new_end in _opcodes(old_lines, new_lines, piece):
            if kind != "equal":
                old_at, new_at = old_first + piece.old_start, new_first + piece.new_start
                yield LineChange(
                    old_at + old_start, old_at + old_end, new_at + new_start, new_at + new_end
                )


def _opcodes(
    old: Sequence[str], new: Sequence[str], piece: LineChange
) -> Sequence[tuple[str, int, int, int, int]]:
    old_lines = old[piece.old_start : piece.old_end]
    new_lines = new[piece.new_start : piece.new_end]
    quick = _pairs(old_lines, new_lines) > _MOST_PAIRS
    return SequenceMatcher(None, old_lines, new_lines, autojunk=quick).get_opcodes()


def _pieces(old: Sequence[str], new: Sequence[str]) -> Iterator[LineChange]:
    """Yield what is to be compared: short texts whole, of longer ones what stands between their anchors."""
    old_at = new_at = 0
    if len(old) + len(new) > _MOST_AT_ONCE:
        for old_anchor, new_anchor in _anchors(old, new):
            if (old_anchor, new_anchor) != (old_at, new_at):
                yield LineChange(old_at, old_anchor, new_at, new_anchor)
            old_at, new_at = old_anchor + 1, new_anchor + 1
    yield LineChange(old_at, len(old), new_at, len(new))


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the most lines, as numbers in both texts, that are in each of them once and in the same order."""
    old_counts, new_counts = Counter(old), Counter(new)
    in_new = {line: number for number, line in enumerate(new) if new_counts[line] == 1}
    shared = [
        (number, in_new[line])
        for number, line in enumerate(old)
        if old_counts[line] == 1 and line in in_new
    ]
    # The longest rising run of the new numbers. For each length: where a run of it ends at the lowest number.
    lowest: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, number) in enumerate(shared):
        length = bisect_left(lowest, number)
        before.append(ends[length - 1] if length else -1)
        lowest[length : length + 1] = [number]
        ends[length : length + 1] = [index]
    run: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        run.append(shared[index])
        index = before[index]
    return run[::-1]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines two texts begin with alike."""
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


def _pairs(old: Sequence[str], new: Sequence[str]) -> int:
    """Return in how many ways a line of one text can be matched with the same in the other."""
    counts = Counter(new)
    return sum(counts[line] for line in old)


def hunks(
    changes: Sequence[LineChange], context: int = CONTEXT_LINES
) -> Iterator[list[LineChange]]:
    """Group changes whose lines of context touch."""
    hunk: list[LineChange] = []
    for change in changes:
        if hunk and change.old_start - hunk[-1].old_end > 2 * context:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def with_context(
    hunk: Sequence[LineChange], diff: LineDiff, context: int = CONTEXT_LINES
) -> tuple[int, int, int, int]:
    """Return the old and the new lines that a hunk spans with its context: start and end of each."""
    before = min(context, hunk[0].old_start)
    after = min(context, len(diff.old) - hunk[-1].old_end)
    return (
        hunk[0].old_start - before,
        hunk[-1].old_end + after,
        hunk[0].new_start - before,
        hunk[-1].new_end + after,
    )


def _marked(hunk: Sequence[LineChange], diff: LineDiff) -> Iterator[tuple[str, int, str]]:
    """Return the lines of a hunk with sign and number: the old number, for added lines the new one."""
    at, end, _, _ = with_context(hunk, diff)
    for change in hunk:
        yield from _numbered(" ", diff.old, at, change.old_start)
        yield from _numbered("-", diff.old, change.old_start, change.old_end)
        yield from _numbered("+", diff.new, change.new_start, change.new_end)
        at = change.old_end
    yield from _numbered(" ", diff.old, at, end)


def _numbered(
    sign: str, lines: Sequence[str], start: int, end: int
) -> Iterator[tuple[str, int, str]]:
    return ((sign, number + 1, lines[number]) for number in range(start, end))


def _patch_range(start: int, end: int) -> str:
    """Return start and count; of no lines the start is the line before."""
    return f"{start + 1 if end > start else start},{end - start}"


def _add_piece(pieces: list[tuple[str, bool]], text: str, changed: bool) -> None:
    if text:
        pieces.append((text, changed))
