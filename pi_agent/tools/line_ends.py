"""A text file as its lines, whatever ends them, with all it takes to write the rest of it back byte for byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pi_tui.frozen import frozen

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile("\r\n|\r|\n")


@frozen
class Replacement:
    """The characters from `start` up to `end` become `text`."""

    start: int
    end: int
    text: str


@frozen
class FileText:
    """The text of a file with LF between lines. `ends` are the line ends in the file, one for each LF.

    Bytes that are no UTF-8 are lone surrogates in `text`, and become the same bytes again.
    """

    text: str
    ends: Sequence[str]
    has_bom: bool = False

    @classmethod
    def decode(cls, data: bytes) -> FileText:
        """Read the content of a file."""
        has_bom = data.startswith(_BOM)
        text = data.removeprefix(_BOM).decode("utf-8", "surrogateescape")
        return cls(unify_line_ends(text), _LINE_END.findall(text), has_bom)

    def encode(self) -> bytes:
        """Return the content of the file."""
        parts: list[str] = []
        before = ""
        for line, end in zip(self.text.split("\n"), [*self.ends, ""], strict=True):
            # CR of the line above and LF of an empty one would be read as one line end.
            parts += (line, "\r\n" if before == "\r" and end == "\n" and not line else end)
            before = end
        data = "".join(parts).encode("utf-8", "surrogateescape")
        return _BOM + data if self.has_bom else data

    def replace(self, replacements: Sequence[Replacement]) -> FileText:
        """Return the text with replacements made; they are in order and do not overlap.

        New lines end like the lines they replace, more of them like the line where they come to stand.
        """
        texts: list[str] = []
        ends: list[str] = []
        at = passed = 0
        for wanted in replacements:
            part = self._without_common(wanted)
            texts += (self.text[at : part.start], part.text)
            first = passed + self.text.count("\n", at, part.start)
            last = first + self.text.count("\n", part.start, part.end)
            ends += self.ends[passed:first]
            ends += self._new_ends(first, last, part.text.count("\n"))
            at, passed = part.end, last
        texts.append(self.text[at:])
        ends += self.ends[passed:]
        return FileText("".join(texts), ends, self.has_bom)

    def _without_common(self, part: Replacement) -> Replacement:
        """Leave alone what a replacement has in common with what it replaces, at its end and at its start."""
        old, new = self.text[part.start : part.end], part.text
        after = _common_start(old[::-1], new[::-1])
        old, new = old[: len(old) - after], new[: len(new) - after]
        before = _common_start(old, new)
        return Replacement(part.start + before, part.end - after, new[before:])

    def _new_ends(self, first: int, last: int, count: int) -> list[str]:
        replaced = list(self.ends[first:last])[:count]
        if len(replaced) == count:
            return replaced
        if replaced:
            more = replaced[-1]
        else:
            more = self.ends[last] if last < len(self.ends) else self._dominant_end()
        return replaced + [more] * (count - len(replaced))

    def _dominant_end(self) -> str:
        counts = Counter(self.ends)
        return max(("\n", "\r\n", "\r"), key=lambda end: counts[end])


def unify_line_ends(text: str) -> str:
    """Return `text` with LF for every line end."""
    return _LINE_END.sub("\n", text) if "\r" in text else text


def _common_start(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)
