"""`TuiPlainScreen`: regular mode for people who listen: text that is only ever added to, without drawings.

The document is written as it comes to rest, row by row, and never changed. Below it stands what one works with,
dialogs and overlays included, in rows that hold text, with the terminal's own cursor where one types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.component import CURSOR_MARKER
from pi_tui.flash import Timer
from pi_tui.frame import Frame
from pi_tui.frame_rows import FrameRow, paint_layers
from pi_tui.layout import Box, Layer, LayoutContext
from pi_tui.plain_log import PlainLog
from pi_tui.plain_text import plain_row
from pi_tui.regular import TuiMainScreen
from pi_tui.regular_document import DocumentRow, Unrolled
from pi_tui.scrollback_writer import ScrollbackWriter
from pi_tui.terminal_protocol import Terminal


class TuiPlainScreen(TuiMainScreen):
    """A program below the shell's prompt, for screen readers.

    A row is written when it has stood still for `rest_seconds`, and stays: when it changes it is written again.
    After a change of the terminal's size, or when the program is continued, it goes on below.
    """

    is_plain = True
    drawn_images = frozenset()

    def __init__(
        self,
        terminal: Terminal | None = None,
        *,
        strict: bool = False,
        environ: Mapping[str, str] | None = None,
        rest_seconds: float = 0.5,
    ) -> None:
        super().__init__(
            terminal,
            show_hardware_cursor=True,
            strict=strict,
            environ=environ,
            clear_on_shrink=False,
        )
        self.rest_seconds = rest_seconds
        self._log = PlainLog()
        self._writes_all = False
        self._timer: Timer | None = None

    def set_show_hardware_cursor(self, show: bool) -> None:
        """Do nothing: the terminal's own cursor is always shown."""

    def set_clear_on_shrink(self, clears: bool) -> None:
        """Do nothing: what is written stays."""

    def _layout(self, content_changed: bool) -> Frame:
        if self._writer.is_begun and self._drawn_size != (self.columns, self.rows):
            self.terminal.write(self._writer.leave())
            self._begin_elsewhere()
        return super()._layout(content_changed)

    def _unroll(
        self, context: LayoutContext, columns: int, rows: int
    ) -> tuple[Unrolled, Box | None]:
        unrolled, _ = super()._unroll(context, columns, rows)
        width = unrolled.width
        now = self._now()
        still_since = now if self._writes_all else now - self.rest_seconds
        typed_in = self._log.follow(unrolled.source, width, context, now, still_since)
        if self._log.is_waiting and self._timer is None:
            self._timer = self.call_later(self.rest_seconds, self._look_again)
        live = [*unrolled.above, *typed_in, *unrolled.below, *self._overlay_rows(context)]
        live = list(_without_drawings(live))[-max(1, rows - 1) :]
        return Unrolled((), self._log.document, width, live), None

    def _overlay_rows(self, context: LayoutContext) -> list[FrameRow]:
        """Return the rows of overlays: what lies over others on a screen comes after them here."""
        return [
            row
            for layer in self._overlays.lay_out(context)
            for row in paint_layers([Layer(layer.box)], self.columns, layer.box.height).rows()
        ]

    def _covered(
        self, shown: list[DocumentRow], layers: list[Layer], columns: int, rows: int
    ) -> list[DocumentRow]:
        return shown

    def _reason_before(self, unrolled: Unrolled, columns: int, rows: int) -> str | None:
        self._redraw_reason = None
        return None if self._writer.is_begun else "nothing is shown yet"

    def _look_again(self) -> None:
        self._timer = None
        self.request_view()

    def _show_last_state(self) -> None:
        self._writes_all = True
        self.render_now()
        self._writes_all = False

    def _begin_elsewhere(self) -> None:
        self._log.begin_elsewhere()
        self._writer = ScrollbackWriter()

    def _release(self, preserve_screen: bool) -> bool:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        return super()._release(preserve_screen)


def _without_drawings(rows: Iterable[FrameRow]) -> Iterable[FrameRow]:
    """Yield the rows that hold text or the caret, without what is drawn around it."""
    for row in rows:
        line = plain_row(row.line)
        over = tuple((piece._replace(line=plain_row(piece.line)), box) for piece, box in row.over)
        if _holds_text([line, *(piece.line for piece, _ in over)]):
            yield FrameRow(line, row.box, over)


def _holds_text(lines: Sequence[str]) -> bool:
    return any(CURSOR_MARKER in line or strip_terminal_sequences(line).strip() for line in lines)
