"""Key ids: spelling, matching and display."""

from __future__ import annotations

import pytest

from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.keys import Key, format_key, matches_key, normalize_key_id, normalize_key_sequence


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("ctrl+shift+p", "ctrl+shift+p"),
        ("SHIFT+CTRL+P", "ctrl+shift+p"),
        ("super+alt+shift+ctrl+x", "ctrl+shift+alt+super+x"),
        ("A", "a"),
        ("esc", "escape"),
        ("Return", "enter"),
        ("PAGEUP", "pageUp"),
        ("alt+pagedown", "alt+pageDown"),
        ("f12", "f12"),
        ("+", "+"),
        ("ctrl++", "ctrl++"),
        ("shift+ctrl++", "ctrl+shift++"),
        ("ctrl+-", "ctrl+-"),
        ("?", "?"),
    ],
)
def test_spellings_of_one_key_have_one_id(written: str, normal: str) -> None:
    assert normalize_key_id(written) == normal


@pytest.mark.parametrize(
    "written",
    [
        *("", "ctrl+", "ctrl+ctrl+p", "a+b", "nokey", "ctrl+nokey", "++", "+a", "+++", "ctrl + p"),
        *("f13", "hyper+a", "é", "ctrl+x ctrl+s", "shift", "a+"),
    ],
)
def test_what_names_no_key_has_no_id_and_matches_nothing(written: str) -> None:
    assert normalize_key_id(written) is None
    assert not matches_key(KeyEvent(written, written), written)


def test_sequences_are_keys_with_one_space_between() -> None:
    assert normalize_key_sequence("ctrl+x Ctrl+S") == ("ctrl+x", "ctrl+s")
    assert normalize_key_sequence("g g") == ("g", "g")
    assert normalize_key_sequence("escape") == ("escape",)
    assert normalize_key_sequence("g  g") is None
    assert normalize_key_sequence("g nokey") is None
    assert normalize_key_sequence("") is None


def test_matching_looks_at_the_other_ids_but_not_at_the_kind() -> None:
    event = KeyEvent("!", "!", kind="release", also=("shift+1",))
    assert matches_key(event, "!")
    assert matches_key(event, "SHIFT+1")
    assert not matches_key(event, "shift+!")
    assert not matches_key(event, "1")


def test_a_paste_is_no_key() -> None:
    assert not matches_key(PasteEvent("a"), "a")


def test_builders_and_constants_name_keys() -> None:
    assert Key.ctrl_shift("p") == "ctrl+shift+p"
    assert Key.shift_ctrl("p") == "ctrl+shift+p"
    assert Key.ctrl(Key.plus) == "ctrl++"
    assert Key.alt_super(Key.page_up) == "alt+super+pageUp"
    assert Key.ctrl_shift_super("k") == "ctrl+shift+super+k"
    constants = [
        value for name, value in vars(Key).items() if isinstance(value, str) and name[0] != "_"
    ]
    keys = [key for key in constants if key != Key.__doc__]
    assert len(keys) > 60
    assert [key for key in keys if normalize_key_id(key) != key] == []


def test_people_read_keys_with_capitals() -> None:
    assert format_key("ctrl+shift+f") == "Ctrl+Shift+F"
    assert format_key("pageUp") == "PageUp"
    assert format_key("ctrl++") == "Ctrl++"
    assert format_key("+") == "+"
    assert format_key("ctrl+x ctrl+s") == "Ctrl+X Ctrl+S"
    assert format_key("alt+enter", mac=True) == "Option+Enter"
    assert format_key("alt+enter", capitalize=False, mac=True) == "option+enter"
