"""Hints: the keys in force, whole or not at all, and clicks that do the same."""

from __future__ import annotations

import pytest

from pi_tui.component_themes import KeyHintsTheme, get_key_hints_theme
from pi_tui.components.key_hints import KeyHint, KeyHints
from pi_tui.keybindings import KeybindingsManager, define_keys
from pi_tui.system_theme import SystemColors, theme_from_colors
from pi_tui.theme import ThemeHandle
from tests.pi_tui.components.on_screen import on_screen

pytestmark = pytest.mark.anyio


def manager(**keys: str | list[str]) -> KeybindingsManager:
    defaults = {"up": "up", "down": "down", "go": "enter", "stop": "escape ctrl+c", "none": ""}
    return KeybindingsManager({name: define_keys(k, name) for name, k in defaults.items()}, keys)


def test_the_first_key_of_each_action_is_shown_as_it_is_bound_now() -> None:
    keys = manager()
    hints = KeyHints(
        [KeyHint("go", "run"), KeyHint(("up", "down"), "move"), KeyHint("stop", "close")],
        keybindings=keys,
    )
    assert hints.render(80) == ["Enter run · Up/Down move · Esc close"]
    assert hints.render(80) is hints.render(80)
    keys.set_user_bindings({"go": ["ctrl+x ctrl+g", "enter"], "down": "up", "stop": "/"})
    assert hints.render(80) == ["Ctrl+X Ctrl+G run · Up move · / close"]
    keys.set_user_bindings({"go": [], "up": [], "down": []})
    assert hints.render(80) == ["Esc close"]


def test_an_action_without_a_key_is_shown_where_a_click_does_it() -> None:
    without = [KeyHint("none", "hidden"), KeyHint("unknown", "too"), KeyHint("none", "", print)]
    assert KeyHints(without, keybindings=manager()).render(20) == []
    assert KeyHints([KeyHint("none", "click", print)], keybindings=manager()).render(20) == [
        "click"
    ]


def test_hints_are_left_out_whole_and_one_that_fits_nowhere_is_cut() -> None:
    hints = KeyHints([KeyHint("go", "run"), KeyHint("stop", "close")], keybindings=manager())
    assert hints.render(21) == ["Enter run · Esc close"]
    assert hints.render(20) == ["Enter run"]
    assert hints.render(8) == ["Enter r…"]
    hints.max_rows = 2
    assert hints.render(20) == ["Enter run", "Esc close"]
    hints.max_rows = 0
    assert hints.render(20) == []


async def test_a_click_on_a_hint_does_it() -> None:
    done: list[str] = []
    hints = KeyHints(
        [
            KeyHint("go", "run", lambda: done.append("go")),
            KeyHint("up", "nothing"),
            KeyHint("stop", "close", lambda: done.append("stop")),
        ],
        max_rows=None,
        keybindings=manager(),
    )
    async with on_screen(hints, 24, 4) as pilot:
        assert pilot.lines()[:2] == ["Enter run · Up nothing", "Esc close"]
        for x, y in ((0, 0), (8, 0), (9, 0), (14, 0), (2, 1), (12, 1), (2, 3)):
            pilot.click(x, y)
    assert done == ["go", "go", "stop"]


def test_the_looks_follow_the_theme() -> None:
    theme = ThemeHandle(theme_from_colors(SystemColors(), "truecolor", saturation=0))
    hints = KeyHints([KeyHint("go", "run")], get_key_hints_theme(theme), keybindings=manager())
    before = hints.render(20)
    theme.set(theme_from_colors(SystemColors(), "mono"))
    assert hints.render(20) != before
    marked = KeyHintsTheme(lambda text: f"<{text}>", lambda text: f"({text})")
    two = KeyHints([KeyHint("go", "run"), KeyHint("up", "")], marked, keybindings=manager())
    assert two.render(20) == ["<Enter>( run)( · )<Up>"]
