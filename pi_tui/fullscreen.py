"""`TuiAltScreen`: the alternate screen, a layout that fills it, and keys that scroll the primary view."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from pi_tui.app import TUI
from pi_tui.component import Style, says
from pi_tui.copying import CopySelection, SelectionCopy
from pi_tui.events import InputEvent, KeyEvent, MouseEvent
from pi_tui.flash import FlashMessages
from pi_tui.frame import Frame, resolve_cursor, strip_prompt_marks, take_images
from pi_tui.hit_test import find_box
from pi_tui.image_support import set_drawn_protocols
from pi_tui.input_listeners import ListenerResult
from pi_tui.keybindings import get_keybindings
from pi_tui.keys import format_key, matches_key
from pi_tui.known_terminals import ImageProtocol
from pi_tui.layout import Box, Layer, Viewport, layout_box
from pi_tui.mouse import (
    WheelLines,
    mouse_off,
    mouse_on,
    right_click_pastes,
    wheel_lines_here,
)
from pi_tui.mouse_router import MouseRouter
from pi_tui.paint import Mark, is_image_line
from pi_tui.scroll_label import ScrollToEndLabel
from pi_tui.scrollbar_fade import ScrollbarFade
from pi_tui.search_panel import ButtonStyle
from pi_tui.searching import Searching, SearchStyles
from pi_tui.selecting import Selecting
from pi_tui.terminal_protocol import Terminal
from pi_tui.viewport_keys import take_viewport_key
from pi_tui.width import get_osc8_link_at_column, normalize_terminal_output

if TYPE_CHECKING:  # loaded with the first picture
    from pi_tui.screen_images import ScreenImages

_ENTER = "\x1b[?1049h\x1b[?7l\x1b[2J\x1b[H\x1b[?25l\x1b[?2004h\x1b[?1004h"
# A frame that was cut short may have left a scrolling region behind.
_LEAVE = mouse_off() + "\x1b[?2026l\x1b[0m\x1b[r\x1b[?1004l\x1b[?2004l"
_LEAVE_SCREEN = "\x1b[?7h\x1b[?1049l\x1b[?25h"
_EXIT_ROWS = 500


def _underlined(text: str) -> str:
    return f"\x1b[4m{text}\x1b[24m"


def _bold_and_reversed(text: str) -> str:
    return f"\x1b[1;7m{text}\x1b[22;27m"


class TuiAltScreen(TUI):
    """A full-screen program. Without a layout root the children form one document that follows its end.

    With `mouse` the terminal reports the mouse: text is then selected here, and copied as soon as it is
    (`copy_on_select`) by `copy_selection`, or else by the terminal. Links open with `open_url`.
    Where a click of the right button pastes (Windows), one that no component takes calls `on_right_click_paste`.
    `scroll_to_end_indicator` names the way back over the last row of a view that was scrolled away. A key
    (`tui.altScreen.search`) searches in the primary view; the styles are those of matches and of the buttons.
    """

    mode = "fullscreen"
    # Pictures of other protocols can neither be cut nor be taken away again.
    drawn_images: frozenset[ImageProtocol] = frozenset(("kitty",))

    def __init__(
        self,
        terminal: Terminal | None = None,
        *,
        show_hardware_cursor: bool | None = None,
        strict: bool = False,
        clear_on_shrink: bool | None = None,
        log_directory: Path | None = None,
        environ: Mapping[str, str] | None = None,
        mouse: bool = True,
        wheel_scroll_lines: WheelLines = 1,
        copy_on_select: bool = True,
        copy_selection: CopySelection | None = None,
        open_url: Callable[[str], object] | None = None,
        on_right_click_paste: Callable[[], object] | None = None,
        scroll_to_end_indicator: Callable[[], str] = lambda: "",
        search_match_style: Style = _underlined,
        search_current_match_style: Style = _bold_and_reversed,
        search_navigation_button_style: ButtonStyle = lambda text, hovered: text,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(
            terminal,
            show_hardware_cursor=show_hardware_cursor,
            strict=strict,
            clear_on_shrink=clear_on_shrink,
            log_directory=log_directory,
            environ=environ,
        )
        self._layers: list[Layer] = []  # of the last frame, bottom to top
        self._lines: list[bytes] = []
        self._images: ScreenImages | None = None
        self._maker.stand_in = "[Image]"
        self.print_on_exit = True
        self._copy_on_select = copy_on_select
        self.now = now  # seconds, by which clicks are counted
        self._is_mouse_on = mouse
        self._is_first_frame = False
        self._redraw_reason = ""
        self._open_url = open_url
        self._on_right_click_paste = on_right_click_paste
        self._flash = FlashMessages(self.call_later, self.request_view)
        self._label = ScrollToEndLabel(scroll_to_end_indicator, self.scroll_to_bottom)
        self._bars = ScrollbarFade(self.call_later, self.request_view)
        self._copy = SelectionCopy(self.terminal.write, self.flash, self._environ, copy_selection)
        self._selecting = Selecting(self, self._on_selected)
        self._router = MouseRouter(self, self._selecting)
        self._searching = Searching(
            self,
            SearchStyles(
                search_match_style, search_current_match_style, search_navigation_button_style
            ),
        )
        self.set_wheel_scroll_lines(wheel_scroll_lines)
        self.add_input_listener(self._selection_keys)
        self.add_input_listener(self._viewport_keys)

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

    @property
    def layers(self) -> Sequence[Layer]:
        """The layers of the last frame, the last one on top."""
        return self._layers

    @property
    def is_mouse_on(self) -> bool:
        """Whether the terminal reports the mouse."""
        return self._is_mouse_on

    def set_mouse(self, is_on: bool) -> None:
        """Take the mouse from the terminal, or give it back: then the terminal selects and scrolls as it does."""
        if is_on == self._is_mouse_on:
            return
        self._is_mouse_on = is_on
        self.lose_mouse()
        self.reset_text_selection()
        if self.is_started:
            self.terminal.write(mouse_on(self._environ) if is_on else mouse_off())

    def set_wheel_scroll_lines(self, lines: WheelLines) -> None:
        """Set how far a notch of the wheel scrolls; `"auto"` goes further the faster it turns."""
        self._input.mouse.wheel_lines = wheel_lines_here(lines, self._environ, sys.platform)

    def get_copy_on_select(self) -> bool:
        """Return whether what is selected is copied at once."""
        return self._copy_on_select

    def set_copy_on_select(self, copies: bool) -> None:
        """Copy what is selected at once, or only when it is asked for."""
        self._copy_on_select = copies

    def has_active_selection(self) -> bool:
        """Tell whether text is selected."""
        return self._selecting.is_active

    def reset_text_selection(self) -> None:
        """Select nothing."""
        self._selecting.clear()

    async def copy_active_selection_to_clipboard(self) -> bool:
        """Copy what is selected; `False` if that is nothing or it failed."""
        text = self._selecting.text
        return bool(text) and await self._copy.run(text)

    async def copy_text(self, text: str) -> bool:
        """Put a text into the clipboard and say so; whether that went well."""
        return await self._copy.run(text)

    def flash(self, message: str, duration: float = 1.0) -> None:
        """Show a short message at the top right for so many seconds."""
        self._flash.show(message, duration)

    def show_pending_keys(self, keys: tuple[str, ...]) -> None:
        """Show keys that wait for the rest of a sequence at the top right, unless the program does by itself."""
        if self.on_pending_keys is None:
            self._flash.stand(" ".join([*map(format_key, keys), "…"]) if keys else "")
        super().show_pending_keys(keys)

    def get_screen_lines(self) -> list[str]:
        """Return the last frame, one string a row."""
        return [line.decode("utf-8") for line in self._lines]

    def _layout(self, content_changed: bool) -> Frame:
        self._focus.leave_invisible()
        columns, rows = self.columns, self.rows
        root = self._tree.component(self.children)
        viewport = Viewport(columns, rows)
        context = self._contexts.next(viewport, content_changed)
        box = layout_box(root, context, 0, columns, rows, 0, rows)
        self._searching.settle(Layer(box), content_changed)
        self._layers = [
            Layer(box),
            *self._label_over(box),
            *self._overlays.lay_out(context, self._uncovered(box)),
            *self._flash.layers(columns, rows),
        ]
        self._bars.frame_laid_out(self._layers)
        frame = self._maker.make(self._layers, columns, rows, self._marks())
        self._lines = frame.rows
        self._selecting.frame_drawn()
        return frame

    def _draw_images(self, frame: Frame) -> None:
        if self._images is None:
            from pi_tui.screen_images import ScreenImages

            self._images = ScreenImages()
        known = self._images.ids
        frame.before, frame.after = self._images.draw(frame.images, frame.rows)
        if self._images.ids != known:
            self.terminal.set_last_words(self._last_words())

    def _marks(self) -> Iterator[Mark]:
        """Yield the cells to paint: a selection over matches."""
        yield from self._searching.marks()
        yield from self._selecting.marks()

    def _uncovered(self, root: Box) -> Box | None:
        """Return the box of a dialog that has the keys in place of an overlay."""
        holder = self._focus.holder
        return None if holder is None else find_box([root], holder)

    def _label_over(self, root: Box) -> list[Layer]:
        view = self.primary_view
        box = find_box([root], view) if view is not None else None
        if view is None or box is None:
            return []
        layer = self._label.layer_over(view, box)
        return [layer] if layer is not None else []

    # The mouse

    def take_mouse(self, event: MouseEvent) -> None:
        """Give an event to the component under the pointer, or select."""
        if self._is_mouse_on:
            self._router.take(event)

    def lose_mouse(self) -> None:
        """End what the mouse was doing."""
        self._router.forget()

    def open_link_at(self, x: int, y: int) -> bool:
        """Open the link in a cell of the screen; `False` if there is none."""
        link = get_osc8_link_at_column(self.get_screen_lines()[y], x)
        if link is None or self._open_url is None:
            return False
        self._open_url(link)
        return True

    def right_clicked(self) -> None:
        """Paste, where a click of the right button does."""
        if self._on_right_click_paste is not None and right_click_pastes(
            self._environ, sys.platform
        ):
            self._on_right_click_paste()

    def _on_selected(self, text: str) -> None:
        if self._copy_on_select:
            self._copy.start(text)

    def _selection_keys(self, event: InputEvent) -> ListenerResult:
        """Let Escape undo a selection before it means anything else."""
        if not self._selecting.is_active or not matches_key(event, "escape"):
            return None
        self._selecting.clear()
        return {"consume": True}

    # Keys and the terminal

    def _viewport_keys(self, event: InputEvent) -> ListenerResult:
        if not isinstance(event, KeyEvent) or not get_keybindings().is_bound(event):
            return None
        if self._searching.take_key(event):
            return {"consume": True}
        if self._focus.is_in_overlay and not self._searching.has_keys:
            return None
        if says(self.focused_component, "captures_viewport_input"):
            return None
        view = self.primary_view
        if view is None:
            return None
        if not view.viewport_height:
            self.render_now()  # a page is as long as what it shows
        if not take_viewport_key(event, view, get_keybindings()):
            return None
        self.request_view()
        return {"consume": True}

    def _forget_frame(self, reason: str) -> None:
        super()._forget_frame(reason)
        self._redraw_reason = self._redraw_reason or reason
        if self._images is not None:
            self._images.rows_are_lost()

    def _show(self, frame: Frame) -> None:
        if frame.images or self._images is not None:
            self._draw_images(frame)
        super()._show(frame)
        if self._redraw_reason and not self._is_first_frame:
            self.full_redraws += 1
            self._frame_log.redraw(self._redraw_reason, frame.columns, len(frame.rows))
        self._redraw_reason, self._is_first_frame = "", False

    def _take_over(self) -> None:
        self._is_first_frame = True
        super()._take_over()

    def _enter_sequence(self) -> str:
        mouse = mouse_on(self._environ) if self._is_mouse_on else ""
        return _ENTER + mouse

    def _leave_sequence(self) -> str:
        # Keyboard flags are kept per screen: they go before the screen does.
        images = self._images.delete_all() if self._images is not None else ""
        return _LEAVE + images + self._taken_back() + self._input.keyboard.undo() + _LEAVE_SCREEN

    def _quiet_sequence(self) -> str:
        return mouse_off() + super()._quiet_sequence()

    def _release(self, preserve_screen: bool) -> bool:
        try:
            self.lose_mouse()
            self._searching.pause()
            self._flash.clear()
            self._bars.clear()
        finally:
            was_ours = super()._release(preserve_screen)
            self._images = None
        return was_ours

    def _farewell(self) -> str:
        """Put the end of the document into the terminal's own scrollback."""
        view = self.primary_view
        if view is None or not self.print_on_exit:
            return ""
        set_drawn_protocols(frozenset())  # pictures are gone from here on: words tell of them
        rows, before = view.tail(self.columns, _EXIT_ROWS)
        lines = [_printed(row) for row in rows]
        if before > 0:
            lines.insert(0, f"... ({before} earlier rows)")
        return "".join(f"{line}\r\n" for line in lines)


def is_viewport_tui(tui: TUI) -> TypeGuard[TuiAltScreen]:
    """Tell whether a screen scrolls by itself and has the mouse; in regular mode the terminal does."""
    return isinstance(tui, TuiAltScreen)


def _printed(row: str) -> str:
    """Return a row for the normal screen, where blanks that only fill it are in the way."""
    if is_image_line(row):
        row, _ = take_images(row, 0)
    row = normalize_terminal_output(resolve_cursor(strip_prompt_marks(row), True))
    return row + "\x1b[0m" if "\x1b" in row else row.rstrip()
