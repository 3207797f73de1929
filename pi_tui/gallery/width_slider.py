"""`WidthSlider`: how wide a page's piece is drawn; the handle stands over its last column."""

from __future__ import annotations

from pi_tui import Component, ComponentHost, MouseEvent, MouseResult, StackEntry, Theme


class WidthSlider(Component):
    """A ruler with a handle that can be dragged, and keys that move it. At its end the width is all there is.

    The width goes to the `entry` of the column that the piece is in.
    """

    def __init__(self, tui: ComponentHost, theme: Theme, entry: StackEntry) -> None:
        self._tui = tui
        self._theme = theme
        self._entry = entry
        self._room = 1
        self.set_width(None)

    @property
    def width(self) -> int:
        """The columns that the piece has."""
        return min(self._wanted or self._room, self._room)

    def set_width(self, width: int | None) -> None:
        """Draw the piece so wide; `None` gives it all the room, however much that becomes."""
        self._wanted = width
        self._entry.basis, self._entry.grow = (0, 1) if width is None else (width, 0)
        self._tui.request_render()

    def move(self, columns: int) -> None:
        """Move the handle; beyond the last column it stays at the end when the terminal grows."""
        self._move_to(self.width + columns)

    def render(self, width: int) -> list[str]:
        """Return the ruler, with the number behind the handle, or before it where that does not fit."""
        self._room = width
        ruler = "─" * (self.width - 1)
        rest, number = "┈" * (width - self.width), f" {self.width} "
        if len(rest) >= len(number):
            rest = number + rest[len(number) :]
        elif len(ruler) > len(number):
            ruler = ruler[: -len(number)] + number
        fg = self._theme.fg
        return [fg("border", ruler) + fg("accent", "●") + fg("dim", rest)]

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Put the handle under the pointer, which keeps it wherever it goes until the button is released."""
        if event.type not in ("press", "drag") or event.button != "left":
            return None
        self._move_to(event.x + 1)
        return MouseResult(capture=True)

    def _move_to(self, width: int) -> None:
        self.set_width(max(1, width) if width < self._room else None)
