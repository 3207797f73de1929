"""`TuiAltScreen`: the alternate screen, a layout that fills it, and keys that scroll the primary view."""

from __future__ import annotations

from pi_tui.app import TUI
from pi_tui.component import Renderable
from pi_tui.component_tree import walk
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.transcript import Transcript
from pi_tui.events import InputEvent, KeyEvent
from pi_tui.frame import Frame, resolve_cursor, strip_prompt_marks
from pi_tui.hit_test import find_box
from pi_tui.input_path import ListenerResult
from pi_tui.keybindings import get_keybindings
from pi_tui.layout import Box, Layer, LayoutContext, Viewport, layout_box
from pi_tui.width import normalize_terminal_output

_ENTER = "\x1b[?1049h\x1b[?7l\x1b[2J\x1b[H\x1b[?25l\x1b[?2004h\x1b[?1004h"
# A frame that was cut short may have left a scrolling region behind.
_LEAVE = "\x1b[?2026l\x1b[0m\x1b[r\x1b[?1004l\x1b[?2004l"
_LEAVE_SCREEN = "\x1b[?7h\x1b[?1049l\x1b[?25h"
_EXIT_ROWS = 500
_PAGE_OVERLAP = 4


class TuiAltScreen(TUI):
    """A full-screen program. Without a layout root the children form one document that follows its end."""

    mode = "fullscreen"

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # same arguments as TUI
        self._document = Transcript()
        self._implicit_root = ScrollView(self._document, follow="end", primary=True)
        self._root: Renderable | None = None
        self._context: LayoutContext | None = None
        self._layers: list[Layer] = []  # of the last frame, bottom to top
        self._lines: list[bytes] = []
        self.print_on_exit = True
        self.add_input_listener(self._viewport_keys)

    def set_layout_root(self, component: Renderable | None) -> None:
        """Let a component divide the whole screen; `None` goes back to the children as one document."""
        self._root = component
        self.request_render()

    def invalidate(self) -> None:
        """Drop every cache, and what components returned last."""
        super().invalidate()
        self._context = None

    @property
    def primary_view(self) -> ScrollView | None:
        """The scroll view that keys and a wheel over nothing move: the last marked primary, else the first."""
        if self._root is None:
            return self._implicit_root
        views = [part for part in walk(self._root) if isinstance(part, ScrollView)]
        marked = [view for view in views if view.primary]
        if marked:
            return marked[-1]
        return views[0] if views else None

    @property
    def viewport_top(self) -> int:
        """The document row at the top of the primary view, by measure or estimate."""
        view = self.primary_view
        return view.scroll_top if view is not None else 0

    @property
    def is_following_output(self) -> bool:
        """Whether the primary view stays at the end."""
        view = self.primary_view
        return view is not None and view.is_following_end

    def scroll_by(self, rows: int) -> None:
        """Scroll the primary view."""
        view = self.primary_view
        if view is not None:
            view.scroll_by(rows)
            self.request_view()

    def scroll_to_top(self) -> None:
        """Show the start of the primary view."""
        view = self.primary_view
        if view is not None:
            view.scroll_to_start()
            self.request_view()

    def scroll_to_bottom(self) -> None:
        """Show the end of the primary view and follow it."""
        view = self.primary_view
        if view is not None:
            view.scroll_to_end()
            self.request_view()

    def get_screen_lines(self) -> list[str]:
        """Return the last frame, one string a row."""
        return [line.decode("utf-8") for line in self._lines]

    def _roots(self) -> list[Renderable]:
        return self.children if self._root is None else [self._root]

    def _layout(self, content_changed: bool) -> Frame:
        self._focus.leave_invisible()
        columns, rows = self.columns, self.rows
        root = self._root
        if root is None:
            self._sync_document()
            root = self._implicit_root
        viewport = Viewport(columns, rows)
        reuse = self._context if not content_changed else None
        if reuse is not None and reuse.viewport != viewport:
            reuse = None
        context = LayoutContext(viewport, reuse)
        box = layout_box(root, context, 0, columns, rows, 0, rows)
        self._layers = [Layer(box), *self._overlays.lay_out(context, self._uncovered(box))]
        self._context = context.without_history()
        frame = self._maker.make(self._layers, columns, rows)
        self._lines = frame.rows
        return frame

    def _uncovered(self, root: Box) -> Box | None:
        """Return the box of a dialog that has the keys in place of an overlay."""
        holder = self._focus.holder
        return None if holder is None else find_box([root], holder)

    def _sync_document(self) -> None:
        if self._document.entries != self.children:
            self._document.clear()
            for child in self.children:
                self._document.append(child)

    def _viewport_keys(self, event: InputEvent) -> ListenerResult:
        if not isinstance(event, KeyEvent):
            return None
        if self._focus.is_in_overlay:
            return None
        if getattr(self.focused_component, "captures_viewport_input", False):
            return None
        keys = get_keybindings()
        view = self.primary_view
        if view is None:
            return None
        page = max(1, view.viewport_height - _PAGE_OVERLAP)
        half = max(1, view.viewport_height // 2)
        moves = {
            "tui.altScreen.pageUp": -page,
            "tui.altScreen.pageDown": page,
            "tui.altScreen.halfPageUp": -half,
            "tui.altScreen.halfPageDown": half,
            "tui.altScreen.lineUp": -1,
            "tui.altScreen.lineDown": 1,
        }
        action = next((action for action in moves if keys.matches(event, action)), None)
        ends = {
            "tui.altScreen.top": self.scroll_to_top,
            "tui.altScreen.bottom": self.scroll_to_bottom,
        }
        end = next((ends[action] for action in ends if keys.matches(event, action)), None)
        if action is None and end is None:
            return None
        if event.kind != "release":
            if action is not None:
                self.scroll_by(moves[action])
            elif end is not None:
                end()
        return {"consume": True}

    def _enter_sequence(self) -> str:
        return _ENTER

    def _leave_sequence(self) -> str:
        # Keyboard flags are kept per screen: they go before the screen does.
        return _LEAVE + self._input.keyboard.undo() + _LEAVE_SCREEN

    def _farewell(self) -> str:
        """Put the end of the document into the terminal's own scrollback."""
        view = self.primary_view
        if view is None or not self.print_on_exit:
            return ""
        rows, before = view.tail(self.columns, _EXIT_ROWS)
        lines = [_printed(row) for row in rows]
        if before > 0:
            lines.insert(0, f"... ({before} earlier rows)")
        return "".join(f"{line}\r\n" for line in lines)


def _printed(row: str) -> str:
    """Return a row for the normal screen, where blanks that only fill it are in the way."""
    row = normalize_terminal_output(resolve_cursor(strip_prompt_marks(row), True))
    return row + "\x1b[0m" if "\x1b" in row else row.rstrip()
