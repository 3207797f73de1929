"""The mouse in the program: rows, the editor and its menu, copying, and giving the mouse back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pi_agent.ui.support import Program, interactive, script

pytestmark = pytest.mark.anyio

LISTING = (
    {"text": "I list.", "toolCalls": [{"name": "bash", "arguments": {"command": "seq 1 40"}}]},
    {"text": "All listed."},
)
MODES = {1000, 1002, 1003, 1006}


def row_of(program: Program, text: str) -> int:
    """Return the row of the screen that shows a text first."""
    return next(y for y, line in enumerate(program.pilot.lines()) if text in line)


def settings(folder: Path, **values: object) -> None:
    """Write the user's settings."""
    (folder / "agent").mkdir()
    (folder / "agent" / "settings.json").write_text(json.dumps(values), encoding="utf-8")


async def test_a_click_expands_a_tool_row_in_its_place(tmp_path: Path) -> None:
    environ = script(tmp_path, *LISTING)
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.settled("All listed.")
        title = row_of(program, "$ seq 1 40")
        program.pilot.click(8, title + 1)
        assert row_of(program, "$ seq 1 40") == title
        assert program.pilot.lines()[title + 1 : title + 3] == [" 1", " 2"]
        program.pilot.click(1, title + 2)  # in the output: for words, not for collapsing
        assert program.pilot.lines()[title + 1] == " 1"
        program.pilot.click(1, title)
        assert "to expand" in program.pilot.screen()
        assert program.app.screen.view.is_following_end


async def test_a_click_puts_the_cursor_there(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.type("hello 日本 world")
        row = row_of(program, "hello")
        program.pilot.click(9, row)  # the second half of the second character
        program.pilot.type("X")
        assert "hello 日X本 world" in program.pilot.screen()
        program.pilot.click(60, row)
        program.pilot.type("!")
        assert program.app.composer.get_text() == "hello 日X本 world!"


async def test_the_menu_takes_wheel_and_clicks(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.type("/")
        await program.pilot.wait_for("→ help")
        row = row_of(program, "→ help")
        program.pilot.scroll(1, 3, row)
        assert "→ model" in program.pilot.screen()
        program.pilot.scroll(-1, 3, row)
        assert "→ help" in program.pilot.screen()
        program.pilot.click(
            4, row_of(program, "  quit") if "  quit" in program.pilot.screen() else row
        )
        assert program.app.composer.get_text().strip() in ("/quit", "/help")
        assert not program.app.composer.is_showing_autocomplete()


async def test_the_wheel_scrolls_and_the_label_leads_back(tmp_path: Path) -> None:
    environ = script(tmp_path, {"text": "\n".join(f"line {n}" for n in range(60))})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.settled("line 59")
        program.pilot.scroll(-5, 3, 3)
        view = program.app.screen.view
        assert not view.is_following_end
        row = row_of(program, "↓ Ctrl+End")
        program.pilot.click(program.pilot.lines()[row].index("Ctrl+End"), row)
        assert view.is_following_end


async def test_what_is_selected_is_copied_and_the_key_copies_answers(tmp_path: Path) -> None:
    environ = script(tmp_path, {"text": "alpha beta\ngamma delta"})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        clipboard = program.pilot.terminal.grid
        program.pilot.press("ctrl+x")
        assert "There is no answer to copy yet" in program.pilot.screen()
        program.say("go")
        await program.settled("gamma")
        row = row_of(program, "alpha")
        program.pilot.drag((7, row), (5, row + 1))
        await program.pilot.wait_for(lambda: clipboard.clipboard == "beta\ngamma")
        program.pilot.press("escape", "ctrl+x")
        await program.pilot.wait_for(lambda: clipboard.clipboard == "alpha beta\ngamma delta")
        clipboard.clipboard = None
        program.say("/copy")
        await program.pilot.wait_for(lambda: clipboard.clipboard == "alpha beta\ngamma delta")
        assert "Copied!" in program.pilot.screen()


async def test_a_key_gives_the_mouse_to_the_terminal_and_takes_it_back(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        modes = program.pilot.terminal.grid.modes
        assert modes >= MODES
        program.pilot.press("alt+m")
        assert not MODES & program.pilot.terminal.grid.modes
        assert "The mouse is the terminal's now" in program.pilot.screen()
        assert "Alt+M takes it back" in program.pilot.screen()
        program.pilot.press("alt+m")
        assert program.pilot.terminal.grid.modes >= MODES
        assert "The mouse works here again" in program.pilot.screen()


async def test_settings_about_the_mouse(tmp_path: Path) -> None:
    settings(
        tmp_path,
        mouse=False,
        fullscreenScrollbar="always",
        fullscreenCopyOnSelect=False,
        fullscreenWheelScrollLines=3,
    )
    environ = script(tmp_path, {"text": "\n".join(f"line {n}" for n in range(60))})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        grid = program.pilot.terminal.grid
        assert not MODES & grid.modes
        program.pilot.press("alt+m")
        program.say("go")
        await program.settled("line 59")
        assert program.pilot.lines()[5][79] in "│┃"
        top = program.app.screen.view.scroll_top
        program.pilot.scroll(-1, 3, 3)
        assert program.app.screen.view.scroll_top == top - 3
        program.pilot.drag((1, 1), (5, 1))
        assert grid.clipboard is None
        program.pilot.press("ctrl+x")
        await program.pilot.wait_for(lambda: grid.clipboard is not None)
        assert grid.clipboard is not None
        assert grid.clipboard.startswith("line")


async def test_settings_that_change_count_at_once(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.app.settings.set({"mouse": False})
        assert not MODES & program.pilot.terminal.grid.modes
        program.app.settings.set({"mouse": None})
        assert program.pilot.terminal.grid.modes >= MODES


async def test_keys_go_from_message_to_message(tmp_path: Path) -> None:
    answers = [{"text": "\n".join(f"{name} {n}" for n in range(40))} for name in ("one", "two")]
    environ = script(tmp_path, *answers)
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        for text, end in (("first question", "one 39"), ("second question", "two 39")):
            program.say(text)
            await program.settled(end)
        program.pilot.terminal.send(b"\x1b[1;5A")
        program.pilot.tui.render_now()
        assert "second question" in "\n".join(program.pilot.lines()[:2])
        program.pilot.terminal.send(b"\x1b[1;5A")
        program.pilot.tui.render_now()
        assert "first question" in "\n".join(program.pilot.lines()[:2])
        program.pilot.terminal.send(b"\x1b[1;5B")
        program.pilot.tui.render_now()
        assert "second question" in "\n".join(program.pilot.lines()[:2])


async def test_a_click_opens_hidden_thinking_and_its_first_row_closes_it(tmp_path: Path) -> None:
    settings(tmp_path, hideThinkingBlock=True)
    environ = script(tmp_path, {"thinking": "First this.\n\nThen that.", "text": "Done."})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.settled("Done.")
        assert "First this." not in program.pilot.screen()
        program.pilot.click(3, row_of(program, "Thinking..."))
        assert "Then that." in program.pilot.screen()
        program.pilot.click(3, row_of(program, "Then that."))
        assert "Then that." in program.pilot.screen()
        program.pilot.click(3, row_of(program, "First this."))
        assert "Thinking..." in program.pilot.screen()


async def test_a_link_that_nothing_here_opens_is_copied(tmp_path: Path) -> None:
    environ = script(tmp_path, {"text": "See [the page](https://example.com/a)."})
    environ["PI_HYPERLINKS"] = "1"
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.settled("the page")
        row = row_of(program, "the page")
        program.pilot.click(program.pilot.lines()[row].index("page"), row)
        grid = program.pilot.terminal.grid
        await program.pilot.wait_for(lambda: grid.clipboard == "https://example.com/a")
