"""The tree in the editor's place: its keys, and how it shares few rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.resources.keybindings_file import default_keybindings
from pi_agent.resources.themes import load_bundled_theme
from pi_agent.session.entries import Entry
from pi_agent.ui.dialogs.tree import TreeSelector
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.events import KeyEvent, MouseEvent, MouseType, PasteEvent
from pi_tui.keybindings import KeybindingsManager, get_keybindings, set_keybindings
from pi_tui.width import visible_width
from tests.pi_agent.ui.session_tree.trees import message, session_of, two_ways

THEME = load_bundled_theme("dark", color_mode="truecolor")


@pytest.fixture(autouse=True)
def _keys_of_the_program() -> Iterator[None]:
    before = get_keybindings()
    set_keybindings(KeybindingsManager(default_keybindings()))
    yield
    set_keybindings(before)


class Selector(TreeSelector):
    """A selector that notes what it is asked for."""

    def __init__(self, session: Any = None, rows: int = 24) -> None:
        self.done: list[str] = []
        super().__init__(
            session or two_ways(),
            THEME,
            screen_rows=lambda: rows,
            on_pick=lambda entry: self.done.append(f"pick {entry.id}"),
            on_close=lambda: self.done.append("close"),
            on_label=lambda entry: self.done.append(f"label {entry.id}"),
            on_copy=lambda text: self.done.append(f"copy {text}"),
        )

    def press(self, *keys: str) -> None:
        """Press keys; a single letter is typed."""
        for key in keys:
            typed = key if len(key) == 1 else ""
            name = f"shift+{key.lower()}" if typed.isupper() else key
            self.handle_key(KeyEvent(name, text=typed))

    def shown(self, width: int = 60) -> list[str]:
        """Return the rows without colors."""
        return [strip_terminal_sequences(row).rstrip() for row in self.render(width)]


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("ctrl+t", "no-tools"),
        ("ctrl+u", "user-only"),
        ("ctrl+l", "labeled-only"),
        ("ctrl+a", "all"),
        ("ctrl+o", "no-tools"),
        ("ctrl+shift+o", "all"),
    ],
)
def test_each_filter_has_a_key_and_the_title_names_it(key: str, name: str) -> None:
    selector = Selector()
    selector.press(key)
    assert selector.tree.filter_name == name
    assert f"Tree ({name})" in selector.shown()
    selector.press("ctrl+d")
    assert "Tree" in selector.shown()


def test_the_selected_entry_is_picked_labelled_and_copied() -> None:
    selector = Selector()
    selector.press("enter", "L", "ctrl+x")
    assert selector.done == ["pick a3", "label a3", "copy There it is."]


def test_what_is_typed_at_once_is_searched_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    selector = Selector()
    looked: list[str] = []
    search = selector.tree.search

    def look_for(query: str) -> None:
        looked.append(query)
        search(query)

    monkeypatch.setattr(selector.tree, "search", look_for)
    selector.press(*"in the", "backspace", *"e lexer")
    selector.shown()
    assert looked == ["in the", "in the lexer"]
    selector.press("escape", *"lexer", "enter")
    assert looked[2:] == ["", "lexer"]
    assert selector.done == ["pick u2"]


def test_what_is_typed_is_searched_for_and_escape_clears_that_first() -> None:
    selector = Selector()
    selector.press(*"lexer")
    assert [row for row in selector.shown() if "user:" in row] == ["→ • user: in the lexer"]
    selector.press("escape")
    assert selector.tree.row_count() == 7
    assert selector.done == []
    selector.handle_paste(PasteEvent("parser"))
    selector.shown()
    assert selector.tree.row_count() == 1
    selector.press("escape", "escape")
    assert selector.done == ["close"]


def test_left_and_right_turn_pages_and_never_go_around() -> None:
    lines = [(f"e{n}", f"e{n - 1}" if n else None, message("user", f"m{n}")) for n in range(40)]
    selector = Selector(session_of(*lines), rows=20)

    def selected() -> str:
        entry = selector.tree.get_selected()
        assert isinstance(entry, Entry)
        return entry.id

    selector.render(60)
    places = []
    for key in ("left", "left", "right", "right", "right", "home", "left", "up"):
        selector.press(key)
        selector.render(60)
        places.append(selected())
    assert places == ["e29", "e19", "e29", "e39", "e39", "e0", "e0", "e39"]


def test_half_of_the_screen_is_taken_and_at_least_five_rows() -> None:
    lines = [(f"e{n}", f"e{n - 1}" if n else None, message("user", f"m{n}")) for n in range(40)]
    for rows, expected in ((60, 30), (24, 12), (6, 5)):
        selector = Selector(session_of(*lines), rows=rows)
        assert sum("user:" in row for row in selector.shown()) == expected


def mouse(kind: MouseType, x: int, y: int) -> MouseEvent:
    return MouseEvent(kind, "left", x, y, x, y, width=60, height=20)


def test_a_press_and_a_click_on_a_hint() -> None:
    selector = Selector()
    rows = selector.shown()
    hint = next(n for n, row in enumerate(rows) if "filter" in row)
    x = rows[hint].index("filter")
    selector.handle_mouse(mouse("press", x, hint))
    selector.handle_mouse(mouse("click", x, hint))
    assert selector.tree.filter_name == "no-tools"
    row = next(n for n, row in enumerate(selector.shown()) if "parser" in row)
    selector.handle_mouse(mouse("press", 12, row))
    selector.handle_mouse(mouse("click", 12, row))
    assert selector.done == ["pick u3"]


@given(width=st.integers(1, 60), rows=st.integers(1, 20), query=st.sampled_from(["", "in"]))
def test_it_fits_into_any_room_and_the_selected_row_is_in_sight(
    width: int, rows: int, query: str
) -> None:
    selector = Selector()
    selector.max_rows = rows
    selector.handle_paste(PasteEvent(query))
    drawn = selector.render(width)
    assert len(drawn) <= rows
    assert all(visible_width(row) <= width for row in drawn)
    if width > 1:
        assert any(strip_terminal_sequences(row).startswith("→") for row in drawn)
