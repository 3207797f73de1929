"""Keys one after another: what is held back, what comes of it, and what shows meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.components.editor import Editor
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.events import KeyEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.key_sequences import KeySequences
from pi_tui.keybindings import (
    TUI_KEYBINDINGS,
    KeybindingDefinition,
    KeybindingsManager,
    get_keybindings,
    key_display_text,
    set_keybindings,
)
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_tui.components.editor_session import Session
from tests.pi_tui.overlay_screens import Lines, Page, started

KEYS = {
    "save": ("ctrl+x ctrl+s",),
    "close": ("ctrl+x k",),
    "copy": ("ctrl+x",),
    "top": ("g g",),
    "file": ("alt+g f o",),
    "long": ("g g g e",),
}


def manager() -> KeybindingsManager:
    return KeybindingsManager({n: KeybindingDefinition(keys, n) for n, keys in KEYS.items()})


class Keyboard:
    """Keys that are typed, and what becomes of them."""

    def __init__(self) -> None:
        self.sequences = KeySequences(manager)
        self.delivered: list[str] = []

    def type(self, *keys: str) -> list[str]:
        for key in keys:
            text = key if len(key) == 1 else ""
            self.delivered += [event.id for event in self.sequences.take(KeyEvent(key, text))]
        return self.delivered

    def rest(self) -> list[str]:
        self.delivered += [event.id for event in self.sequences.expire()]
        return self.delivered

    @property
    def pending(self) -> list[str]:
        return [event.id for event in self.sequences.pending]


def test_the_last_key_brings_the_whole_sequence_as_one() -> None:
    keyboard = Keyboard()
    assert keyboard.type("ctrl+x") == []
    assert keyboard.pending == ["ctrl+x"]
    assert keyboard.type("ctrl+s") == ["ctrl+x ctrl+s"]
    assert keyboard.pending == []
    (event,) = [e for key in ("ctrl+x", "k") for e in keyboard.sequences.take(KeyEvent(key))]
    assert [name for name in KEYS if manager().matches(event, name)] == ["close"]


def test_a_key_that_means_something_alone_comes_late_or_before_the_next() -> None:
    keyboard = Keyboard()
    keyboard.type("ctrl+x")
    assert keyboard.sequences.timeout() == 0.6
    assert keyboard.rest() == ["ctrl+x"]
    assert keyboard.type("ctrl+x", "q") == ["ctrl+x", "ctrl+x", "q"]


def test_a_key_that_means_nothing_alone_waits_without_limit() -> None:
    keyboard = Keyboard()
    keyboard.type("alt+g")
    assert keyboard.sequences.timeout() is None
    assert keyboard.type("f", "o") == ["alt+g f o"]


def test_letters_are_typed_when_no_sequence_comes_of_them() -> None:
    keyboard = Keyboard()
    assert keyboard.type("e", "g", "o", "g") == ["e", "g", "o"]
    assert keyboard.rest() == ["e", "g", "o", "g"]


def test_escape_drops_what_is_held_back_and_is_used_up() -> None:
    keyboard = Keyboard()
    assert keyboard.type("ctrl+x", "escape") == []
    assert keyboard.type("escape", "ctrl+s") == ["escape", "ctrl+s"]


def test_of_a_sequence_that_goes_on_the_shorter_one_may_be_meant() -> None:
    keyboard = Keyboard()
    keyboard.type("g", "g")
    assert keyboard.sequences.timeout() == 0.6
    assert keyboard.rest() == ["g g"]
    assert keyboard.type("g", "g", "g", "x") == ["g g", "g g", "g", "x"]
    assert keyboard.type("g", "g", "g", "e")[4:] == ["g g g e"]


def test_a_key_that_breaks_a_sequence_may_begin_another() -> None:
    keyboard = Keyboard()
    assert keyboard.type("ctrl+x", "g", "g") == ["ctrl+x"]
    assert keyboard.rest() == ["ctrl+x", "g g"]


def test_releases_and_repeats_neither_end_nor_go_on_with_a_sequence() -> None:
    sequences = KeySequences(manager)
    assert sequences.take(KeyEvent("ctrl+x")) == []
    assert sequences.take(KeyEvent("ctrl+x", kind="repeat")) == []
    released = KeyEvent("ctrl+x", kind="release")
    assert sequences.take(released) == [released]
    assert sequences.take(KeyEvent("ctrl+s")) == [KeyEvent("ctrl+x ctrl+s")]


def test_other_ids_of_a_key_count_too() -> None:
    bound = KeybindingsManager({"a": KeybindingDefinition(("ctrl+m ctrl+i",), "a")})
    sequences = KeySequences(lambda: bound)
    keys = [KeyEvent("enter", also=("ctrl+m",)), KeyEvent("tab", also=("ctrl+i",))]
    assert [e.id for key in keys for e in sequences.take(key)] == ["ctrl+m ctrl+i"]


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["g", "e", "f", "o", "k", "ctrl+x", "ctrl+s", "alt+g"])))
def test_no_key_is_lost_or_comes_out_of_order(keys: list[str]) -> None:
    keyboard = Keyboard()
    keyboard.type(*keys)
    while keyboard.pending:
        keyboard.rest()
    assert " ".join(keyboard.delivered).split() == keys


def test_a_hint_names_all_keys_of_a_sequence() -> None:
    assert key_display_text("save", keybindings=manager(), platform="linux") == "Ctrl+X Ctrl+S"
    assert key_display_text("file", keybindings=manager(), platform="darwin") == "Option+G F O"


# On a screen.


@pytest.fixture
def bound() -> Iterator[None]:
    before = get_keybindings()
    user = {"tui.editor.undo": "ctrl+x u", "tui.altScreen.top": "g g"}
    set_keybindings(KeybindingsManager(TUI_KEYBINDINGS, user))
    yield
    set_keybindings(before)


@pytest.mark.anyio
@pytest.mark.usefixtures("bound")
async def test_the_screen_shows_what_is_held_back_and_the_component_gets_the_sequence() -> None:
    field = Lines("field")
    async with started(Page(*["." * 30] * 8)) as (tui, pilot):
        tui.set_focus(field)
        pilot.press("ctrl+x")
        await pilot.wait_for("Ctrl+X …")
        assert field.keys == []
        pilot.press("u")
        await pilot.wait_for(lambda: "Ctrl+X" not in pilot.screen())
        assert field.keys == ["ctrl+x u"]
        pilot.press("ctrl+x")
        pilot.press("escape")
        await pilot.wait_for(lambda: "Ctrl+X" not in pilot.screen())
        assert field.keys == ["ctrl+x u"]


@pytest.mark.anyio
@pytest.mark.usefixtures("bound")
async def test_a_letter_that_was_held_back_is_typed_after_a_while_and_before_a_paste() -> None:
    field = Lines("field")
    async with started(Page()) as (tui, pilot):
        tui.set_focus(field)
        pilot.press("g")
        assert field.keys == []
        await pilot.wait_for(lambda: field.keys == ["g"])
        pilot.press("g")
        pilot.paste("text")
        assert (field.keys, field.pastes) == (["g", "g"], ["text"])


@pytest.mark.anyio
@pytest.mark.usefixtures("bound")
async def test_an_editor_undoes_by_a_sequence() -> None:
    session = Session(30)
    terminal = HeadlessTerminal(30, 8)
    tui = TuiAltScreen(terminal, environ={})
    editor = Editor(tui, session.theme)
    tui.set_layout_root(VStack([editor]))
    tui.set_focus(editor)
    tui.start()
    try:
        pilot = Pilot(tui, terminal)
        pilot.type("word")
        pilot.press("ctrl+x", "u")
        assert editor.get_text() == ""
    finally:
        tui.stop()


@pytest.mark.anyio
@pytest.mark.usefixtures("bound")
async def test_a_view_scrolls_by_a_sequence() -> None:
    view = ScrollView(Text("\n".join(f"line {n}" for n in range(50)), 0, 0), follow="end")
    async with started(view) as (_, pilot):
        assert pilot.lines()[-1] == "line 49"
        pilot.press("g", "g")
        await pilot.wait_for("line 0")


@pytest.mark.anyio
@pytest.mark.usefixtures("bound")
async def test_what_is_held_back_ends_with_the_program() -> None:
    told: list[tuple[str, ...]] = []
    async with started(Page()) as (tui, pilot):
        tui.on_pending_keys = told.append
        tui.set_focus(Lines("field"))
        pilot.press("ctrl+x")
        tui.stop()
    assert told == [("ctrl+x",), ()]
