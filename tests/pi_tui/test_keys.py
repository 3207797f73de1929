"""Key ids: spelling, matching and display."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.key_table import NAMED_KEYS, SYMBOLS
from pi_tui.keys import (
    MODIFIERS,
    Key,
    format_key,
    matches_key,
    normalize_key_id,
    normalize_key_sequence,
)

KEYS = sorted({*"abcdefghijklmnopqrstuvwxyz0123456789", *SYMBOLS, *NAMED_KEYS})


@st.composite
def written_keys(draw: st.DrawFn) -> str:
    """Return a key id as somebody may write it: modifiers in any order, letters in any case."""
    modifiers = draw(st.permutations(MODIFIERS))[: draw(st.integers(0, 4))]
    written = "+".join([*modifiers, draw(st.sampled_from(KEYS))])
    return "".join(draw(st.sampled_from((letter.lower(), letter.upper()))) for letter in written)


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


@given(written_keys())
def test_any_key_that_can_be_written_is_read_shown_and_read_again(written: str) -> None:
    key_id = normalize_key_id(written)
    assert key_id is not None
    assert normalize_key_id(key_id) == key_id
    assert normalize_key_id(format_key(key_id)) == key_id
    assert matches_key(KeyEvent(key_id), written)
    assert not matches_key(KeyEvent("f24", also=("x",)), written) or key_id == "x"


@given(st.lists(written_keys(), min_size=1, max_size=4))
def test_any_sequence_is_read_shown_and_read_again(written: list[str]) -> None:
    keys = normalize_key_sequence(" ".join(written))
    assert keys == tuple(normalize_key_id(key) for key in written)
    assert normalize_key_sequence(format_key(" ".join(written))) == keys


@given(st.text(max_size=12) | st.lists(st.sampled_from([*MODIFIERS, "+", "a", " "])).map("".join))
def test_any_text_names_a_key_or_none(text: str) -> None:
    """What has an id is made of known parts only, each modifier once."""
    key_id = normalize_key_id(text)
    if key_id is None:
        return
    key = key_id.removesuffix("+").rpartition("+")[2] if key_id[-1:] != "+" else "+"
    modifiers = [part for part in key_id.removesuffix(key).split("+") if part]
    assert key.lower() in KEYS
    assert modifiers in [
        list(some) for size in range(5) for some in itertools.combinations(MODIFIERS, size)
    ]
