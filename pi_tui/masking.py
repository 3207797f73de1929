"""A text that is hidden from whoever looks on: a sign stands for each character."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from pi_tui.frozen import frozen
from pi_tui.width import iter_graphemes

DEFAULT_MASK: Final = "•"


@frozen
class MaskedText:
    """What is shown in place of a text. An index in one of the two has its counterpart in the other."""

    shown: str
    _inside: Sequence[int]
    _outside: Sequence[int]

    def shown_index(self, index: int) -> int:
        """Return where in `shown` the character is that stands at `index` of the text."""
        return self._outside[bisect_right(self._inside, index) - 1]

    def text_index(self, index: int) -> int:
        """Return where in the text the character is that stands at `index` of `shown`."""
        return self._inside[bisect_right(self._outside, index) - 1]


def open_text(text: str) -> MaskedText:
    """Hide nothing."""
    indexes = range(len(text) + 1)
    return MaskedText(text, indexes, indexes)


def mask_text(text: str, mask: str = DEFAULT_MASK, *, clear: int = 0) -> MaskedText:
    """Hide the characters of `text` but for the last `clear` ones."""
    characters = list(iter_graphemes(text))
    hidden = max(0, len(characters) - clear)
    shown = [mask] * hidden + characters[hidden:]
    return MaskedText("".join(shown), _starts(characters), _starts(shown))


def _starts(characters: Sequence[str]) -> list[int]:
    """Return where each character begins, and where the last one ends."""
    return list(accumulate(map(len, characters), initial=0))
