"""What waits to be sent: queued texts above the editor, and the key that takes them back."""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.ui.cached_rows import CachedRows
from pi_agent.ui.plain import plain_line
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width

# Of a longer text no terminal shows more in a row.
_MOST_SHOWN = 1000


class PendingTexts(CachedRows):
    """One dim row a text, and one that names `key`, which takes them back."""

    def __init__(self, theme: Theme, key: str = "") -> None:
        self._theme = theme
        self._key = key
        self._steering: tuple[str, ...] = ()
        self._follow_up: tuple[str, ...] = ()

    def set_texts(self, steering: Sequence[str], follow_up: Sequence[str]) -> None:
        """Show these texts."""
        self._steering, self._follow_up = tuple(steering), tuple(follow_up)
        self.invalidate()

    def make_rows(self, width: int) -> list[str]:
        """Return a row for each text, steering ones first; the last row is the one to go without."""
        texts = [f"Steering: {text[:_MOST_SHOWN]}" for text in self._steering]
        texts += [f"Follow-up: {text[:_MOST_SHOWN]}" for text in self._follow_up]
        if texts and self._key:
            texts.append(f"{self._key} takes {'them' if len(texts) > 1 else 'it'} back")
        return [
            self._theme.fg("dim", truncate_to_width(" " + plain_line(text), width, "…"))
            for text in texts
        ]
