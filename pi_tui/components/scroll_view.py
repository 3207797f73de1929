"""`ScrollView`: a part of something long, positioned by anchor.

A view that follows its end shows the last rows whatever is added. Scrolled away it keeps its entry and
row at the top, also when rows above or below change or the width does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from pi_tui.component import Component, Renderable, Style, invalidate_all, render_child
from pi_tui.components.scrollbar import (
    Scrollbar,
    ScrollbarMode,
    ScrollState,
    background_at,
    bright_black,
    white,
)
from pi_tui.entry_rows import EntryRows
from pi_tui.events import MouseEvent
from pi_tui.frozen import frozen
from pi_tui.layout import MOST_IMAGE_ROWS, Box, LayoutContext
from pi_tui.mouse_delivery import MouseAnswer, deliver_mouse
from pi_tui.width import visible_width
from pi_tui.window import Anchor, EntrySource, SingleEntry, is_windowed


@frozen
class ViewPlace:
    """Where a view is, to go back to."""

    anchor: Anchor
    is_following: bool
    is_suppressed: bool


class ScrollView(Component):
    """Scrolls one child vertically. `follow="end"` keeps its end in view until it is scrolled away.

    `overscroll="contain"` keeps a wheel that has come to an end from scrolling what is around. A scrollbar
    that is `"auto"` lies over the last column while there is something to scroll, until
    `scrollbar_hide_delay` seconds after it was; `"always"` takes that column for itself. Of the rows of the
    child up to `text_margin` blanks at the left are no text, and are not selected with it.
    """

    def __init__(
        self,
        child: Renderable,
        axis: Literal["vertical"] = "vertical",
        follow: Literal["none", "end"] = "none",
        primary: bool = False,
        overscroll: Literal["chain", "contain"] = "chain",
        scrollbar: ScrollbarMode = "hidden",
        scrollbar_track_style: Style = bright_black,
        scrollbar_thumb_style: Style = white,
        scrollbar_hide_delay: float = 1.0,
        text_margin: int = 0,
    ) -> None:
        if axis != "vertical":
            raise ValueError(f"ScrollView scrolls vertically only, not {axis!r}")
        self.child = child
        self.primary = primary
        self.overscroll = overscroll
        self.scrollbar_hide_delay = scrollbar_hide_delay
        self.text_margin = text_margin
        self.scrolled = 0  # how often; a bar that comes and goes is shown after each time
        self._mode = scrollbar
        self._bar = Scrollbar(self.scroll_to, scrollbar_track_style, scrollbar_thumb_style)
        self._was_scrolled = False
        self._follow = follow
        self._following = follow == "end"
        self._suppressed = False
        self._anchor = Anchor()
        self._drawn_entry = 0
        self._anchor_component: Renderable | None = None
        self._anchor_height = 0
        self._reaches_end = True
        self._context: LayoutContext | None = None  # of the last layout: what the screen shows
        self._early_moves: list[Callable[[], object]] = []  # before the first layout
        self._width = 1
        self._height = 0
        self._source: EntrySource = child if isinstance(child, EntrySource) else SingleEntry(child)

    @property
    def is_following_end(self) -> bool:
        """Whether the view stays at the end when something is added."""
        return self._following

    @property
    def scrollbar(self) -> ScrollbarMode:
        """When the scrollbar shows."""
        return self._mode

    def set_scrollbar(self, mode: ScrollbarMode) -> None:
        """Choose when the scrollbar shows."""
        self._mode = mode

    @property
    def is_scrollbar_visible(self) -> bool:
        """Whether the scrollbar was on the screen in the last layout."""
        return self._bar.is_shown

    def handle_mouse(self, event: MouseEvent) -> MouseAnswer:
        """Give the event to the child, where the view is drawn as a document and does not scroll."""
        width = self._content_width(event.width)
        if event.x >= width:
            return MouseAnswer()
        return deliver_mouse(self.child, replace(event, width=width))

    def handle_unclaimed_mouse(self, event: MouseEvent) -> None:
        """Take nothing: the entries in view have been asked."""

    def hide_scrollbar(self) -> None:
        """Let a bar that comes and goes go, unless the pointer is on it."""
        self._was_scrolled = False

    @property
    def follows_end(self) -> bool:
        """Whether the view follows its end unless it is scrolled away."""
        return self._follow == "end"

    @property
    def source(self) -> EntrySource:
        """The child as a document of entries."""
        return self._source

    @property
    def content_width(self) -> int:
        """Columns of the child in the last layout."""
        return self._width

    @property
    def uncovered_width(self) -> int:
        """Columns of the child that no scrollbar lies over."""
        covers = self._mode == "auto" and self._bar.is_shown
        return self._width - 1 if covers else self._width

    @property
    def viewport_height(self) -> int:
        """Rows shown in the last layout."""
        return self._height

    @property
    def content_height(self) -> int:
        """Rows of the child: measured where it was looked at, estimated elsewhere."""
        return self._source.rows_above(self._source.entry_count(), self._width)

    @property
    def scroll_top(self) -> int:
        """The row at the top of the view, by measure or estimate."""
        return self._source.rows_above(self._anchor.entry, self._width) + self._anchor.row

    @property
    def anchor(self) -> Anchor:
        """The entry and row at the top of the view."""
        return self._anchor

    def invalidate(self) -> None:
        """Drop the child's caches."""
        invalidate_all([self.child])

    def render(self, width: int) -> list[str]:
        """Return the whole child, for documents; beside a bar that always shows there is a column less."""
        content = self._content_width(width)
        lines = render_child(self.child, content)
        if content == width:
            return lines
        return [line + " " * (width - visible_width(line)) for line in lines]

    def part_at(self, row: int) -> tuple[Renderable, int]:
        """Return the child, whose rows are those of the document."""
        return self.child, row

    def scroll_by(self, rows: float) -> int:
        """Move by `rows` (negative: towards the start); returns the part that was not used."""
        wanted = int(rows)
        if self._context is None:
            self._early_moves.append(lambda: self.scroll_by(wanted))
            return 0
        moved = self._move_up(-wanted) if wanted < 0 else self._move_down(wanted)
        if moved:
            self._note_scroll()
        return wanted + moved if wanted < 0 else wanted - moved

    def _move_up(self, rows: int) -> int:
        self._anchor, moved = self._rows.above(self._anchor, rows)
        if moved:
            self._following = self._suppressed = False
        return moved

    def _move_down(self, rows: int) -> int:
        end = self._end
        self._anchor, moved = self._rows.below(self._anchor, rows, end)
        if self._anchor >= end:
            self._following = self._follow == "end"
            self._suppressed = False
        return moved

    def scroll_to(self, row: int, disable_follow: bool = False) -> None:
        """Put `row` at the top, as far as there are rows; reaching the end follows unless told not to."""
        if self._context is None:
            self._early_moves.append(lambda: self.scroll_to(row, disable_follow))
            return
        entry = self._source.entry_at(max(0, row), self._width)
        first = self._source.rows_above(entry, self._width)
        self._go_to(Anchor(entry, max(0, row - first)), disable_follow)

    def _go_to(self, anchor: Anchor, disable_follow: bool) -> None:
        before, self._anchor = self._anchor, anchor
        self._following = False
        self._suppressed = disable_follow
        end = self._end
        if self._anchor >= end:
            self._anchor = end
            self._following = self._follow == "end" and not disable_follow
        if self._anchor != before:
            self._note_scroll()

    def scroll_to_start(self) -> None:
        """Show the first rows; keeps following only if everything fits."""
        self._early_moves.clear()
        if self._anchor != Anchor():
            self._note_scroll()
        self._anchor = Anchor()
        self._suppressed = False
        self._following = self._follow == "end" and self._end == Anchor()

    def scroll_to_end(self) -> None:
        """Show the last rows and follow them."""
        self._early_moves.clear()
        was_following, before = self._following, self._anchor
        self._anchor = self._end
        self._suppressed = False
        self._following = self._follow == "end"
        if not was_following and self._anchor != before:
            self._note_scroll()

    def scroll_to_entry(self, index: int) -> None:
        """Put the beginning of an entry at the top; the end stays in view if it is no longer than that."""
        self._go_to(Anchor(index), disable_follow=False)

    def stop_following(self) -> None:
        """Keep the first row in view where it is while something grows; follows again if the end stays in view."""
        self._following = False
        self._suppressed = False

    def reveal(self, row: Anchor) -> None:
        """Bring a row into view: unless it is, it comes to lie a third down. The end is not followed then."""
        shown = self.visible_rows()
        if not self._following and self._height > 1:
            del shown[self._height - 1 :]  # the label that leads back to the end may lie there
        if all(at != row for at, _ in shown):
            top, _ = self._rows.above(row, self._height // 3)
            self._go_to(top, disable_follow=True)

    @property
    def place(self) -> ViewPlace:
        """Where the view is, for `go_back`."""
        return ViewPlace(self._anchor, self._following, self._suppressed)

    def go_back(self, place: ViewPlace) -> None:
        """Return to where the view was, be it following its end."""
        if place.is_following:
            self.scroll_to_end()
        else:
            self._go_to(place.anchor, place.is_suppressed)

    def entry(self, index: int) -> Renderable | None:
        """Return what draws an entry of the child, if there is one."""
        is_there = 0 <= index < self._source.entry_count()
        return self._source.component_at(index) if is_there else None

    def visible_rows(self) -> list[tuple[Anchor, str]]:
        """Return the rows in view, each with its place in the child."""
        return self._rows.starting_at(self._anchor, self._height)

    def rows_between(self, first: Anchor, last: Anchor) -> list[str]:
        """Return the rows of the child from one to another, in sight or not."""
        return self._rows.between(first, last)

    def tail(self, width: int, limit: int) -> tuple[list[str], int]:
        """Return the last rows of the child, at most `limit`, and about how many come before them."""
        return EntryRows(self._source, width).ending(limit)

    def scroll_to_row(self, step: int, wanted: Callable[[str], bool]) -> bool:
        """Put the nearest wanted row above (`step` -1) or below (1) the first row there; `False` if there is none."""
        found = self._rows.find(self._anchor, step, wanted)
        if found is None:
            return False
        self._go_to(found, disable_follow=False)
        return True

    @property
    def _rows(self) -> EntryRows:
        return EntryRows(self._source, self._width, self._context)

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Draw the rows in view."""
        content = self._content_width(width)
        rewrapped = content != self._width
        self._width, self._height, self._context = content, height, context
        if self._following:
            self._anchor = self._end
        else:
            self._settle_anchor(context, rewrapped)
        self._move_early()
        box = Box(self, y, width, height, max(top, y), min(bottom, y + height))
        self._fill(box, context)
        shown = sum(len(child.lines) for child in box.children)
        if shown < height and self._anchor != Anchor():
            self._anchor = self._end
            self._fill(box, context)
        if self._follow == "end" and not self._suppressed and self._reaches_end:
            self._following = True
        self._add_bar(box)
        return box

    def _move_early(self) -> None:
        """Make the moves for which the heights were not known yet."""
        moves, self._early_moves = self._early_moves, []
        for move in moves:
            move()

    def natural_height(self, width: int, context: LayoutContext) -> int:
        """Return the rows of the child: measured where it was looked at, estimated elsewhere."""
        return self._source.rows_above(self._source.entry_count(), self._content_width(width))

    def _content_width(self, width: int) -> int:
        return max(1, width - 1) if self._mode == "always" else width

    def _note_scroll(self) -> None:
        self.scrolled += 1
        self._was_scrolled = True

    def _add_bar(self, box: Box) -> None:
        """Lay the bar over the last column, or what brings it back when the pointer comes there."""
        bar = self._bar
        bar.is_shown = False
        if self._mode == "hidden" or box.width < 2 or box.height < 1:
            return
        column = box.width - 1
        cells: list[str] = []
        if self._mode == "always" or self._was_scrolled or bar.is_active:
            state = ScrollState(self.content_height, box.height, self.scroll_top)
            bar.is_shown = self._mode == "always" or state.most > 0
        if bar.is_shown:
            bar.set_state(state)
            below = [line for child in box.children for line in child.lines]
            is_over = self._mode == "auto"
            cells = bar.cells([background_at(line, column) for line in below] if is_over else ())
        box.children.append(
            Box(bar, box.y, 1, box.height, box.top, box.bottom, cells, x=box.x + column)
        )

    def _fill(self, box: Box, context: LayoutContext) -> None:
        box.children.clear()
        index, row, y = self._anchor.entry, self._anchor.row, box.y
        last = box.y + box.height
        while y < last and index < self._source.entry_count():
            height = self._source.entry_height(index, self._width, context)
            stop = min(height, row + last - y)
            if stop > row:
                lines = self._source.entry_rows(index, self._width, row, stop, context)
                box.children.append(
                    Box(
                        self._source.component_at(index),
                        y,
                        self._width,
                        height,
                        max(box.top, y),
                        min(box.bottom, y + len(lines)),
                        lines,
                        row,
                        above=self._rows_above(index, row, context) if row else [],
                    )
                )
                y += len(lines)
            if stop < height:
                break
            row = 0
            index += 1
        self._reaches_end = index >= self._source.entry_count()
        if self._anchor.entry < self._source.entry_count():
            self._drawn_entry = self._anchor.entry
            self._anchor_component = self._source.component_at(self._anchor.entry)
            self._anchor_height = self._source.entry_height(
                self._anchor.entry, self._width, context
            )

    def _rows_above(self, index: int, row: int, context: LayoutContext) -> list[str]:
        """Return rows of an entry that may hold a picture which reaches into view; a windowed one has none."""
        if is_windowed(self._source.component_at(index)):
            return []
        first = max(0, row - MOST_IMAGE_ROWS)
        return self._source.entry_rows(index, self._width, first, row, context)

    def _settle_anchor(self, context: LayoutContext, rewrapped: bool) -> None:
        """Keep the anchor inside its entry; after a re-wrap at the same share of its height."""
        count = self._source.entry_count()
        if not count:
            self._anchor = Anchor()
            return
        entry, row = self._entry_of_anchor(count), self._anchor.row
        if row:
            height = self._source.entry_height(entry, self._width, context)
            if rewrapped and self._anchor_height:
                row = row * height // self._anchor_height
            row = min(row, max(0, height - 1))
        self._anchor = Anchor(entry, row)

    def _entry_of_anchor(self, count: int) -> int:
        """Return where the anchor's entry is now: entries above it may have been removed."""
        entry = min(self._anchor.entry, count - 1)
        if self._anchor_component is not None and self._anchor.entry == self._drawn_entry:
            for index in range(entry, -1, -1):
                if self._source.component_at(index) is self._anchor_component:
                    return index
        return entry

    @property
    def _end(self) -> Anchor:
        """The row at the top when the last one is at the bottom."""
        return self._rows.first_of_last(self._height)
