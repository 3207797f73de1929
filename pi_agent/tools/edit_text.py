"""Exact replacements in a text: each text to replace must be found once, and all of them before any is replaced.

What is not found exactly is looked for with typographic differences ignored. Then the lines that are touched, and
only those, are rewritten in their plain form.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from pi_agent.tools.line_ends import FileText, Replacement, unify_line_ends
from pi_tui.diff import LineChange, LineDiff, diff_lines, split_lines
from pi_tui.frozen import frozen
from pi_tui.patterns import pattern

_PLAIN = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f"), '"'),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b"), "-"),
    ord("\u1680"): " ",
}
_LONE = pattern("[\ud800-\udfff]")
_BLANKS = " \t\v\f"
_SHOWN_LINES = 10


@frozen
class Edit:
    """Replace `old` by `new`."""

    old: str
    new: str


@frozen
class EditedText:
    """The new content of a file, and what changed."""

    data: bytes
    diff: LineDiff


class EditError(Exception):
    """An edit cannot be made; the text is for the model."""


@frozen
class _Match:
    """Where the text of the edit number `index` stands."""

    index: int
    start: int
    end: int


def edit_text(data: bytes, edits: Sequence[Edit], path: str) -> EditedText:
    """Make all edits in the content of a file or raise `EditError`; `path` is for its words."""
    if not edits:
        raise EditError("Edit tool input is invalid. edits must contain at least one replacement.")
    file = FileText.decode(data)
    edits = [_normalized(edit, file.has_bom) for edit in edits]
    names = [f"edits[{index}]" for index in range(len(edits))] if len(edits) > 1 else [""]
    _refuse_empty(edits, names, path)
    text = file.text
    if all(edit.old in text for edit in edits):
        matches = [_match(text, edit.old, index, names, path) for index, edit in enumerate(edits)]
    else:
        text, matches = _match_loosely(text, edits, names, path)
    matches.sort(key=lambda match: (match.start, match.index))
    _refuse_overlaps(matches, path)
    replacements = [Replacement(m.start, m.end, edits[m.index].new) for m in matches]
    result = FileText(text, file.ends, file.has_bom).replace(replacements)
    new_data = result.encode()
    if new_data == data:
        raise EditError(
            f"No changes made to {path}. The replacement produced identical content. This might indicate an issue"
            " with special characters or the text not existing as expected."
        )
    return EditedText(new_data, _diff(file.text, result.text, text, replacements))


def loose_form(text: str) -> str:
    """Return `text` with plain letters, quotes, dashes and spaces, and no blanks at the ends of lines."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    return "\n".join(line.rstrip(_BLANKS) for line in text.split("\n"))


def _normalized(edit: Edit, has_bom: bool) -> Edit:
    old, new = unify_line_ends(edit.old), unify_line_ends(edit.new)
    if has_bom and old.startswith("\ufeff"):
        # It has been set aside.
        old, new = old[1:], new.removeprefix("\ufeff")
    return Edit(old, new)


def _refuse_empty(edits: Sequence[Edit], names: Sequence[str], path: str) -> None:
    for edit, name in zip(edits, names, strict=True):
        if not edit.old:
            raise EditError(f"{name}{'.' if name else ''}oldText must not be empty in {path}.")


def _match(text: str, old: str, index: int, names: Sequence[str], path: str) -> _Match:
    """Return the one place where `old` stands."""
    name = names[index]
    start = text.find(old) if old else -1
    if start < 0:
        if name:
            raise EditError(
                f"Could not find {name} in {path}. The oldText must match exactly including all whitespace and"
                " newlines."
            )
        raise EditError(
            f"Could not find the exact text in {path}. The old text must match exactly including all whitespace"
            " and newlines."
        )
    if text.find(old, start + 1) >= 0:
        raise EditError(_ambiguous(text, old, name, path))
    return _Match(index, start, start + len(old))


def _ambiguous(text: str, old: str, name: str, path: str) -> str:
    # Places that overlap are counted once, but they are at least two.
    count = max(2, text.count(old))
    lines: list[str] = []
    start = -1
    line = 1
    while len(lines) < min(count, _SHOWN_LINES):
        found = text.find(old, start + 1)
        line += text.count("\n", max(start, 0), found)
        lines.append(str(line))
        start = found
    more = ", ..." if count > len(lines) else ""
    what = f"{name} in {path}. Each oldText" if name else f"the text in {path}. The text"
    return (
        f"Found {count} occurrences of {what} must be unique. Please provide more context to make it unique."
        f" (lines {', '.join(lines)}{more})"
    )


def _match_loosely(
    text: str, edits: Sequence[Edit], names: Sequence[str], path: str
) -> tuple[str, list[_Match]]:
    """Return the text with the touched lines in their loose form, and where in it the edits match."""
    loose = loose_form(text)
    found = [
        _match(loose, loose_form(edit.old), index, names, path) for index, edit in enumerate(edits)
    ]
    lines, loose_lines = text.split("\n"), loose.split("\n")
    loose_starts = _line_starts(loose_lines)
    for match in found:
        first = _line_of(loose_starts, match.start)
        last = _line_of(loose_starts, match.end - 1)
        lines[first : last + 1] = loose_lines[first : last + 1]
    starts = _line_starts(lines)

    def moved(at: int) -> int:
        line = _line_of(loose_starts, at)
        return starts[line] + at - loose_starts[line]

    return "\n".join(lines), [_Match(m.index, moved(m.start), moved(m.end)) for m in found]


def _refuse_overlaps(matches: Sequence[_Match], path: str) -> None:
    for first, second in pairwise(matches):
        if second.start < first.end:
            raise EditError(
                f"edits[{first.index}] and edits[{second.index}] overlap in {path}. Merge them into one edit or"
                " target disjoint regions."
            )


def _diff(old: str, new: str, matched: str, replacements: Sequence[Replacement]) -> LineDiff:
    """Compare the lines that were touched; `matched` is the old text in which the replacements were made."""
    old_lines, new_lines = split_lines(_readable(old)), split_lines(_readable(new))
    starts = _line_starts(matched.split("\n"))
    regions: list[LineChange] = []
    shift = 0
    for part in replacements:
        first, after = _line_of(starts, part.start), _line_of(starts, part.end) + 1
        moved = shift + part.text.count("\n") - matched.count("\n", part.start, part.end)
        new_end = after + moved
        if after >= len(old_lines):
            after, new_end = len(old_lines), len(new_lines)
        if regions and first < regions[-1].old_end:
            last = regions.pop()
            regions.append(LineChange(last.old_start, after, last.new_start, new_end))
        else:
            regions.append(LineChange(first, after, first + shift, new_end))
        shift = moved
    return diff_lines(old_lines, new_lines, regions)


def _readable(text: str) -> str:
    """Return `text` with U+FFFD for bytes that are no UTF-8."""
    return text if text.isascii() else _LONE.sub("\ufffd", text)


def _line_starts(lines: Sequence[str]) -> list[int]:
    """Return where each line starts in the text that the lines make with LF between them."""
    return list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))


def _line_of(starts: Sequence[int], at: int) -> int:
    return bisect_right(starts, at) - 1
