"""`TuiMainScreen`: the normal screen, where the document scrolls into the terminal's own scrollback.

The layout is the one of the full screen, with the primary view as long as its document. What has scrolled off stays
as it is; when it changes all the same, everything is written anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pi_tui.app import TUI
from pi_tui.frame import Frame
from pi_tui.frame_pace import FramePace
from pi_tui.frame_rows import FrameRow, cover_rows, paint_layers
from pi_tui.frozen import frozen
from pi_tui.hit_test import find_box
from pi_tui.layout import Box, Layer, LayoutContext, Viewport, layout_box
from pi_tui.regular_document import DocumentRow, RegularDocument, Unrolled
from pi_tui.scrollback_repair import ScrollbackRepair
from pi_tui.scrollback_writer import NO_PICTURES, ScrollbackWriter
from pi_tui.terminal_protocol import Terminal
from pi_tui.window import SingleEntry

if TYPE_CHECKING:  # loaded with the first picture
    from pi_tui.scrollback_images import PlacedImage, ScrollbackImages

_ENTER = "\x1b[?7l\x1b[?25l\x1b[?2004h"
# A frame that was cut short may have left a style behind.
_LEAVE = "\x1b[?2026l\x1b[0m"
_LEAVE_SCREEN = "\x1b[?7h\x1b[?25h"
_BELOW_EVERYTHING = "\x1b[9999B\r\n"
# How much of a long document is written when all is.
_MOST_ROWS = 2000


@frozen
class _Step:
    """From the last frame to the next: where the screen begins in the document, and what forces writing all.

    `layers` lie over the rows.
    """

    top: int
    redraw: str | None
    unrolled: Unrolled
    layers: Sequence[Layer]


@frozen
class RenderState:
    """What a screen knows of the terminal at a time; for `restore_render_state`."""

    writer: ScrollbackWriter
    document: RegularDocument
    size: tuple[int, int]


class TuiMainScreen(TUI):
    """A program below the shell's prompt. The mouse, the scrollback and selecting are the terminal's.

    Content that shrinks leaves blank rows below it until it grows again; with `clear_on_shrink` everything is
    written anew instead.
    """

    mode = "regular"

    def __init__(
        self,
        terminal: Terminal | None = None,
        *,
        show_hardware_cursor: bool | None = None,
        strict: bool = False,
        clear_on_shrink: bool | None = None,
        log_directory: Path | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            terminal,
            show_hardware_cursor=show_hardware_cursor,
            strict=strict,
            clear_on_shrink=clear_on_shrink,
            log_directory=log_directory,
            environ=environ,
        )
        self._pace = FramePace(waits_for_last_resize=True)
        self._document = RegularDocument(self._maker)
        self._writer = ScrollbackWriter()
        self._images: ScrollbackImages | None = None
        self._repair = ScrollbackRepair(self.call_later, self._redraw)
        self._drawn_size = (0, 0)
        self._redraw_reason: str | None = None
        self._keeps_cursor = False  # on leaving
        self._step: _Step | None = None

    @property
    def is_scrollback_stale(self) -> bool:
        """Whether rows that have scrolled off are to be written anew soon, because they have changed."""
        return self._repair.is_due

    def set_show_hardware_cursor(self, show: bool) -> None:
        """Show the terminal's own cursor where one types, or only the cell that stands for it."""
        self._document.finish_anew()
        super().set_show_hardware_cursor(show)

    def invalidate(self) -> None:
        """Drop every cache; what has scrolled off is out of date, too."""
        super().invalidate()
        self._document.finish_anew()
        self._redraw_reason = "everything has changed"

    # Life cycle

    def stop(self, preserve_screen: bool = False) -> None:
        """Give the terminal back with the last state on it and the cursor below; `preserve_screen` keeps both as is."""
        if not preserve_screen:
            self._show_last_state()
        was_started, self._keeps_cursor = self.is_started, preserve_screen
        super().stop(preserve_screen)
        if was_started and not preserve_screen:
            self._writer = ScrollbackWriter()
            self._images = None

    def suspend(self) -> None:
        """Leave the last state above the shell's prompt until the program is continued."""
        self._show_last_state()
        super().suspend()

    @contextmanager
    def terminal_lent(self) -> Iterator[None]:
        """Give the terminal to another program meanwhile, which gives the screen back as it was."""
        self._keeps_cursor = True
        try:
            with super().terminal_lent():
                yield
        finally:
            self._keeps_cursor = False
            self._redraw_reason = None
            self._writer.doubt()

    def capture_render_state(self) -> RenderState:
        """Return what is known of the terminal, before another program uses it after `stop(preserve_screen=True)`."""
        return RenderState(copy(self._writer), copy(self._document), self._drawn_size)

    def restore_render_state(self, state: RenderState) -> None:
        """Go on from a state after `start`: the terminal shows what it showed then, pictures left out.

        The next frame writes only what has changed since.
        """
        self._writer, self._document = copy(state.writer), copy(state.document)
        self._drawn_size = state.size
        self._writer.forget_cursor()
        if self._images is not None:
            self._images.doubt()
        self._redraw_reason = None

    # Frames

    def request_render(self, force: bool = False) -> None:
        """Ask for a frame in which components are rendered; `force` writes all anew, at the next turn."""
        self._note_force(force)
        super().request_render(force)

    def render_now(self, force: bool = False) -> None:
        """Draw a frame before returning."""
        self._note_force(force)
        super().render_now(force)

    def _note_force(self, force: bool) -> None:
        if force and self.is_started:
            self._redraw_reason = self._redraw_reason or "asked for"

    def _redraw(self) -> None:
        self._redraw_reason = "rows that had scrolled off have changed"
        self.request_render()

    def _show_last_state(self) -> None:
        """Draw what would be drawn soon."""
        if self._frame_timer is not None or self._repair.is_due:
            self.render_now(force=self._repair.is_due)

    def _forget_frame(self, reason: str) -> None:
        self._writer.doubt()

    def _layout(self, content_changed: bool) -> Frame:
        self._focus.leave_invisible()
        columns, rows = self.columns, self.rows
        context = self._contexts.next(Viewport(columns, rows), content_changed)
        unrolled, holder = self._unroll(context, columns, rows)
        redraw = self._update(unrolled, context, columns, rows)
        document = self._document
        length = document.length
        top = max(0, length - rows) if redraw else self._writer.top_for(length, rows)
        shown = document.rows(top, top + rows)
        if holder is not None:
            holder = replace(holder, y=holder.y + length - len(unrolled.below) - top)
        layers = self._overlays.lay_out(context, holder)
        if layers:
            shown = self._covered(shown, layers, columns, rows)
        self._step = _Step(top, redraw, unrolled, layers)
        carets = [(row.caret, y) for y, row in enumerate(shown) if row.caret is not None]
        return Frame([row.data for row in shown], columns, carets[-1] if carets else None)

    def _unroll(
        self, context: LayoutContext, columns: int, rows: int
    ) -> tuple[Unrolled, Box | None]:
        """Lay the tree out; returns it as a document, and where below the view what has the keys must be seen."""
        root, view = self._tree.component(self.children), self.primary_view
        box = layout_box(root, context, 0, columns, rows, 0, rows)
        shown = find_box([box], view) if view is not None else None
        if view is None or (shown is not None and (shown.x, shown.width) != (0, columns)):
            return Unrolled((), SingleEntry(root), columns, ()), None
        painted = paint_layers([Layer(box)], columns, rows).rows()
        start, stop = (shown.y, shown.y + shown.height) if shown is not None else (0, 0)
        below = painted[stop:]
        while below and below[-1].box is None:
            below.pop()
        width = view.content_width if shown is not None else columns
        holder = self._focus.holder
        held = None if holder is None else find_box([box], holder)
        if held is not None:
            held = replace(held, y=held.y - stop) if held.y >= stop else None
        return Unrolled(painted[:start], view.source, width, below), held

    def _update(
        self, unrolled: Unrolled, context: LayoutContext, columns: int, rows: int
    ) -> str | None:
        """Take what is to be shown; returns why all of it must be written, if it must."""
        reason = self._reason_before(unrolled, columns, rows)
        if reason is None:
            first = self._document.update(unrolled, context, columns)
            reason = self._reason_after(first)
        if reason is not None:
            self._document.begin(unrolled, context, _MOST_ROWS)
            self._document.update(unrolled, context, columns)
        return reason

    def _reason_before(self, unrolled: Unrolled, columns: int, rows: int) -> str | None:
        if not self._writer.is_begun:
            return "nothing is shown yet"
        if columns != self._drawn_size[0]:
            return "the width has changed"
        if rows != self._drawn_size[1]:
            if not self._environ.get("TERMUX_VERSION"):
                return "the height has changed"
            self._writer.fit(rows)  # a keyboard comes and goes
        if not self._document.is_continued_by(unrolled.source):
            return "the document is another one"
        return self._redraw_reason

    def _reason_after(self, first: int) -> str | None:
        writer, length = self._writer, self._document.length
        if length <= writer.top < writer.bottom:
            return "the content ends above the screen"
        has_shrunk = writer.top > 0 and length < writer.bottom and not self._overlays.entries
        if has_shrunk and self._clear_on_shrink:
            return "the content has shrunk"
        if first < writer.top and self._repair.is_at_once(self._now()):
            return "a row above the screen has changed"
        return None

    def _now(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0

    def _covered(
        self, shown: list[DocumentRow], layers: list[Layer], columns: int, rows: int
    ) -> list[DocumentRow]:
        """Return the rows of the whole screen with overlays over them."""
        screen = [*(row.source for row in shown), *[FrameRow()] * (rows - len(shown))]
        return self._document.finished(cover_rows(screen, layers, columns), shown)

    def _show(self, frame: Frame) -> None:
        step, writer = self._step, self._writer
        assert step is not None
        if step.redraw is None:
            body = self._advance(step, frame)
        else:
            body = self._write_all(step, frame)
        data = writer.finish(body, frame.cursor, self._maker.show_hardware_cursor)
        if self._images is not None:
            self.terminal.set_last_words(self._last_words())
        if data:
            self.terminal.write(data)
        self._frame_log.frame(
            {
                "size": f"{frame.columns}x{self.rows}",
                "first row of the document": step.top,
                "cursor": frame.cursor,
                "full redraw": step.redraw or "no",
            },
            frame.rows,
            data,
        )
        self._drawn_size = (frame.columns, self.rows)
        self._document.settle(step.unrolled.source, writer.top)

    def _advance(self, step: _Step, frame: Frame) -> str:
        writer = self._writer
        rows = self._plain(writer.top, step.top) + frame.rows
        pictures = NO_PICTURES
        wanted = self._images_from(writer.top, step)
        if self._images is not None:
            changed = [writer.top + y for y in writer.changed_rows(rows)]
            pictures = self._images.advance(wanted, changed, writer.top, self.rows)
        return writer.advance(rows, step.top - writer.top, pictures)

    def _images_from(self, start: int, step: _Step) -> list[PlacedImage]:
        """Return the pictures from a row of the document on, but for those that something lies over."""
        lines = self._document.images(start)
        if not lines:
            return []
        from pi_tui.scrollback_images import ScrollbackImages, uncovered

        if self._images is None:
            self._images = ScrollbackImages()
        return uncovered(lines, step.layers, step.top)

    def _write_all(self, step: _Step, frame: Frame) -> str:
        writer = self._writer
        is_same_size = self._drawn_size == (frame.columns, self.rows)
        self._redraw_reason = None
        self._repair.done()
        if writer.is_begun:
            self.full_redraws += 1
            self._frame_log.redraw(step.redraw or "", frame.columns, self.rows)
            if is_same_size and writer.top == 0:  # all rows can be written over
                writer.doubt()
                return self._advance(step, frame)
        before = self._rows_before(step, frame)
        start = step.top - len(before)
        wanted = self._images_from(start, step)
        pictures = NO_PICTURES
        if self._images is not None:
            pictures = self._images.all_anew(wanted, start, self.rows)
        if not writer.is_begun:
            return writer.begin(before, frame.rows, step.top, frame.columns, pictures)
        return writer.redraw(before, frame.rows, step.top, pictures)

    def _rows_before(self, step: _Step, frame: Frame) -> list[bytes]:
        """Return the rows that scroll off when all is written, after a word about those that are left out."""
        start = max(0, step.top + len(frame.rows) - _MOST_ROWS)
        source, width = step.unrolled.source, step.unrolled.width
        left_out = source.rows_above(self._document.left, width) + start
        note = f"... ({left_out} earlier rows)"[: frame.columns] + "\x1b[0m\x1b[K"
        return [*([note.encode()] if left_out else []), *self._plain(start, step.top)]

    def _plain(self, start: int, stop: int) -> list[bytes]:
        """Return rows that scroll off, without what lies over them."""
        return [row.data for row in self._document.rows(start, stop)]

    # Taking over and giving back

    def _take_over(self) -> None:
        if self._writer.is_begun and not self._keeps_cursor:
            self._begin_elsewhere()
        super()._take_over()
        self._keeps_cursor = False

    def _begin_elsewhere(self) -> None:
        """After other programs have written below: what has scrolled off must not be there twice."""
        if self._writer.top == 0:
            self._writer = ScrollbackWriter()
        else:
            self._redraw_reason = "the screen was another program's"

    def _release(self, preserve_screen: bool) -> bool:
        self._repair.done()
        return super()._release(preserve_screen)

    def _enter_sequence(self) -> str:
        return _ENTER

    def _leave_sequence(self) -> str:
        return self._leave_from("" if self._keeps_cursor else self._writer.leave())

    def _last_words(self) -> str:
        return self._leave_from(_BELOW_EVERYTHING)

    def _leave_from(self, place: str) -> str:
        images = "" if self._images is None or self._keeps_cursor else self._images.delete_all()
        modes = "\x1b[?2004l" + self._taken_back() + self._input.keyboard.undo()
        return _LEAVE + images + place + modes + _LEAVE_SCREEN
