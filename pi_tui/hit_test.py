"""Which boxes of a frame lie under a cell, and where a component of the frame is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pi_tui.component import Renderable
from pi_tui.events import MouseEvent
from pi_tui.layout import Box
from pi_tui.mouse_delivery import MouseAnswer, MouseTarget, ask_handler, handler_of, keys_through


def boxes_at(box: Box, x: int, y: int) -> list[Box]:
    """Return the boxes of a tree that can be seen at a cell, the deepest first."""
    if not (box.top <= y < box.bottom and box.x <= x < box.x + box.width):
        return []
    for child in reversed(box.children):
        found = boxes_at(child, x, y)
        if found:
            return [*found, box]
    return [box]


def find_box(roots: Sequence[Box], component: Renderable) -> Box | None:
    """Return the box of a component in the trees of a frame, if it is in sight."""
    return next((box for box in all_boxes(roots) if box.component is component), None)


def all_boxes(roots: Sequence[Box]) -> Iterator[Box]:
    """Yield every box, parents before their children."""
    for box in roots:
        yield box
        yield from all_boxes(box.children)


def target_of(box: Box) -> MouseTarget:
    """Return a box's component and where its first row would be."""
    height = max(box.height, box.first + len(box.lines))
    return MouseTarget(box.component, box.x, box.y - box.first, box.width, height)


def deliver_into(root: Box, event: MouseEvent) -> MouseAnswer:
    """Give an event, in coordinates of `root`, to the boxes inside of it, the deepest first."""
    boxes = boxes_at(root, event.x, event.y)
    for number, box in enumerate(boxes[:-1]):
        handler = handler_of(box.component, has_asked_children=number > 0)
        if handler is not None:
            at = target_of(box)
            x, y = event.x - at.x, event.y - at.y
            own = replace(event, x=x, y=y, width=at.width, height=at.height)
            answer = ask_handler(box.component, handler, own)
            if answer.handled and answer.target is not None:
                focused = answer.keys or answer.target.component
                around = (box.component for box in boxes)
                return replace(answer, keys=keys_through(focused, around))
    return MouseAnswer()
