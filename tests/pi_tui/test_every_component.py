"""What holds of each component that is public, on both screens, at every width."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import pytest

import pi_tui.components
from pi_tui import (
    TUI,
    Renderable,
    SelectItem,
    Theme,
    get_diff_theme,
    get_editor_theme,
    get_key_hints_theme,
    get_markdown_theme,
    get_progress_theme,
    get_select_list_theme,
    get_settings_list_theme,
    get_tabs_theme,
    is_focusable,
)
from pi_tui.component import tell
from pi_tui.components import (
    Box,
    CancellableLoader,
    CommandPalette,
    DiffView,
    Editor,
    HStack,
    Image,
    ImageOptions,
    ImageTheme,
    Input,
    KeyHint,
    KeyHints,
    Loader,
    Markdown,
    MouseRegion,
    PaletteCommand,
    Progress,
    ScrollView,
    SelectList,
    SettingItem,
    SettingsList,
    Spacer,
    Split,
    Tab,
    Table,
    Tabs,
    Text,
    Transcript,
    Tree,
    TreeNode,
    TruncatedText,
    VStack,
)
from pi_tui.frame import Frame
from pi_tui.gallery.theme_shelf import ThemeShelf
from pi_tui.testing import GridTerminal, HeadlessTerminal, Pilot
from tests.pi_tui.places import MODES, Prompt

pytestmark = pytest.mark.anyio

WIDTHS = (1, 2, 3, 20, 80, 200)
# Wide characters, and such as join the one before, at every offset from the right edge.
TEXTS = ("x" * 19 + "日本語", "日" * 101, "e\u0301" * 200, "a👨‍👩‍👧‍👦🇩🇪กำ " * 9, "word " * 9, "x")

Make = Callable[[TUI, Theme, str], Renderable]


def _boxed(theme: Theme, text: str) -> Box:
    box = Box(1, 1, partial(theme.bg, "userMessageBg"))
    box.add_child(Text(text, 0, 0))
    return box


def _document(text: str) -> Transcript:
    document = Transcript()
    for _ in range(3):
        document.append(Text(text, 0, 0))
    return document


def _editor(tui: TUI, theme: Theme, text: str) -> Editor:
    editor = Editor(tui, get_editor_theme(theme))
    editor.set_text(text)
    return editor


def _input(text: str) -> Input:
    field = Input("> ")
    field.set_value(text)
    return field


def _loader(tui: TUI, theme: Theme, text: str, kind: type[Loader] = Loader) -> Loader:
    loader = kind(tui, partial(theme.fg, "accent"), partial(theme.fg, "muted"), text)
    loader.stop()
    return loader


def _progress(theme: Theme, text: str) -> Progress:
    return Progress(get_progress_theme(theme), 8, text, clock=lambda: 0.0)


SAMPLES: Mapping[str, Make] = {
    "Box": lambda tui, theme, text: _boxed(theme, text),
    "CancellableLoader": partial(_loader, kind=CancellableLoader),
    "CommandPalette": lambda tui, theme, text: CommandPalette(
        [PaletteCommand("app.x", text, text), PaletteCommand("y", "b")],
        5,
        get_select_list_theme(theme),
    ),
    "DiffView": lambda tui, theme, text: DiffView(
        f"{text}\nsame", f"{text}!\nsame", get_diff_theme(theme)
    ),
    "Editor": _editor,
    "HStack": lambda tui, theme, text: HStack([Text("l", 0, 0), Text(text, 0, 0)], gap=1),
    "Image": lambda tui, theme, text: Image(
        b"", "image/png", ImageTheme(partial(theme.fg, "muted")), ImageOptions(filename=text)
    ),
    "Input": lambda tui, theme, text: _input(text),
    "KeyHints": lambda tui, theme, text: KeyHints(
        [KeyHint("tui.select.confirm", text), KeyHint((), "b", lambda: None)],
        get_key_hints_theme(theme),
    ),
    "Loader": _loader,
    "Markdown": lambda tui, theme, text: Markdown(
        f"# {text}\n- {text}\n\n| {text} | b |\n|--|--|\n| c | d |", 1, 1, get_markdown_theme(theme)
    ),
    "MouseRegion": lambda tui, theme, text: MouseRegion(Text(text, 0, 0), lambda event: None),
    "Progress": lambda tui, theme, text: _progress(theme, text),
    "ScrollView": lambda tui, theme, text: ScrollView(_document(text), scrollbar="always"),
    "SelectList": lambda tui, theme, text: SelectList(
        [SelectItem("a", text, text), SelectItem("b", "b")], 5, get_select_list_theme(theme)
    ),
    "SettingsList": lambda tui, theme, text: SettingsList(
        [SettingItem("a", text, text, text, [text, "other"])],
        5,
        get_settings_list_theme(theme),
        enable_search=True,
    ),
    "Spacer": lambda tui, theme, text: Spacer(2),
    "Split": lambda tui, theme, text: Split(Text(text, 0, 0), _input(text)),
    "Table": lambda tui, theme, text: Table(
        ["name", text], [[text, "1"], ["b", text]], 5, get_select_list_theme(theme)
    ),
    "Tabs": lambda tui, theme, text: Tabs(
        [Tab(text, Text(text, 0, 0)), Tab("b", _input(text))], get_tabs_theme(theme)
    ),
    "Text": lambda tui, theme, text: Text(text, 1, 1),
    "Transcript": lambda tui, theme, text: _document(text),
    "Tree": lambda tui, theme, text: Tree(
        [TreeNode(text, 1, [TreeNode(text, 2)], expanded=True)], 5, get_select_list_theme(theme)
    ),
    "TruncatedText": lambda tui, theme, text: TruncatedText(text),
    "VStack": lambda tui, theme, text: VStack([Text(text, 0, 0), _input(text)], gap=1),
}


class Recorder(HeadlessTerminal):
    """A terminal that remembers all that was written."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.written = ""

    def write(self, data: str) -> None:
        self.written += data
        super().write(data)

    def draw(self, frame: Frame, show_cursor: bool) -> None:
        self.written += b"".join(frame.rows).decode()
        super().draw(frame, show_cursor)


@contextmanager
def shown(mode: str, columns: int = 40, rows: int = 12) -> Iterator[tuple[TUI, Pilot]]:
    """A started screen on which a mistake of a component fails the test."""
    terminal = Recorder(columns, rows)
    tui = MODES[mode](terminal, environ={}, strict=True)
    tui.start()
    try:
        yield tui, Pilot(tui, terminal)
    finally:
        tui.stop()
        assert "\x1b_pi:" not in terminal.written


def spills_over(row: str, width: int) -> bool:
    """Tell whether a row takes more than its cells on a terminal that wraps."""
    grid = GridTerminal(width, 3)
    grid.write(row + "\x1b[0m")
    return grid.cursor[1] > 0 or any(grid.lines()[1:])


def test_there_is_a_sample_of_each() -> None:
    public = (getattr(pi_tui.components, name) for name in pi_tui.components.__all__)
    drawn = {one.__name__ for one in public if inspect.isclass(one) and hasattr(one, "render")}
    assert drawn == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
async def test_no_row_is_wider_than_asked(name: str) -> None:
    theme = ThemeShelf("truecolor").handle
    tui = MODES["fullscreen"](HeadlessTerminal(200, 12), environ={})
    for text in TEXTS:
        component = SAMPLES[name](tui, theme, text)
        for focused in (False, True):
            tell(component, "focused", focused)
            for width in WIDTHS:
                rows = set(component.render(width))
                wide = [row for row in rows if spills_over(row, width)]
                assert wide == [], (text, width)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SAMPLES)
async def test_it_is_drawn_at_every_size_while_more_comes(name: str, mode: str) -> None:
    theme = ThemeShelf("truecolor").handle
    with shown(mode) as (tui, pilot):
        prompt = Input()
        for number, width in enumerate((*WIDTHS, 40)):
            tui.add_child(SAMPLES[name](tui, theme, TEXTS[number % len(TEXTS)]))
            pilot.resize(width, 3 + number)
            tui.add_child(prompt)
            tui.set_focus(prompt)
            pilot.type("k")
            tui.remove_child(prompt)
        tui.render_now(force=True)
        assert tui.is_started


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SAMPLES)
async def test_a_theme_that_changes_is_seen_everywhere_at_once(name: str, mode: str) -> None:
    def screen(switches: int, *, late: bool) -> str:
        shelf = ThemeShelf("truecolor")
        with shown(mode, 60, 16) as (tui, pilot):
            if not late:
                for _ in range(switches):
                    shelf.next_theme()
            tui.add_child(SAMPLES[name](tui, shelf.handle, "text"))
            tui.show_overlay(SAMPLES[name](tui, shelf.handle, "overlay"), width=30, row=4)
            tui.render_now()
            if late:
                for _ in range(switches):
                    shelf.next_theme()
                    tui.invalidate()
                    tui.render_now()
            tui.invalidate()
            tui.render_now(force=True)
            return pilot.snapshot()

    for switches in (1, 2):
        assert screen(switches, late=True) == screen(switches, late=False)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SAMPLES)
async def test_the_keys_come_and_go_with_it(name: str, mode: str) -> None:
    theme = ThemeShelf("truecolor").handle
    with shown(mode) as (tui, pilot):
        prompt = Prompt()
        below = SAMPLES[name](tui, theme, "below")
        over = SAMPLES[name](tui, theme, "over")
        tui.add_child(prompt)
        tui.add_child(below)
        tui.set_focus(prompt)
        handle = tui.show_overlay(over, width=20, row=5)
        assert tui.focused_component is over
        pilot.press("down", "x", "tab")
        handle.set_hidden(True)
        assert tui.focused_component is prompt
        handle.set_hidden(False)
        assert tui.focused_component is over
        handle.hide()
        tui.set_focus(below)
        pilot.press("x")
        tui.remove_child(below)
        tui.set_focus(prompt)
        pilot.type("typed")
        assert "> typed" in pilot.screen()
        for component in (below, over):
            if is_focusable(component):
                assert not component.focused  # type: ignore[attr-defined]  # which it has


@pytest.mark.parametrize("mode", MODES)
async def test_the_terminal_is_given_back_after_an_exception(mode: str) -> None:
    terminal = Recorder(20, 4)
    tui = MODES[mode](terminal, environ={})
    with pytest.raises(ZeroDivisionError):
        tui.start()
        try:
            tui.add_child(Text("text", 0, 0))
            tui.render_now()
            raise ZeroDivisionError
        finally:
            tui.stop()
    tui.stop()
    written = len(terminal.written)
    tui.request_render()
    tui.render_now()
    assert len(terminal.written) == written
    assert terminal.grid.cursor_visible
    assert not terminal.grid.alternate_screen
