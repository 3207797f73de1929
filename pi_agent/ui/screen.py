"""What is on the screen and how it shares the rows: document, pending texts, status, editor with widgets, footer.

On small screens parts go in a fixed order: the widgets, the footer's third line, its first one, the status row
(it moves into the editor's border), the borders, the footer. One row of the document always stays, unless a
question needs it: what is answered must be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pi_agent.ui.completions import Completions
from pi_agent.ui.contributions import Contributions
from pi_agent.ui.custom_editor import CustomEditor
from pi_agent.ui.doing import Doing
from pi_agent.ui.editor_slot import EditorSlot
from pi_agent.ui.footer_stack import FooterStack
from pi_agent.ui.notices import Notices
from pi_agent.ui.picture_look import PictureLook
from pi_agent.ui.queue_panel import QueuePanel
from pi_agent.ui.status import StatusRow
from pi_agent.ui.widgets import Widgets
from pi_tui.app import TUI
from pi_tui.component import Component, Renderable, invalidate_all
from pi_tui.components.container import Container
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.transcript import Transcript
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.frozen import frozen
from pi_tui.layout import Box, LayoutContext, StackEntry, natural_height
from pi_tui.theme import ThemeHandle

_BORDER_ROWS = 2
# What stays free of what waits; and what the queue needs: a message, and what can be done with it.
_ROWS_WITHOUT_WAITING = 8
_ROWS_OF_QUEUE = 2
# A question and two answers, and one row of the document.
_FEW_ROWS = 4


@frozen
class RowPlan:
    """What there is room for at a terminal height."""

    footer_lines: int
    status_row: bool
    borders: bool
    editor_rows: int


def plan_rows(rows: int, waiting: int = 0, footer: int = 2) -> RowPlan:
    """Return what fits into `rows`; `waiting` rows of queued texts are shown too, and `footer` rows at most.

    The editor gets at most half of the rows, borders included, and at least one.
    """
    half = max(1, rows // 2)
    status, borders = True, True

    def needed() -> int:
        return 1 + waiting + footer + status + (_BORDER_ROWS if borders else 0) + 1

    for fewer in (2, 1):
        if needed() > rows:
            footer = min(footer, fewer)
    if needed() > rows:
        status = False
    if needed() > rows or half < _BORDER_ROWS + 1:
        borders = False
    if needed() > rows:
        footer = 0
    editor = max(1, half - (_BORDER_ROWS if borders else 0))
    room = rows - 1 - waiting - footer - status - (_BORDER_ROWS if borders else 0)
    return RowPlan(footer, status, borders, max(1, min(editor, room)))


class AgentScreen(Component):
    """The layout root. `show_dialog` puts a component in the editor's place.

    `hyperlinks`: whether the terminal makes links of links. `picture_look`: how pictures are shown.
    """

    def __init__(
        self,
        tui: TUI,
        theme: ThemeHandle,
        *,
        hyperlinks: bool = False,
        picture_look: Callable[[], PictureLook] = PictureLook,
    ) -> None:
        self.hyperlinks = hyperlinks
        self.picture_look = picture_look
        self.tui = tui
        self.theme = theme
        self.document = Transcript()
        self.notices = Notices(tui, self.document, theme)
        self.view = ScrollView(
            self.document,
            follow="end",
            primary=True,
            scrollbar_track_style=lambda cell: theme.fg("scrollbarTrack", cell),
            scrollbar_thumb_style=lambda cell: theme.fg("scrollbarThumb", cell),
            text_margin=1,
        )
        self.beside = Container()
        self.pending = QueuePanel(theme)
        self.waiting_area = Container()
        self.waiting_area.add_child(self.beside)
        self.waiting_area.add_child(self.pending)
        self.status = StatusRow(tui, theme, is_still=tui.is_plain)
        self.editor = EditorSlot(tui, theme)
        self.editor.on_change = self._editor_changed
        self.widgets = Widgets(tui, theme)
        self.footer = FooterStack(tui, theme)
        self.titles = Contributions[str](self._show_title)
        self._title: str | None = None
        self.suggestions = Contributions[str](self._suggest)
        self.completions = Completions()
        self.composer.on_suggestion_taken = self.suggestions.drop_top
        self._dialogs: list[Renderable] = []
        self.doing = Doing(tui)
        self._plan = RowPlan(2, True, True, 5)

    @property
    def children(self) -> list[Renderable]:
        """The parts from top to bottom, dialogs that wait below another one included."""
        return [
            self.view,
            self.waiting_area,
            self.status,
            self.widgets.above,
            *(self._dialogs or [self.editor.component]),
            self.widgets.below,
            self.footer,
        ]

    @property
    def has_dialog(self) -> bool:
        """Whether a dialog has the editor's place."""
        return bool(self._dialogs)

    @property
    def input_area(self) -> Renderable:
        """What has the editor's place: the newest dialog, else the editor."""
        return self._dialogs[-1] if self._dialogs else self.editor.component

    @property
    def composer(self) -> CustomEditor:
        """The editor that has the draft, whether it can be seen or not."""
        return self.editor.current

    @property
    def editor_has_keys(self) -> bool:
        """Whether keys go to the editor."""
        return self.tui.focused_component is self.editor.component

    def keep(self, event: KeyEvent | PasteEvent) -> None:
        """Take what is typed for the editor while a dialog stands in its place."""
        self.composer.keep(event)

    def _editor_changed(self) -> None:
        if not self._dialogs:
            self.tui.set_focus(self.editor.component)

    def set_title(self, title: str) -> None:
        """Name the terminal's window, where no extension has named it."""
        self._title = title
        self._show_title()

    def _show_title(self) -> None:
        self.tui.set_title(self.titles.top() or self._title)

    def _suggest(self) -> None:
        self.composer.suggestion = self.suggestions.top() or ""
        self.tui.request_render()

    def show_from_start(self, text: Renderable) -> None:
        """Add something that was asked for to the document: what is too long for the view begins at its top."""
        self.notices.keep_last()
        self.document.append(text)
        self.view.scroll_to_entry(self.document.entry_count() - 1)
        self.tui.request_render()

    def start_over(self, header: Renderable) -> None:
        """Make room for another session: of what is shown `header` stays."""
        self.document.clear()
        self.document.append(header)
        self.notices.keep_last()
        self.pending.refresh()
        self.beside.clear()
        self.status.clear()
        self.doing.reset()

    def show_changed_everywhere(self) -> None:
        """Draw entries anew, those that are out of sight in the terminal's scrollback, too."""
        self.tui.request_render(force=self.tui.mode == "regular")

    def show_dialog(self, dialog: Renderable) -> None:
        """Put a dialog in the editor's place and give it the keys."""
        self._dialogs.append(dialog)
        self.doing.see(dialog)
        self.tui.set_focus(dialog)

    def close_dialog(self, dialog: Renderable) -> None:
        """Take a dialog away; the one under it, or the editor, has the keys again."""
        if dialog in self._dialogs:
            self._dialogs.remove(dialog)
            self.doing.see(self.input_area)
            self.tui.set_focus(self.input_area)

    def render(self, width: int) -> list[str]:
        """Return the whole document."""
        return self.document.render(width)

    def invalidate(self) -> None:
        """Drop all caches."""
        invalidate_all([self.document, *self.children[1:], self.editor])

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Share the rows."""
        waiting = self._waiting_rows(width, height)
        footer_rows = self.footer.most_rows(width, context)
        plan = plan_rows(height, waiting, footer_rows)
        if self._dialogs and height <= _FEW_ROWS:
            plan = replace(plan, footer_lines=0)
        document_rows = 0 if self._dialogs and height < _FEW_ROWS else 1
        if self.composer.embed_working_status:
            plan = replace(plan, status_row=False)
        self.footer.built_in.lines = plan.footer_lines
        self.composer.show_borders = plan.borders
        self.composer.max_rows = plan.editor_rows + (_BORDER_ROWS if plan.borders else 0)
        self.composer.border_status = "" if plan.status_row else self.status.text()
        used = document_rows + waiting + plan.footer_lines + plan.status_row
        self.composer.max_height = max(1, height - used)
        if self._dialogs and hasattr(self._dialogs[-1], "max_rows"):
            self._dialogs[-1].max_rows = max(1, height - used)
        room = height - used - natural_height(self.input_area, width, context)
        above, below = self._widget_rows(min(room, height // 2), width, context)
        stack = VStack(
            [
                StackEntry(self.view, basis=0, grow=1, min_size=document_rows),
                StackEntry(self.waiting_area, shrink=1, max_size=waiting),
            ]
        )
        if plan.status_row:
            stack.add_child(self.status, shrink=0)
        stack.add_child(self.widgets.above, shrink=0, max_size=above)
        stack.add_child(self.input_area, shrink=1, min_size=1)
        stack.add_child(self.widgets.below, shrink=0, max_size=below)
        stack.add_child(self.footer, shrink=0, max_size=plan.footer_lines)
        return stack.layout_box(context, y, width, height, top, bottom)

    def _waiting_rows(self, width: int, height: int) -> int:
        """Return the rows of what waits: at the least what is needed to work with the queue while it has the keys."""
        room = max(_ROWS_OF_QUEUE if self.pending.focused else 0, height - _ROWS_WITHOUT_WAITING)
        beside = len(self.beside.render(width))
        self.pending.max_rows = max(min(room, _ROWS_OF_QUEUE), room - beside)
        return min(len(self.waiting_area.render(width)), room)

    def _widget_rows(self, room: int, width: int, context: LayoutContext) -> tuple[int, int]:
        """Return the rows that the widgets above and below get of `room`."""
        above = max(0, min(room, natural_height(self.widgets.above, width, context)))
        below = max(0, min(room - above, natural_height(self.widgets.below, width, context)))
        return above, below
