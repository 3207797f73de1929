"""`Gallery`: the pages, one of them on the stage, and the keys that lead through them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from pi_tui import (
    TUI,
    TUI_KEYBINDINGS,
    InputEvent,
    KeybindingsManager,
    KeyEvent,
    Renderable,
    SelectItem,
    StackEntry,
    Viewport,
    get_keybindings,
    is_viewport_tui,
    key_display_text,
    set_keybindings,
)
from pi_tui.components import HStack, ScrollView, Spacer, Text, VStack
from pi_tui.gallery.actions import HINTS, KEYBINDINGS
from pi_tui.gallery.bar import Bar
from pi_tui.gallery.hints import Hint, Hints
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.page_list import PageList
from pi_tui.gallery.source_view import SourceView
from pi_tui.gallery.theme_shelf import ThemeShelf
from pi_tui.gallery.width_slider import WidthSlider

_SIDE_COLUMNS = 22
_MIN_COLUMNS_FOR_SIDE = 60
_MIN_ROWS_FOR_ABOUT = 14


def _has_side(viewport: Viewport) -> bool:
    return viewport.width >= _MIN_COLUMNS_FOR_SIDE


def _has_about(viewport: Viewport) -> bool:
    # In a document, which is as long as it likes, the height is 0.
    return viewport.height == 0 or viewport.height >= _MIN_ROWS_FOR_ABOUT


class Gallery:
    """The program on a screen of either mode."""

    def __init__(self, tui: TUI, themes: ThemeShelf, pages: Sequence[Page]) -> None:
        set_keybindings(KeybindingsManager({**TUI_KEYBINDINGS, **KEYBINDINGS}))
        self.pages = pages
        self.number = 0
        self._tui = tui
        self._themes = themes
        self._said = ""
        self._shows_source = False
        self._piece = Piece(Spacer())
        self._place = StackEntry(self._piece.component)
        self._about = Text("", 0, 0, style=partial(themes.handle.fg, "muted"))
        self._slider = WidthSlider(tui, themes.handle, self._place)
        self._list = PageList(tui, [page.title for page in pages], themes.handle)
        self._list.on_selection_change = self._on_selected
        self._list.on_select = lambda item: self._focus_next(1)
        self._actions: Mapping[str, Callable[[], object]] = {
            "gallery.next": partial(self.turn, 1),
            "gallery.previous": partial(self.turn, -1),
            "gallery.wider": partial(self._slider.move, 1),
            "gallery.narrower": partial(self._slider.move, -1),
            "gallery.widest": partial(self._slider.set_width, None),
            "gallery.narrowest": partial(self._slider.set_width, 1),
            "gallery.theme": partial(self._switch, themes.next_theme),
            "gallery.colors": partial(self._switch, themes.next_mode),
            "gallery.source": self.toggle_source,
            "gallery.quit": self.close,
        }
        tui.set_layout_root(self._tree())
        tui.add_input_listener(self._take_global_key)
        # Keys that the focused component has no use for come here.
        tui.on_unhandled_key = self._take_key_left_over
        tui.on_component_error = self._tell_error
        self.show(0)

    @property
    def page(self) -> Page:
        """The page that is shown."""
        return self.pages[self.number]

    def show(self, number: int) -> None:
        """Show a page, and give the keys to what is on it."""
        self._piece.close()
        self.number = number
        self._about.set_text(self.page.about)
        self._list.set_selected_index(number)
        self._put(self.page.build(Stage(self._tui, self._themes.handle, self.say)))

    def toggle_source(self) -> None:
        """Show the page's file in its place, or the page again."""
        if self._shows_source:
            self.show(self.number)
            return
        self._piece.close()
        file = Path(inspect.getfile(self.page.build))
        self._put(Piece(SourceView(file, self._themes.handle)))
        self._shows_source = True

    def turn(self, pages: int) -> None:
        """Go on by so many pages, from the last one to the first."""
        self.show((self.number + pages) % len(self.pages))

    def close(self) -> None:
        """Leave."""
        self._piece.close()
        self._tui.stop()

    def theme_changed(self) -> None:
        """Draw everything in the colours that the theme has now."""
        self._tui.invalidate()
        self._tui.request_render()

    def say(self, text: str) -> None:
        """Show a text below the page."""
        self._said = text
        self._tui.request_render()

    def _put(self, piece: Piece) -> None:
        """Put a piece on the stage."""
        self._piece = piece
        self._said, self._shows_source = "", False
        component = piece.component
        self._place.component = (
            component if piece.fills else ScrollView(component, scrollbar="auto")
        )
        # With nobody focused keys are dropped: `on_unhandled_key` is for those that somebody had no use for.
        self._tui.set_focus(piece.focus[0] if piece.focus else component)

    def _tree(self) -> VStack:
        theme = self._themes.handle
        title = partial(theme.style, bold=True, bg="selectedBg")
        main = VStack(
            [
                StackEntry(self._about, shrink=0, visible=_has_about),
                StackEntry(self._slider, shrink=0),
                StackEntry(HStack([self._place]), grow=1, min_size=1),
                StackEntry(Bar(lambda: self._said, style=partial(theme.fg, "success")), shrink=0),
            ]
        )
        body = HStack(
            [
                StackEntry(self._list, basis=_SIDE_COLUMNS, shrink=0, visible=_has_side),
                StackEntry(main, basis=0, grow=1),
            ],
            gap=1,
        )
        top = StackEntry(Bar(self._title, lambda: f"{self._themes.label} ", title), shrink=0)
        middle = StackEntry(body, grow=1, min_size=1)
        bottom = StackEntry(Hints(self._hints(), theme), shrink=0)
        # Below the shell's prompt the first rows scroll away, the last ones stay.
        is_full = is_viewport_tui(self._tui)
        return VStack([top, middle, bottom] if is_full else [middle, top, bottom])

    def _title(self) -> str:
        return f" {self.page.title} {self.number + 1}/{len(self.pages)}"

    def _hints(self) -> list[Hint]:
        return [
            Hint(lambda: "‹", self._actions["gallery.previous"]),
            Hint(lambda: "›", self._actions["gallery.next"]),
            *(
                Hint(partial(_hint, action, word), self._actions[action])
                for action, word in HINTS.items()
            ),
            Hint(lambda: "Tab focus", partial(self._focus_next, 1)),
        ]

    def _tell_error(self, component: Renderable, error: Exception) -> None:
        self.say(f"{type(component).__name__}: {error}")

    def _switch(self, to_next: Callable[[], None]) -> None:
        to_next()
        self.theme_changed()

    def _on_selected(self, item: SelectItem) -> None:
        self.show(int(item.value))
        self._tui.set_focus(self._list)

    def _take_global_key(self, event: InputEvent) -> Mapping[str, bool] | None:
        keybindings = get_keybindings()
        if not isinstance(event, KeyEvent) or not keybindings.is_bound(event):
            return None
        for action, act in self._actions.items():
            if keybindings.matches(event, action):
                if event.kind != "release":
                    act()
                return {"consume": True}
        return None

    def _take_key_left_over(self, event: KeyEvent) -> None:
        if event.id in ("tab", "shift+tab"):
            self._focus_next(1 if event.id == "tab" else -1)

    def _focus_next(self, step: int) -> None:
        """Give the keys to the next part of the page; the list of pages comes after the last one."""
        has_side = self._tui.columns >= _MIN_COLUMNS_FOR_SIDE
        order = [*self._piece.focus, *([self._list] if has_side else [])]
        if not order:
            return
        focused = self._tui.focused_component
        here = next((i for i, part in enumerate(order) if part is focused), -1 if step > 0 else 0)
        self._tui.set_focus(order[(here + step) % len(order)])


def _hint(action: str, word: str) -> str:
    return f"{key_display_text(action)} {word}"
