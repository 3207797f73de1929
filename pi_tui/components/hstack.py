"""`HStack`: children side by side that share the width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pi_tui.component import Renderable, render_child, report_wide_rows
from pi_tui.components.stack import Stack
from pi_tui.layout import (
    Box,
    LayoutContext,
    StackEntry,
    Viewport,
    layout_box,
    move_right,
    natural_height,
    natural_width,
    share_sizes,
    widest_line,
)
from pi_tui.paint import is_image_line
from pi_tui.width import visible_width
from pi_tui.wrap import fill_line

Align = Literal["start", "center", "end", "stretch"]


class HStack(Stack):
    """Columns with `gap` empty columns between; `align` places children that are less high than the tallest.

    `stretch` gives every child the full height.
    """

    def __init__(
        self,
        children: Iterable[Renderable | StackEntry] = (),
        gap: int = 0,
        align: Align = "stretch",
    ) -> None:
        super().__init__(children, gap)
        self.align = align

    def render(self, width: int) -> list[str]:
        """Return the whole document, as high as the tallest child."""
        entries = self.visible_entries(Viewport(width, 0))
        naturals = [
            widest_line(render_child(entry.component, width)) if _is_auto(entry) else 0
            for entry in entries
        ]
        sizes = self._sizes(entries, naturals, width)
        columns = [
            _column(entry.component, size) for entry, size in zip(entries, sizes, strict=True)
        ]
        height = max(map(len, columns), default=0)
        offsets = [_offset(self.align, height - len(column)) for column in columns]
        return [
            self._joined(
                [_row(c, y - top) for c, top in zip(columns, offsets, strict=True)], sizes, width
            )
            for y in range(height)
        ]

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Divide `width` among the children."""
        box = Box(self, y, width, height, max(top, y), min(bottom, y + height))
        entries = self.visible_entries(context.viewport)
        column = 0
        for entry, size in zip(entries, self._laid_out(entries, width, context), strict=True):
            if size > 0 and column < width:
                child = self._place(entry.component, context, box, size)
                box.children.append(move_right(child, column))
            column += size + self.gap
        return box

    def natural_height(self, width: int, context: LayoutContext) -> int:
        """Return the rows of the tallest child."""
        entries = self.visible_entries(context.viewport)
        sizes = self._laid_out(entries, width, context)
        return max(
            (
                natural_height(entry.component, size, context)
                for entry, size in zip(entries, sizes, strict=True)
                if size
            ),
            default=0,
        )

    def natural_width(self, width: int, context: LayoutContext) -> int:
        """Return the columns of the children at their own widths, with the gaps."""
        entries = self.visible_entries(context.viewport)
        naturals = self._naturals(entries, width, context)
        parts = (self.share(e, own).start for e, own in zip(entries, naturals, strict=True))
        return sum(parts) + self.gap * max(0, len(entries) - 1)

    def _place(self, child: Renderable, context: LayoutContext, box: Box, width: int) -> Box:
        height, y = box.height, box.y
        if self.align != "stretch":
            height = min(box.height, natural_height(child, width, context))
            y += _offset(self.align, box.height - height)
        return layout_box(child, context, y, width, height, box.top, box.bottom)

    def _laid_out(
        self, entries: Sequence[StackEntry], width: int, context: LayoutContext
    ) -> list[int]:
        return self._sizes(entries, self._naturals(entries, width, context), width)

    def _naturals(
        self, entries: Sequence[StackEntry], width: int, context: LayoutContext
    ) -> list[int]:
        return [
            natural_width(entry.component, width, context) if _is_auto(entry) else 0
            for entry in entries
        ]

    def _sizes(
        self, entries: Sequence[StackEntry], naturals: Sequence[int], width: int
    ) -> list[int]:
        shares = [self.share(e, own) for e, own in zip(entries, naturals, strict=True)]
        return share_sizes(shares, width, self.gap)

    def _joined(self, parts: Sequence[str], sizes: Sequence[int], width: int) -> str:
        """Return one row: each part in its columns, what reaches beyond the width cut off."""
        row, filled, column = "", 0, 0
        for part, size in zip(parts, sizes, strict=True):
            room = min(size, width - column)
            if room > 0:
                row += " " * (column - filled) + _filled(part, room)
                filled = column + room
            column += size + self.gap
        return row


def _column(component: Renderable, width: int) -> list[str]:
    if not width:
        return []
    rows = render_child(component, width)
    report_wide_rows(component, rows, width)
    return rows


def _filled(part: str, room: int) -> str:
    """Return a part as wide as its columns; a picture, which is not filled up, with blanks behind it."""
    return (
        part + " " * (room - visible_width(part)) if is_image_line(part) else fill_line(part, room)
    )


def _is_auto(entry: StackEntry) -> bool:
    return entry.basis in ("auto", None)


def _row(lines: Sequence[str], index: int) -> str:
    return lines[index] if 0 <= index < len(lines) else ""


def _offset(align: Align, free: int) -> int:
    """Return the rows above a child that leaves `free` rows."""
    if align == "center":
        return free // 2
    return free if align == "end" else 0
