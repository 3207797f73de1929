"""`Container`: children one below the other."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat

from pi_tui.component import Component, Renderable, invalidate_all, render_child
from pi_tui.component_tree import refuse_circle
from pi_tui.events import MouseEvent
from pi_tui.mouse_delivery import MouseAnswer, deliver_by_rows


class Container(Component):
    """Children one below the other, no gaps."""

    def __init__(self) -> None:
        self.children: list[Renderable] = []
        self._width = -1
        self._drawn: list[Renderable] = []
        self._parts: list[list[str]] = []
        self._lines: list[str] | None = None

    def add_child(self, component: Renderable) -> None:
        """Append a child."""
        refuse_circle(self, component)
        self.children.append(component)

    def remove_child(self, component: Renderable) -> None:
        """Remove the first child that is `component`; a missing one is ignored."""
        for index, child in enumerate(self.children):
            if child is component:
                del self.children[index]
                return

    def clear(self) -> None:
        """Remove all children."""
        self.children.clear()

    def render(self, width: int) -> list[str]:
        """Return the children's rows; the same list while no child changed."""
        children = list(self.children)  # one that is drawn may change them
        before = chain(self._parts, repeat(None))
        parts = [
            render_child(child, width, rows) for child, rows in zip(children, before, strict=False)
        ]
        # What is the same object is equal without a look into it.
        if self._lines is not None and width == self._width and parts == self._parts:
            return self._lines
        self._width, self._drawn, self._parts = width, children, parts
        self._lines = [line for part in parts for line in part]
        return self._lines

    def handle_mouse(self, event: MouseEvent) -> MouseAnswer:
        """Give the event to the child at its row."""
        if event.width != self._width:
            self.render(event.width)
        return deliver_by_rows(self.parts(), event)

    def parts(self) -> Iterable[tuple[Renderable, int]]:
        """Return the children as they were drawn last, and how many rows each took."""
        return zip(self._drawn, map(len, self._parts), strict=True)

    def part_at(self, row: int) -> tuple[Renderable, int] | None:
        """Return the child that drew a row, and which row of it that is: whom to name when it is wrong."""
        for child, rows in self.parts():
            if row < rows:
                return child, row
            row -= rows
        return None

    def handle_unclaimed_mouse(self, event: MouseEvent) -> None:
        """Take nothing: the children have been asked."""

    def invalidate(self) -> None:
        """Drop own and the children's caches."""
        self._lines = None
        invalidate_all(self.children)
