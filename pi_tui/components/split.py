"""`Split`: two panes and a line between them that can be moved."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from pi_tui.callbacks import Callbacks
from pi_tui.component import Component, Renderable, Style, identity, invalidate_all
from pi_tui.components.hstack import HStack
from pi_tui.components.stack import Stack, VStack
from pi_tui.events import KeyEvent, MouseEvent, MouseResult
from pi_tui.keybindings import KeybindingsManager, get_keybindings
from pi_tui.layout import Box, LayoutContext, StackEntry
from pi_tui.mouse_delivery import MouseAnswer

Direction = Literal["row", "column"]
_STEP = 0.05


class Split(Component):
    """`first` and `second` side by side (`row`) or one above the other (`column`), `ratio` of the room for `first`.

    The line is moved with the pointer, or with the keys while it has the focus (`split.divider`). Panes that
    would be narrower than `min_columns` side by side are put one above the other instead.
    """

    def __init__(
        self,
        first: Renderable,
        second: Renderable,
        direction: Direction = "row",
        ratio: float = 0.5,
        line_style: Style = identity,
        focused_line_style: Style = identity,
        min_columns: int = 20,
        *,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        self.on_change: Callable[[float], object] | None = None
        self.direction: Direction = direction
        self.min_columns = max(1, min_columns)
        self._ratio = _share(ratio)
        self._callbacks = Callbacks()
        self.divider = Divider(self, line_style, focused_line_style, keybindings)
        panes = [StackEntry(pane, basis=0, grow=1, shrink=1) for pane in (first, second)]
        line = StackEntry(self.divider, basis=1, shrink=0, min_size=1, max_size=1)
        self._row: Stack = HStack()
        self._column: Stack = VStack()
        for stack in (self._row, self._column):
            stack.entries = [panes[0], line, panes[1]]
        self._panes = panes
        self._document = VStack(self.children)

    @property
    def children(self) -> list[Renderable]:
        """The panes and the line between them."""
        return [self._panes[0].component, self.divider, self._panes[1].component]

    @property
    def ratio(self) -> float:
        """The part of the room that the first pane has, 0 to 1."""
        return self._ratio

    def set_ratio(self, ratio: float) -> None:
        """Move the line; whoever listens is told."""
        before, self._ratio = self._ratio, _share(ratio)
        if self._ratio != before:
            self._callbacks.call(self.on_change, self._ratio)

    def direction_at(self, width: int) -> Direction:
        """Return how the panes lie in so many columns."""
        is_narrow = width < 2 * self.min_columns + 1
        return "column" if self.direction == "column" or is_narrow else "row"

    def _stack_at(self, width: int) -> Stack:
        direction = self.direction_at(width)
        self.divider.direction = direction
        self._panes[0].grow, self._panes[1].grow = self._ratio, 1 - self._ratio
        return self._row if direction == "row" else self._column

    def invalidate(self) -> None:
        """Drop the caches of both panes."""
        invalidate_all(pane.component for pane in self._panes)

    def render(self, width: int) -> list[str]:
        """Return both panes as a document, in which panes one above the other are as high as they are."""
        stack = self._stack_at(width)
        self.divider.room, self.divider.length = 0, 1
        if stack is self._column:
            return self._document.render(width)
        self.divider.room = max(1, width - 1)
        self.divider.length = len(stack.render(width))
        return stack.render(width)

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Divide the space between the panes."""
        stack = self._stack_at(width)
        self.divider.room = max(1, (width if stack is self._row else height) - 1)
        return stack.layout_box(context, y, width, height, top, bottom)

    def natural_height(self, width: int, context: LayoutContext) -> int:
        """Return the rows of the higher pane, or of both."""
        return len(self.render(width))

    def natural_width(self, width: int, context: LayoutContext) -> int:
        """Return all of the width."""
        return width

    def handle_mouse(self, event: MouseEvent) -> MouseAnswer:
        """Give the event to what lies there, where the panes are part of a document."""
        stack = self._stack_at(event.width)
        return (self._document if stack is self._column else stack).handle_mouse(event)

    def handle_unclaimed_mouse(self, event: MouseEvent) -> None:
        """Take nothing: the panes have been asked."""


class Divider(Component):
    """The line between two panes. Give it the focus to let the keys move it."""

    def __init__(
        self,
        split: Split,
        style: Style,
        focused_style: Style,
        keybindings: KeybindingsManager | None,
    ) -> None:
        self.focused = False
        self.direction: Direction = "row"
        self.room = 1  # cells that the panes share; none where each is as high as it is
        self.length = 1  # rows of the line where it stands upright in a document
        self._split = split
        self._style = style
        self._focused_style = focused_style
        self._keybindings = keybindings
        self._grip: tuple[int, float] | None = None  # where it was taken, and the ratio then

    def render(self, width: int) -> list[str]:
        """Return the line."""
        return self._line(width, self.length)

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Draw the line as long as the panes are."""
        lines = self._line(width, height)[:height]
        return Box(self, y, width, height, max(top, y), min(bottom, y + height), lines)

    def natural_height(self, width: int, context: LayoutContext) -> int:
        """Return 1."""
        return 1

    def _line(self, width: int, height: int) -> list[str]:
        upright = self.direction == "row"
        sign = ("┃" if upright else "━") if self.focused else ("│" if upright else "─")
        style = self._focused_style if self.focused else self._style
        return [style(sign)] * height if upright else [style(sign * width)]

    def handle_key(self, event: KeyEvent) -> bool:
        """Move the line; `False` for a key that means nothing here."""
        keybindings = self._keybindings or get_keybindings()
        if keybindings.matches(event, "tui.split.forward"):
            self._split.set_ratio(self._split.ratio + _STEP)
        elif keybindings.matches(event, "tui.split.back"):
            self._split.set_ratio(self._split.ratio - _STEP)
        else:
            return False
        return True

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Move the line with the pointer that took it."""
        at = event.screen_x if self.direction == "row" else event.screen_y
        if event.type == "press" and event.button == "left" and self.room:
            self._grip = (at, self._split.ratio)
            return MouseResult(capture=True, focus=True)
        if event.type == "drag" and self._grip is not None and self.room:
            start, ratio = self._grip
            self._split.set_ratio(ratio + (at - start) / self.room)
            return MouseResult(handled=True)
        if event.type in ("release", "click"):
            self._grip = None
            return MouseResult(handled=True)
        return None


def _share(ratio: float) -> float:
    return min(1.0, max(0.0, ratio)) if math.isfinite(ratio) else 0.5
