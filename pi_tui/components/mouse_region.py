"""`MouseRegion`: gives any component a mouse handler."""

from __future__ import annotations

from pi_tui.component import Component, Renderable, invalidate_all, render_child
from pi_tui.events import MouseEvent
from pi_tui.layout import Box, LayoutContext, layout_box, natural_height
from pi_tui.mouse_delivery import MouseAnswer, MouseHandler, ask_handler, deliver_mouse


class MouseRegion(Component):
    """Shows its child. The mouse is the child's first; what it does not take goes to `on_mouse`."""

    def __init__(self, child: Renderable, on_mouse: MouseHandler) -> None:
        self.child = child
        self.on_mouse = on_mouse

    @property
    def children(self) -> list[Renderable]:
        """The child, for whoever walks a tree of components."""
        return [self.child]

    def render(self, width: int) -> list[str]:
        """Return the child's rows."""
        return render_child(self.child, width)

    def part_at(self, row: int) -> tuple[Renderable, int]:
        """Return the child, whose rows these are."""
        return self.child, row

    def invalidate(self) -> None:
        """Drop the child's caches."""
        invalidate_all([self.child])

    def handle_mouse(self, event: MouseEvent) -> MouseAnswer:
        """Ask the child, then `on_mouse`."""
        answer = deliver_mouse(self.child, event)
        return answer if answer.handled else self.handle_unclaimed_mouse(event)

    def handle_unclaimed_mouse(self, event: MouseEvent) -> MouseAnswer:
        """Ask `on_mouse` about what the child did not take."""
        return ask_handler(self, self.on_mouse, event)

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Lay the child out in all of the space."""
        child = layout_box(self.child, context, y, width, height, top, bottom)
        return Box(self, y, width, height, child.top, child.bottom, children=[child])

    def natural_height(self, width: int, context: LayoutContext) -> int:
        """Return the child's height."""
        return natural_height(self.child, width, context)
