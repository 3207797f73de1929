"""Many keys at once: they are one insertion, and yet no key loses what it means."""

from __future__ import annotations

import pytest

from pi_tui.autocomplete import CommandAutocompleteProvider, SlashCommand
from pi_tui.components.editor import Editor
from pi_tui.components.input import Input
from pi_tui.events import InputEvent, KeyEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.input_listeners import ListenerResult
from pi_tui.keybindings import TUI_KEYBINDINGS, KeybindingsManager
from pi_tui.testing import HeadlessTerminal
from tests.pi_tui.call_count import Calls
from tests.pi_tui.components.editor_session import Host, Session

pytestmark = pytest.mark.anyio

TEXT = "the quick brown fox jumps over the lazy dog, 日本語 👍🏽 and e\u0301 too"


class Screen:
    """A started program with one component that has the keys."""

    def __init__(self, component: Editor | Input | None = None) -> None:
        self.terminal = HeadlessTerminal(40, 12)
        self.tui = TuiAltScreen(self.terminal, environ={})
        self.changes: list[str] = []
        self.field = component or Editor(Host(), Session().theme)
        self.field.on_change = self.changes.append
        self.tui.set_layout_root(self.field)
        self.tui.set_focus(self.field)
        self.tui.start()

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self.tui.stop()

    def send(self, text: str) -> None:
        self.terminal.send(text.encode())

    @property
    def text(self) -> str:
        return self.field.get_text() if isinstance(self.field, Editor) else self.field.get_value()


@pytest.mark.parametrize("component", [None, Input()])
async def test_many_keys_are_one_change_and_one_step_to_undo(component: Input | None) -> None:
    with Screen(component) as screen:
        screen.send(TEXT)
        assert (screen.text, screen.changes) == (TEXT, [TEXT])
        screen.send("\x1f")
        assert screen.text == ""


async def test_a_few_keys_are_typed_one_by_one() -> None:
    with Screen() as screen:
        screen.send("two words")
        assert len(screen.changes) == 9
        screen.send("\x1f")
        assert screen.text == "two"


async def test_keys_among_them_do_what_they_do() -> None:
    with Screen() as screen:
        submitted: list[str] = []
        assert isinstance(screen.field, Editor)
        screen.field.on_submit = submitted.append
        line = "x" * 50
        screen.send(f"{line}\r{line}\x7f\n{line}\x1b[D\x1b[Dy")
        assert submitted == [line]
        assert screen.text == f"{line[1:]}\n{line[2:]}yxx"


async def test_a_letter_that_is_bound_is_no_text() -> None:
    user = {"tui.editor.deleteCharBackward": "z"}
    field = Editor(Host(), Session().theme, keybindings=KeybindingsManager(TUI_KEYBINDINGS, user))
    with Screen(field) as screen:
        screen.send("a" * 40 + "bz" + "c" * 40)
        assert screen.text == "a" * 40 + "c" * 40


async def test_a_component_with_keys_of_its_own_gets_each_one() -> None:
    class Own(Editor):
        """Takes `j` as a command."""

        def handle_key(self, event: KeyEvent) -> bool:
            return event.id == "j" or super().handle_key(event)

    with Screen(Own(Host(), Session().theme)) as screen:
        screen.send("aj" * 40)
        assert screen.text == "a" * 40


async def test_listeners_see_each_key_and_may_stop_or_change_it() -> None:
    heard: list[str] = []

    def listen(event: InputEvent) -> ListenerResult:
        assert isinstance(event, KeyEvent)
        heard.append(event.text)
        if event.text == "x":
            return {"consume": True}
        return KeyEvent("o", "o") if event.text == "0" else None

    with Screen() as screen:
        screen.tui.add_input_listener(listen)
        typed = "ab0cx" * 20
        screen.send(typed)
        assert "".join(heard) == typed
        assert screen.text == "aboc" * 20


async def test_text_goes_to_whoever_has_the_keys_when_it_is_typed() -> None:
    with Screen() as screen:
        other = Input()

        def listen(event: InputEvent) -> ListenerResult:
            if isinstance(event, KeyEvent) and event.text == "!":
                screen.tui.set_focus(other)
            return None

        screen.tui.add_input_listener(listen)
        screen.send("a" * 40 + "!" + "b" * 40)
        assert (screen.text, other.get_value()) == ("a" * 40, "!" + "b" * 40)


async def test_the_menu_opens_for_what_was_typed_last() -> None:
    with Screen() as screen:
        commands = [SlashCommand("a" * 41), SlashCommand("b")]
        assert isinstance(screen.field, Editor)
        screen.field.set_autocomplete_provider(CommandAutocompleteProvider(commands))
        screen.send("/" + "a" * 40)
        await Session().settle()
        assert screen.field.is_showing_autocomplete()


async def test_work_grows_with_the_text_and_not_with_what_is_there() -> None:
    with Screen() as screen:
        read = "the quick brown fox jumps over the lazy dog. " * 90
        counts = []
        for _ in range(8):
            with Calls() as calls:
                screen.send(read)
            counts.append(calls.count)
        assert len(screen.changes) == 8
        assert max(counts) < 40 * len(read)
        assert max(counts[1:]) < 1.1 * min(counts[1:])
