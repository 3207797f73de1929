"""Keys as they arrive."""

from __future__ import annotations

from collections import deque

from pi_tui import (
    Component,
    KeyEvent,
    PasteEvent,
    Theme,
    replace_control_characters,
    truncate_to_width,
)
from pi_tui.gallery.page import Page, Piece, Stage

_KEPT = 12


class KeyLog(Component):
    """Tells of the latest keys, the newest first."""

    wants_key_release = True  # where the terminal reports it

    def __init__(self, theme: Theme) -> None:
        self.focused = False
        self._theme = theme
        self._rows: deque[str] = deque(maxlen=_KEPT)

    def render(self, width: int) -> list[str]:
        """Return a row for each."""
        rows = self._rows or ["Press a key, or paste something."]
        return [truncate_to_width(row, width, "…") for row in rows]

    def handle_key(self, event: KeyEvent) -> bool:
        """Take every key."""
        also = f"  also {', '.join(event.also)}" if event.also else ""
        text = f"  types {event.text!r}" if event.text else ""
        raw = self._theme.fg("dim", f"  {event.raw!r}") if event.raw else ""
        kind = "" if event.kind == "press" else f"  {event.kind}"
        self._rows.appendleft(f"{self._theme.fg('accent', event.id)}{kind}{text}{also}{raw}")
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste, which is never taken for keys."""
        shown = replace_control_characters(event.text)
        self._rows.appendleft(f"a paste of {len(event.text)}: {shown}")


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    log = KeyLog(stage.theme)
    return Piece(log, focus=(log,))


PAGE = Page(
    "Keys",
    "What a component is told: the id of the key, the text that it types, other keys it may stand for, its bytes.",
    build,
    ("KeyEvent", "PasteEvent"),
)
