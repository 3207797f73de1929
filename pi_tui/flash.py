"""Short messages at the top right of the screen: each is gone after its time, one stays until it is taken away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pi_tui.ansi import replace_control_characters
from pi_tui.component import Component
from pi_tui.layout import Box, Layer
from pi_tui.width import slice_by_column, visible_width


class Timer(Protocol):
    """Something that is due and can be called off."""

    def cancel(self) -> None:
        """Call it off."""
        ...


class FlashRow(Component):
    """One message, reversed."""

    passes_mouse = True

    def __init__(self, message: str) -> None:
        self._text = f" {replace_control_characters(message)} "

    @property
    def cells(self) -> int:
        """How wide it would like to be."""
        return visible_width(self._text)

    def render(self, width: int) -> list[str]:
        """Return the message, cut to the width."""
        return [f"\x1b[7m{slice_by_column(self._text, 0, width, True)}\x1b[27m"]


class FlashMessages:
    """The messages of a screen, oldest first. `call_later` and `on_change` are the screen's."""

    def __init__(
        self,
        call_later: Callable[[float, Callable[[], None]], Timer | None],
        on_change: Callable[[], None],
    ) -> None:
        self._call_later = call_later
        self._on_change = on_change
        self._rows: dict[FlashRow, Timer | None] = {}
        self._standing: FlashRow | None = None

    def show(self, message: str, duration: float) -> None:
        """Show a message for so many seconds."""
        row = FlashRow(message)
        self._rows[row] = self._call_later(duration, lambda: self._remove(row))
        self._on_change()

    def stand(self, message: str) -> None:
        """Show a message below the others until it is replaced; `""` takes it away."""
        self._standing = FlashRow(message) if message else None
        self._on_change()

    def clear(self) -> None:
        """Drop all: the screen is given back."""
        self._standing = None
        for timer in self._rows.values():
            if timer is not None:
                timer.cancel()
        self._rows.clear()

    def layers(self, columns: int, rows: int) -> list[Layer]:
        """Return a layer for each message that there is a row for."""
        layers = []
        standing = [self._standing] if self._standing is not None else []
        for y, row in enumerate([*self._rows, *standing][-rows:]):
            width = min(row.cells, columns)
            box = Box(row, 0, width, 1, 0, 1, row.render(width))
            layers.append(Layer(box, y, columns - width))
        return layers

    def _remove(self, row: FlashRow) -> None:
        self._rows.pop(row, None)
        self._on_change()
