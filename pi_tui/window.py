"""Drawing a part of something long: what a scroll view asks of its child.

The cost of a frame follows the viewport. A position is an anchor, an entry and a row in it, never an
absolute row: heights of entries nobody has looked at are estimates, and correcting one must not move
what is on screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeGuard, runtime_checkable

from pi_tui.component import Renderable, checked_rows, failed_rows, render_child
from pi_tui.layout import LayoutContext


@dataclass(frozen=True, slots=True, order=True)
class Anchor:
    """A place in a document, by its entry and the row in that; places compare in reading order."""

    entry: int = 0
    row: int = 0


@runtime_checkable
class Windowed(Renderable, Protocol):
    """A component that can draw some of its rows; `render` is then for documents, never for a frame."""

    def measure(self, width: int) -> int | None:
        """Return the number of rows if it is known, else `None`."""
        ...

    def estimate(self, width: int) -> int:
        """Return a guess of the number of rows, cheaply."""
        ...

    def render_rows(self, width: int, start: int, stop: int) -> list[str]:
        """Return the rows `start`..`stop` (fewer at the end)."""
        ...


@runtime_checkable
class EntrySource(Protocol):
    """A document as a list of entries, each measured only when somebody looks at it."""

    def entry_count(self) -> int:
        """Return the number of entries."""
        ...

    def entry_height(self, index: int, width: int, context: LayoutContext | None) -> int:
        """Return the rows of an entry, rendering it if need be."""
        ...

    def entry_rows(
        self, index: int, width: int, start: int, stop: int, context: LayoutContext | None
    ) -> list[str]:
        """Return the rows `start`..`stop` of an entry."""
        ...

    def rows_above(self, index: int, width: int) -> int:
        """Return the rows above an entry: measured where known, estimated elsewhere."""
        ...

    def entry_at(self, row: int, width: int) -> int:
        """Return the entry that (by measure or estimate) holds the row."""
        ...

    def component_at(self, index: int) -> Renderable:
        """Return what draws an entry, by which an entry is known when others are removed."""
        ...


class SingleEntry:
    """Any component as a document of one entry, so that scroll views need to know only one kind."""

    def __init__(self, component: Renderable) -> None:
        self.component = component

    def entry_count(self) -> int:
        """Return 1."""
        return 1

    def entry_height(self, index: int, width: int, context: LayoutContext | None) -> int:
        """Return the component's rows."""
        return height_of(self.component, width, context)

    def entry_rows(
        self, index: int, width: int, start: int, stop: int, context: LayoutContext | None
    ) -> list[str]:
        """Return the component's rows `start`..`stop`."""
        return rows_of(self.component, width, start, stop, context)

    def rows_above(self, index: int, width: int) -> int:
        """Return 0: nothing lies above the only entry."""
        return 0 if index == 0 else height_of(self.component, width, None)

    def entry_at(self, row: int, width: int) -> int:
        """Return 0, the only entry."""
        return 0

    def component_at(self, index: int) -> Renderable:
        """Return the component."""
        return self.component


def is_windowed(component: object) -> TypeGuard[Windowed]:
    """Tell whether a component can draw some of its rows. `isinstance` with a protocol is too slow for a frame."""
    return hasattr(component, "render_rows")


def height_of(component: Renderable, width: int, context: LayoutContext | None) -> int:
    """Return the rows of a component: measured if it is windowed and knows, else rendered."""
    if not is_windowed(component):
        return len(lines_of(component, width, context))
    try:
        known = component.measure(width)
        return max(0, int(component.estimate(width) if known is None else known))
    except Exception as error:
        return len(failed_rows(component, error, width))


def rows_of(
    component: Renderable, width: int, start: int, stop: int, context: LayoutContext | None
) -> list[str]:
    """Return some rows of a component, asking a windowed one for just those."""
    if not is_windowed(component):
        return lines_of(component, width, context)[start:stop]
    try:
        return checked_rows(component.render_rows(width, start, stop))[: stop - start]
    except Exception as error:
        return failed_rows(component, error, width)[: stop - start]


def lines_of(component: Renderable, width: int, context: LayoutContext | None) -> list[str]:
    """Return all rows of a component; the same list while it returns the same."""
    if context is not None:
        return context.lines_of(component, width)
    return render_child(component, width)
