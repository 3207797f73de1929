"""Which keys an action has, and what the user can change."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.key_parser import parse_key
from pi_tui.keybindings import (
    TUI_KEYBINDINGS,
    KeybindingsManager,
    define_keys,
    get_keybindings,
    key_display_text,
    key_text,
    set_keybindings,
)
from pi_tui.keys import normalize_key_id
from pi_tui.testing import key_bytes

UP = KeyEvent("up")


def _manager(**user: str | list[str]) -> KeybindingsManager:
    definitions = {
        "one": define_keys("up ctrl+p", "Go up"),
        "two": define_keys("down", "Go down"),
        "three": define_keys("", "Nothing yet"),
    }
    return KeybindingsManager(definitions, user)


def test_default_keys_are_spelled_as_events_spell_them() -> None:
    keys = [key for item in TUI_KEYBINDINGS.values() for key in item.default_keys]
    assert [key for key in keys if normalize_key_id(key) != key] == []
    assert [name for name, item in TUI_KEYBINDINGS.items() if not item.description] == []


@pytest.mark.parametrize(
    ("action", "data"),
    [
        ("tui.editor.undo", b"\x1f"),
        ("tui.editor.cursorWordLeft", b"\x1bb"),
        ("tui.editor.cursorWordRight", b"\x1b[1;5C"),
        ("tui.input.newLine", b"\n"),
        ("tui.input.newLine", b"\x1b[13;2u"),
        ("tui.input.submit", b"\r"),
        ("tui.select.cancel", b"\x1b"),
        ("tui.select.cancel", b"\x03"),
        ("tui.altScreen.search", b"\x1b[102;6u"),
        ("tui.editor.redo", b"\x1b[45:95;6u"),
        ("tui.editor.deleteCharForward", b"\x1b[3~"),
        ("tui.editor.jumpBackward", b"\x1b\x1d"),
    ],
)
def test_what_the_terminal_sends_triggers_the_action(action: str, data: bytes) -> None:
    event = parse_key(data)
    assert event is not None
    assert KeybindingsManager(TUI_KEYBINDINGS).matches(event, action)


def test_an_event_matches_any_key_of_its_action_only() -> None:
    manager = _manager()
    assert manager.matches(UP, "one")
    assert manager.matches(KeyEvent("x", also=("ctrl+p",)), "one")
    assert not manager.matches(UP, "two")
    assert not manager.matches(UP, "unknown")
    assert not manager.matches(PasteEvent("up"), "one")


def test_user_keys_replace_the_defaults_of_that_action_only() -> None:
    manager = _manager(two="up", three=["shift+alt+x", "ALT+SHIFT+X", "f1"], four="f2")
    assert manager.get_keys("two") == ["up"]
    assert manager.get_keys("one") == ["up", "ctrl+p"]
    assert manager.get_keys("three") == ["shift+alt+x", "f1"]
    assert manager.get_keys("four") == []
    assert manager.matches(UP, "one")
    assert manager.matches(UP, "two")
    assert not manager.matches(KeyEvent("down"), "two")
    assert manager.matches(KeyEvent("shift+alt+x"), "three")


def test_an_empty_list_leaves_no_keys() -> None:
    manager = _manager(one=[])
    assert not manager.matches(UP, "one")
    assert manager.get_resolved_bindings() == {"one": [], "two": "down", "three": []}


def test_invalid_keys_match_nothing() -> None:
    manager = _manager(one=["nokey", "ctrl+x ctrl+s"])
    assert not manager.matches(KeyEvent("nokey"), "one")
    assert not manager.matches(KeyEvent("ctrl+x"), "one")


def test_only_keys_that_the_user_gave_twice_are_conflicts() -> None:
    manager = _manager(
        one=["ctrl+shift+x", "f1"], two=["SHIFT+CTRL+X", "shift+ctrl+x"], three="down", four="f1"
    )
    assert manager.get_conflicts() == [{"key": "ctrl+shift+x", "keybindings": ["one", "two"]}]
    assert _manager(two="up").get_conflicts() == []


def test_returned_values_are_copies() -> None:
    manager = _manager(one=["f1"])
    manager.get_keys("one").append("f2")
    manager.get_user_bindings()["one"].append("f3")
    assert manager.get_keys("one") == ["f1"]
    assert manager.get_user_bindings() == {"one": ["f1"]}


def test_new_user_bindings_replace_the_old_ones() -> None:
    manager = _manager(one="f1")
    manager.set_user_bindings({"two": "f2"})
    assert (manager.get_keys("one"), manager.get_keys("two")) == (["up", "ctrl+p"], ["f2"])


def test_definitions_are_told() -> None:
    definition = _manager(one="f1").get_definition("one")
    assert definition is not None
    assert (definition.default_keys, definition.description) == (("up", "ctrl+p"), "Go up")
    assert _manager().get_definition("unknown") is None


def test_hints_show_the_keys_in_force() -> None:
    manager = KeybindingsManager(
        TUI_KEYBINDINGS, {"tui.input.submit": ["alt+enter", "ctrl+x ctrl+s"]}
    )
    assert key_text("tui.select.cancel", keybindings=manager) == "escape/ctrl+c"
    assert key_display_text("tui.altScreen.top", keybindings=manager) == "Ctrl+Home"
    assert key_display_text("tui.altScreen.lineUp", keybindings=manager) == ""
    submit = "tui.input.submit"
    assert key_display_text(submit, keybindings=manager, platform="linux") == (
        "Alt+Enter/Ctrl+X Ctrl+S"
    )
    assert key_text(submit, keybindings=manager, platform="darwin") == (
        "option+enter/ctrl+x ctrl+s"
    )


def test_the_process_wide_manager_begins_with_the_toolkit_defaults() -> None:
    before = get_keybindings()
    assert before.get_keys("tui.select.confirm") == ["enter"]
    try:
        set_keybindings(KeybindingsManager(TUI_KEYBINDINGS, {"tui.select.confirm": "f5"}))
        assert key_text("tui.select.confirm") == "f5"
    finally:
        set_keybindings(before)


def test_keybindings_load_no_screen_and_no_models() -> None:
    code = "import sys, pi_agent.resources.keybindings_file; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"urwid", "pydantic", "wcwidth", "asyncio"}.isdisjoint(done.stdout.split())


def test_tests_can_press_every_key_of_the_toolkit() -> None:
    keys = {key for each in TUI_KEYBINDINGS.values() for key in each.default_keys}
    assert "ctrl+shift+f" in keys
    for key in keys:
        event = parse_key(key_bytes(key))
        assert event is not None and key in (event.id, *event.also), key
    with pytest.raises(ValueError, match="no bytes are known for the key 'unknown'"):
        key_bytes("unknown")
