"""Foreign text made safe to show: without control sequences, control characters and halves of characters."""

from __future__ import annotations

from typing import Final

from pi_tui.ansi import (
    replace_control_characters,
    sanitize_output,
    split_unfinished,
    strip_terminal_sequences,
)
from pi_tui.patterns import pattern

# Characters that make a terminal show what follows in another order than it is in.
_REORDERING: Final = pattern("[\u202a-\u202e\u2066-\u2069]")


def plain_text(text: str) -> str:
    """Return text of any number of lines with nothing in it that a terminal would act on.

    What would show text in another order than a shell reads it is replaced visibly.
    """
    plain = strip_terminal_sequences(sanitize_output(text)).replace("\t", "   ")
    return plain if plain.isascii() else _REORDERING.sub("\ufffd", plain)


def plain_line(text: str) -> str:
    """Return text as one line."""
    return replace_control_characters(plain_text(text))


def styled_line(text: str) -> str:
    """Return text as one line that keeps its colours, and ends them."""
    safe = sanitize_output(text).replace("\n", " ").replace("\t", "   ")
    if not safe.isascii():
        safe = _REORDERING.sub("\ufffd", safe)
    return f"{safe}\x1b[0m" if "\x1b" in safe else safe


class GrowingPlainText:
    """`plain_text` of a text that grows: only what is new is looked at."""

    def __init__(self) -> None:
        self._raw = ""
        self._plain = ""
        self._unfinished = ""

    def of(self, text: str) -> str:
        """Return what `plain_text(text)` returns. A text that does not begin as the last one starts over."""
        if not text.startswith(self._raw):
            self._raw = self._plain = self._unfinished = ""
        if len(text) > len(self._raw):
            fresh = self._unfinished + text[len(self._raw) :]
            complete, self._unfinished = split_unfinished(fresh)
            self._plain += plain_text(complete)
            self._raw = text
        return self._plain + plain_text(self._unfinished)
