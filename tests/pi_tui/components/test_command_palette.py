"""The palette: letters find commands, keys and clicks run them, what is selected stays selected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.component import identity
from pi_tui.components.command_palette import CommandPalette, PaletteCommand
from pi_tui.keybindings import TUI_KEYBINDINGS, KeybindingsManager, define_keys
from pi_tui.theme import SelectListTheme
from tests.pi_tui.components.on_screen import on_screen

pytestmark = pytest.mark.anyio
PLAIN = SelectListTheme(identity, identity, identity, identity, identity)
COMMANDS = [
    PaletteCommand("session.new", "New session", "Begin with nothing said"),
    PaletteCommand("session.resume", "Go on with a session"),
    PaletteCommand("model", "Choose a model", "Who answers"),
    PaletteCommand("quit", "Quit", "Leave the session"),
]
KEYS = KeybindingsManager(
    {**TUI_KEYBINDINGS, "model": define_keys("ctrl+l", ""), "quit": define_keys("ctrl+q f12", "")}
)


def palette(
    *commands: PaletteCommand, most: int = 8
) -> tuple[CommandPalette, list[tuple[str, str]]]:
    """Return a palette and what it tells."""
    made = CommandPalette(commands or COMMANDS, most, PLAIN, keybindings=KEYS)
    told: list[tuple[str, str]] = []
    made.on_run = lambda command: told.append(("run", command.id))
    made.on_cancel = lambda: told.append(("cancel", ""))
    return made, told


def shown(made: CommandPalette, width: int = 30) -> list[str]:
    return [row.rstrip() for row in made.render(width)[1:]]


async def test_letters_find_a_command_and_enter_runs_it() -> None:
    made, told = palette()
    async with on_screen(made, 30, 6) as pilot:
        assert pilot.lines()[:5] == [
            "> Type to search",
            "→ New session",
            "  Go on with a session",
            "  Choose a model        Ctrl+L",
            "  Quit                  Ctrl+Q",
        ]
        pilot.type("mod")
        assert pilot.lines()[:3] == ["> mod", "→ Choose a model        Ctrl+L", ""]
        pilot.press("enter")
        # The keys of a field are the field's; Home and End are no ends of the list here.
        pilot.press("home")
        pilot.type("x")
        assert pilot.lines()[:2] == ["> xmod", "  No command matches"]
        pilot.press("enter", "ctrl+u")
        pilot.paste("qu\nit")
        pilot.press("escape")
    assert told == [("run", "model"), ("cancel", "")]


async def test_clicks_and_the_wheel() -> None:
    made, told = palette(most=2)
    async with on_screen(made, 30, 4) as pilot:
        pilot.scroll(2, 3, 1)
        assert made.get_selected_command() == COMMANDS[2]
        pilot.click(4, 1)
        pilot.type("ses")
        pilot.click(3, 0)  # into the field
        pilot.type("!")
        assert made.query == "s!es"
    assert told == [("run", "session.resume")]


def test_labels_count_more_than_ids_and_descriptions() -> None:
    made, _ = palette()
    made.set_query("session")
    assert shown(made) == [
        "→ New session",
        "  Go on with a session",
        "  Quit                  Ctrl+Q",
    ]
    made.set_query("model")
    assert shown(made) == ["→ Choose a model        Ctrl+L"]
    made.set_query("resume")
    assert shown(made) == ["→ Go on with a session"]
    made.set_query("WHO answers")
    assert shown(made) == ["→ Choose a model        Ctrl+L"]
    made.set_query("")
    assert len(shown(made)) == 4


def test_commands_that_come_meanwhile_leave_the_selected_one_selected() -> None:
    made, _ = palette()
    made.set_selected_index(2)
    made.set_commands([PaletteCommand("new", "Another"), *COMMANDS])
    assert made.get_selected_command() == COMMANDS[2]
    made.set_commands([])
    assert made.get_selected_command() is None
    made.set_commands(COMMANDS)
    assert made.selected_index == 0


def test_the_description_goes_first_then_the_key_and_the_label_last() -> None:
    made, _ = palette(PaletteCommand("quit", "Quit", "Leave the session"))
    assert shown(made, 40) == ["→ Quit  Leave the session         Ctrl+Q"]
    assert shown(made, 28) == ["→ Quit  Leave the s…  Ctrl+Q"]
    assert shown(made, 20) == ["→ Quit        Ctrl+Q"]
    assert shown(made, 12) == ["→ Quit"]
    assert shown(made, 5) == ["→ Qu…"]


def test_the_same_rows_come_back_while_nothing_changed() -> None:
    made, _ = palette()
    rows = made.render(30)
    assert made.render(30) is rows
    made.focused = True
    assert made.render(30) is not rows


@given(st.text("abno dels", max_size=6))
def test_what_is_typed_finds_what_has_these_letters_in_their_order(query: str) -> None:
    made, _ = palette()
    made.set_query(query)
    found = [made.row_key(index) for index in range(made.row_count())]
    assert len(set(found)) == len(found)
    for command in COMMANDS:
        label = iter(command.label.lower())
        if all(letter in label for letter in "".join(query.split())):
            assert command in found


async def test_a_click_into_the_field_runs_nothing_that_was_pressed_and_let_go_elsewhere() -> None:
    made, told = palette()
    async with on_screen(made, 40, 6) as pilot:
        pilot.drag((3, 2), (3, 4))
        pilot.click(5, 0)
    assert told == []
