"""What the mouse does, as a component sees it."""

from __future__ import annotations

from pi_tui import Component, MouseEvent, MouseResult, Theme, is_viewport_tui, truncate_to_width
from pi_tui.gallery.page import Page, Piece, Stage

_ROWS = 8


class Pad(Component):
    """A field that marks the cell under the pointer and tells the last event. It holds what it was pressed on."""

    def __init__(self, theme: Theme, hint: str) -> None:
        self._theme = theme
        self._told = hint
        self._at = (0, 0)

    def render(self, width: int) -> list[str]:
        """Return the event, and the field."""
        rows = [truncate_to_width(self._told, width, "…")]
        for y in range(1, _ROWS):
            x = self._at[0] if self._at[1] == y and self._at[0] < width else -1
            before, after = ("·" * x, "·" * (width - x - 1)) if x >= 0 else ("·" * width, "")
            mark = self._theme.fg("accent", "█") if x >= 0 else ""
            rows.append(self._theme.fg("dim", before) + mark + self._theme.fg("dim", after))
        return rows

    def handle_mouse(self, event: MouseEvent) -> MouseResult:
        """Take everything: a press that is taken does not begin to select text."""
        self._at = (event.x, event.y)
        held = "+".join(key for key in ("shift", "alt", "ctrl") if getattr(event, key))
        more = (
            held,
            "" if event.button == "none" else event.button,
            f"{event.wheel_delta:+} rows" if event.wheel_delta is not None else "",
            f"number {event.click_count}" if event.click_count is not None else "",
        )
        words = " ".join(filter(None, more))
        self._told = f"{event.type} {words} at {event.x},{event.y} of {event.width}x{event.height}"
        return MouseResult(handled=True, render=True)


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    has_mouse = is_viewport_tui(stage.tui)
    hint = "Move over the field, press, drag, turn the wheel."
    return Piece(Pad(stage.theme, hint if has_mouse else "The mouse is the terminal's here."))


PAGE = Page(
    "Mouse",
    "Press in the field and drag out of it: whoever took the press gets all until the release.",
    build,
    ("MouseEvent", "MouseResult"),
)
