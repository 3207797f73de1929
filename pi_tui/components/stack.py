"""What stacks have in common, and `VStack`: children one below the other that share the height."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Literal

from pi_tui.component import (
    Component,
    Renderable,
    invalidate_all,
    render_child,
    report_failure,
)
from pi_tui.component_tree import refuse_circle
from pi_tui.events import MouseEvent
from pi_tui.hit_test import deliver_into
from pi_tui.layout import (
    Box,
    LayoutContext,
    Share,
    StackEntry,
    Viewport,
    layout_box,
    natural_height,
    natural_width,
    rows_to_skip,
    share_sizes,
)
from pi_tui.mouse_delivery import MouseAnswer
from pi_tui.padding import weight, whole


class Stack(Component):
    """Children with their wishes, which a stack of either direction divides its space by."""

    def __init__(self, children: Iterable[Renderable | StackEntry] = (), gap: int = 0) -> None:
        self.entries: list[StackEntry] = []
        self.gap = whole(gap, 0)
        for child in children:
            self.entries.append(child if isinstance(child, StackEntry) else StackEntry(child))

    def add_child(
        self,
        component: Renderable,
        *,
        basis: int | Literal["auto"] | None = "auto",
        grow: float = 0,
        shrink: float = 1,
        min_size: int = 0,
        max_size: float = math.inf,
        visible: Callable[[Viewport], bool] | None = None,
    ) -> None:
        """Append a child with its wishes (`StackEntry`)."""
        refuse_circle(self, component)
        self.entries.append(StackEntry(component, basis, grow, shrink, min_size, max_size, visible))

    def remove_child(self, component: Renderable) -> None:
        """Remove the first child that is `component`; a missing one is ignored."""
        for index, entry in enumerate(self.entries):
            if entry.component is component:
                del self.entries[index]
                return

    def clear(self) -> None:
        """Remove all children."""
        self.entries.clear()

    def invalidate(self) -> None:
        """Drop the children's caches."""
        invalidate_all(entry.component for entry in self.entries)

    def handle_mouse(self, event: MouseEvent) -> MouseAnswer:
        """Give the event to the child that lies there, where the stack is part of a document."""
        width, height = event.width, event.height
        context = LayoutContext(Viewport(width, height))
        return deliver_into(self.layout_box(context, 0, width, height, 0, height), event)

    def handle_unclaimed_mouse(self, event: MouseEvent) -> None:
        """Take nothing: the children have been asked."""

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Divide the space among the children."""
        raise NotImplementedError

    def visible_entries(self, viewport: Viewport) -> list[StackEntry]:
        """Return the entries that show in a terminal of that size."""
        return [entry for entry in self.entries if _is_visible(entry, viewport)]

    def share(self, entry: StackEntry, natural: int) -> Share:
        """Return an entry's part in dividing space, for a child of that size."""
        basis = whole(entry.basis, natural) if isinstance(entry.basis, int | float) else natural
        return Share(
            basis,
            weight(entry.grow, 0),
            weight(entry.shrink, 1),
            whole(entry.min_size, 0),
            _limit(entry.max_size),
        )


class VStack(Stack):
    """Children one below the other with `gap` empty rows between; how they share is in their `StackEntry`."""

    def __init__(self, children: Iterable[Renderable | StackEntry] = (), gap: int = 0) -> None:
        super().__init__(children, gap)
        # The children as `render` drew them: where each begins, and which row of it is shown first.
        self._drawn: list[tuple[Renderable, int, int]] = []

    def render(self, width: int) -> list[str]:
        """Return the whole document: every visible child at its own height or its basis."""
        rows: list[str] = []
        drawn: list[tuple[Renderable, int, int]] = []
        entries = self.visible_entries(Viewport(width, 0))
        for index, entry in enumerate(entries):
            if index:
                rows.extend([""] * self.gap)
            lines = render_child(entry.component, width)
            size = self.share(entry, len(lines)).start
            first = rows_to_skip(lines, size)
            shown = lines[first : first + size]
            drawn.append((entry.component, len(rows), first))
            rows.extend(shown)
            rows.extend([""] * (size - len(shown)))
        self._drawn = drawn
        return rows

    def part_at(self, row: int) -> tuple[Renderable, int] | None:
        """Return the child that drew a row of the document, and which row of it that is."""
        for component, start, first in reversed(self._drawn):
            if row >= start:
                return component, row - start + first
        return None

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Divide `height` among the children."""
        box = Box(self, y, width, height, max(top, y), min(bottom, y + height))
        entries = self.visible_entries(context.viewport)
        shares = [
            self.share(
                entry,
                natural_height(entry.component, width, context)
                if entry.basis in ("auto", None)
                else 0,
            )
            for entry in entries
        ]
        row = y
        for entry, size in zip(entries, share_sizes(shares, height, self.gap), strict=True):
            if size > 0 and row < box.bottom:
                box.children.append(
                    layout_box(entry.component, context, row, width, size, box.top, box.bottom)
                )
            row += size + self.gap
        return box

    def natural_height(self, width: int, context: LayoutContext) -> int:
        """Return the rows of the children at their own heights, with the gaps."""
        entries = self.visible_entries(context.viewport)
        heights = (
            self.share(entry, natural_height(entry.component, width, context)).start
            for entry in entries
        )
        return sum(heights) + self.gap * max(0, len(entries) - 1)

    def natural_width(self, width: int, context: LayoutContext) -> int:
        """Return the columns of the widest child."""
        entries = self.visible_entries(context.viewport)
        return max((natural_width(e.component, width, context) for e in entries), default=0)


def _is_visible(entry: StackEntry, viewport: Viewport) -> bool:
    """Ask an entry; one that cannot say is shown."""
    if entry.visible is None:
        return True
    try:
        return bool(entry.visible(viewport))
    except Exception as error:
        report_failure(entry.component, error)
        return True


def _limit(max_size: float | None) -> float:
    return math.inf if max_size is None or math.isnan(max_size) else max(0.0, max_size)
