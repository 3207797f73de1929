"""`Box`: children one below the other inside padding and a background."""

from __future__ import annotations

from dataclasses import replace

from pi_tui.component import Renderable, Style, report_wide_rows
from pi_tui.components.container import Container
from pi_tui.events import MouseEvent
from pi_tui.mouse_delivery import MouseAnswer, deliver_by_rows
from pi_tui.padding import padding_of, whole
from pi_tui.wrap import fill_line


class Box(Container):
    """A panel around its children; without rows of theirs there is nothing to see of it either."""

    def __init__(self, padding_x: int = 1, padding_y: int = 1, bg: Style | None = None) -> None:
        super().__init__()
        self._padding_x = whole(padding_x, 1)
        self._padding_y = whole(padding_y, 1)
        self._bg = bg
        self._boxed: tuple[int, str, list[str]] | None = None
        self._rows: list[str] = []

    def set_bg(self, bg: Style | None) -> None:
        """Change the background."""
        self._bg = bg
        self._boxed = None

    def set_padding_x(self, padding: int) -> None:
        """Change the columns kept free at both sides."""
        self._padding_x = whole(padding, 1)
        self._boxed = None

    def invalidate(self) -> None:
        """Drop own and the children's caches."""
        super().invalidate()
        self._boxed = None

    def render(self, width: int) -> list[str]:
        """Return rows of exactly `width` cells."""
        padding = padding_of(self._padding_x, width)
        content = super().render(width - 2 * padding)
        sample = self._bg("test") if self._bg is not None else ""
        before = self._boxed
        if before is None or before[:2] != (width, sample) or before[2] is not content:
            self._boxed = (width, sample, content)
            self._report_wide_rows(width - 2 * padding)
            self._rows = self._framed(content, width, " " * padding)
        return self._rows

    def part_at(self, row: int) -> tuple[Renderable, int] | None:
        """Return `None`: children that are too wide have been cut and named."""
        return None

    def handle_mouse(self, event: MouseEvent) -> MouseAnswer:
        """Give the event to the child below it; the padding is nobody's."""
        padding = padding_of(self._padding_x, event.width)
        self.render(event.width)
        inner = replace(event, y=event.y - self._padding_y)
        return deliver_by_rows(self.parts(), inner, inset=padding)

    def _report_wide_rows(self, width: int) -> None:
        for child, rows in zip(self._drawn, self._parts, strict=True):
            report_wide_rows(child, rows, width)

    def _framed(self, content: list[str], width: int, margin: str) -> list[str]:
        if not content:
            return []
        blank = [fill_line("", width, self._bg)] * self._padding_y
        rows = [fill_line(margin + line, width, self._bg) for line in content]
        return [*blank, *rows, *blank]
