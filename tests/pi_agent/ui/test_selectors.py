"""Choosing models, thinking levels and settings in the editor's place, and the keys for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_agent.resources.settings import SettingsStore
from pi_agent.ui.dialogs.settings import (
    SETTING_ROWS,
    about,
    parsed_value,
    shown_value,
    values_of,
)
from pi_tui.colors import color_to_hex
from tests.pi_agent.ui.support import Program, interactive, script
from tests.wire_server import WireServer, json_reply

pytestmark = pytest.mark.anyio

LONG = "\n".join(f"line {number}" for number in range(30))


def acme(tmp_path: Path) -> None:
    """Configure two models of a server that nobody asks."""
    models = [
        {"id": "fast-1", "name": "Fast One", "reasoning": True},
        {"id": "big-2", "name": "Big Two"},
    ]
    provider = {"baseUrl": "http://127.0.0.1:1", "api": "openai-completions", "apiKey": "k"}
    agent = tmp_path / "agent"
    agent.mkdir(exist_ok=True)
    (agent / "models.json").write_text(
        json.dumps({"providers": {"acme": {**provider, "models": models}}})
    )


def saved(program: Program) -> dict[str, object]:
    path = program.agent_dir / "settings.json"
    data: dict[str, object] = json.loads(path.read_text()) if path.exists() else {}
    return data


def row_of(program: Program, text: str) -> str:
    return next(line for line in program.pilot.lines() if text in line)


async def test_enter_uses_a_model_in_this_session_only(tmp_path: Path) -> None:
    acme(tmp_path)
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.press("ctrl+l")
        await program.pilot.wait_for("→ ✓ echo (Echo) [demo]")
        program.pilot.type("one")
        assert "big-2" not in program.pilot.screen()
        assert "→   fast-1 (Fast One) [acme]" in program.pilot.screen()
        program.pilot.press("enter")
        await program.pilot.wait_for("(acme) fast-1")
        assert not program.app.screen.has_dialog
        assert "defaultModel" not in saved(program)


async def test_saving_makes_a_model_the_default_and_says_so(tmp_path: Path) -> None:
    acme(tmp_path)
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("/model")
        await program.pilot.wait_for("✓ echo")
        program.pilot.type("big")
        program.pilot.press("ctrl+s")
        await program.pilot.wait_for("from now on the default")
        await program.pilot.wait_for(lambda: saved(program).get("defaultModel") == "big-2")
        program.pilot.press("ctrl+l")
        await program.pilot.wait_for("✓ big-2 (Big Two) [acme] · default")


async def test_an_exact_name_needs_no_list_and_any_other_is_searched_for(tmp_path: Path) -> None:
    acme(tmp_path)
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("/model acme/fast-1")
        await program.pilot.wait_for("(acme) fast-1")
        assert not program.app.screen.has_dialog
        program.say("/model nosuch")
        await program.pilot.wait_for("No matching models")
        assert "> nosuch" in program.pilot.screen()
        program.pilot.press("enter", "escape")
        program.say("go on")
        await program.pilot.wait_for(" go on")


async def test_models_that_a_server_lists_later_come_into_the_open_list(tmp_path: Path) -> None:
    with WireServer(answer=lambda request: json_reply({"data": [{"id": "tiny"}]})) as server:
        environ = {"LLAMA_BASE_URL": server.url}
        async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
            program.say("/model tiny")
            await program.pilot.wait_for("tiny [llama.cpp]")
            program.pilot.press("enter")
            await program.pilot.wait_for("(llama.cpp) tiny")


async def test_where_the_server_lists_nothing_a_model_is_taken_as_it_is_named(
    tmp_path: Path,
) -> None:
    with WireServer(answer=lambda request: json_reply({}, 500)) as server:
        environ = {"LLAMA_BASE_URL": server.url}
        async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
            program.say("/model llama.cpp/tiny")
            await program.pilot.wait_for("No matching models")
            await program.pilot.wait_for("500")  # the list was asked for, and cannot be had
            program.pilot.press("escape")
            program.say("/model llama.cpp/tiny")
            await program.pilot.wait_for("(llama.cpp) tiny")
            await program.pilot.wait_for('using "tiny" as given')


async def test_the_wheel_and_a_click_choose_a_model(tmp_path: Path) -> None:
    acme(tmp_path)
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.press("ctrl+l")
        await program.pilot.wait_for("→ ✓ echo")
        row = next(n for n, line in enumerate(program.pilot.lines()) if "fast-1" in line)
        program.pilot.scroll(1, 5, row)
        assert "→   big-2" in program.pilot.screen()
        program.pilot.click(5, row)
        await program.pilot.wait_for("(acme) fast-1")
        program.pilot.type("keys are the editor's again")
        assert program.app.composer.get_text() == "keys are the editor's again"


async def test_settings_are_changed_with_the_mouse(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("/settings")
        await program.pilot.wait_for("→ Theme")
        row = next(n for n, line in enumerate(program.pilot.lines()) if "Hide thinking" in line)
        program.pilot.click(5, row)
        await program.pilot.wait_for(lambda: saved(program) == {"hideThinkingBlock": True})
        program.pilot.click(5, row - 2)
        await program.pilot.wait_for("→ system")
        row = next(n for n, line in enumerate(program.pilot.lines()) if "For light" in line)
        program.pilot.click(5, row)
        await program.pilot.wait_for(lambda: saved(program).get("theme") == "light")
        program.pilot.press("escape")
        program.pilot.type("x")
        assert program.app.composer.get_text() == "x"


async def test_the_draft_stays_while_a_model_is_chosen(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        composer = program.app.composer
        program.pilot.type("draft ")
        program.pilot.paste(LONG)
        program.pilot.press("ctrl+l")
        await program.pilot.wait_for("✓ echo")
        program.pilot.paste("no such\nmodel")
        assert "> no such model" in program.pilot.screen()
        program.pilot.press("ctrl+c")
        assert not program.app.screen.has_dialog
        assert composer.get_expanded_text() == f"draft {LONG}"


async def test_keys_go_on_to_the_next_model_and_back(tmp_path: Path) -> None:
    acme(tmp_path)
    words = ("--models", "acme/*", "--model", "acme/big-2")
    async with interactive(tmp_path, *words) as program:
        program.pilot.press("ctrl+p")
        await program.pilot.wait_for("(acme) fast-1")
        program.app.keybindings.set_user_bindings({"app.model.cycleBackward": "ctrl+y"})
        program.pilot.press("ctrl+y")
        await program.pilot.wait_for("(acme) big-2")


async def test_tab_shows_all_models_where_some_are_in_scope(tmp_path: Path) -> None:
    acme(tmp_path)
    words = ("--models", "acme/big-2", "--model", "acme/big-2")
    async with interactive(tmp_path, *words) as program:
        program.pilot.press("ctrl+l")
        await program.pilot.wait_for("✓ big-2")
        assert "fast-1" not in program.pilot.screen()
        program.pilot.press("tab")
        assert "fast-1" in program.pilot.screen()


async def test_thinking_levels_are_cycled_chosen_and_named(tmp_path: Path) -> None:
    acme(tmp_path)
    async with interactive(tmp_path, "--model", "acme/fast-1", "--thinking", "low") as program:
        await program.pilot.wait_for("fast-1 • low")
        program.pilot.press("shift+tab")
        await program.pilot.wait_for("fast-1 • medium")
        program.say("/thinking high")
        await program.pilot.wait_for("fast-1 • high")
        program.say("/thinking deep")
        await program.pilot.wait_for("off, minimal, low, medium, high, xhigh, max")
        assert saved(program) == {}
        program.say("/thinking")
        await program.pilot.wait_for("→ ✓ high")
        assert "· default" in row_of(program, "About 8,000")
        program.pilot.press("up", "up", "ctrl+s")
        await program.pilot.wait_for("fast-1 • low")
        await program.pilot.wait_for(lambda: saved(program) == {"defaultThinkingLevel": "low"})


async def test_a_level_that_the_model_lacks_is_told(tmp_path: Path) -> None:
    acme(tmp_path)
    async with interactive(tmp_path, "--model", "acme/fast-1") as program:
        program.say("/thinking max")
        await program.pilot.wait_for("has no thinking level max; it uses high")
        program.say("/model acme/big-2")
        await program.pilot.wait_for("(acme) big-2")
        program.pilot.press("shift+tab")
        await program.pilot.wait_for("no other thinking level")


async def test_the_border_of_the_editor_tells_the_level(tmp_path: Path) -> None:
    acme(tmp_path)
    async with interactive(tmp_path, "--model", "acme/fast-1", "--thinking", "off") as program:
        await program.pilot.wait_for("fast-1 • off")
        program.say("/thinking high")
        await program.pilot.wait_for("fast-1 • high")
        border = next(n for n, row in enumerate(program.pilot.lines()) if row.startswith("──"))
        after = program.pilot.terminal.grid.cell(0, border).style
        assert after.fg == color_to_hex(program.app.theme.colors["thinkingHigh"])


async def test_thinking_is_hidden_in_all_answers_and_shown_again(tmp_path: Path) -> None:
    environ = script(tmp_path, {"thinking": "Deep thoughts.", "text": "Done."})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("hi")
        await program.settled("Done.")
        assert "Deep thoughts." in program.pilot.screen()
        program.pilot.press("ctrl+t")
        await program.pilot.wait_for("Thinking...")
        assert "Deep thoughts." not in program.pilot.screen()
        await program.pilot.wait_for(lambda: saved(program) == {"hideThinkingBlock": True})
        program.pilot.press("ctrl+t")
        await program.pilot.wait_for("Deep thoughts.")
        await program.pilot.wait_for(lambda: saved(program) == {"hideThinkingBlock": False})
    (tmp_path / "agent" / "settings.json").write_text('{"hideThinkingBlock": true}')
    async with interactive(tmp_path, "-c", environ=environ) as program:
        await program.pilot.wait_for("Thinking...")


async def test_a_changed_setting_counts_and_is_saved_at_once(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("/settings")
        await program.pilot.wait_for("→ Theme")
        program.pilot.type("padding")
        assert row_of(program, "→ Editor padding").split()[-1] == "0"
        program.pilot.press("enter", "enter")
        await program.pilot.wait_for(lambda: saved(program) == {"editorPaddingX": 2})
        program.pilot.press("escape")
        program.pilot.type("x")
        await program.pilot.wait_for("  x")
        assert program.app.composer.get_padding_x() == 2


async def test_settings_of_the_start_and_the_end_count_at_once_too(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "settings.json").write_text('{"quietStartup": true}')
    async with interactive(tmp_path, "--model", "demo/echo", ready="(demo) echo") as program:
        program.say("remember this")
        await program.settled("remember this")
        assert "interrupt" not in program.pilot.screen()
        program.say("/settings")
        await program.pilot.wait_for("→ Theme")
        program.pilot.type("quiet")
        program.pilot.press("enter")
        await program.pilot.wait_for("interrupt")
        program.pilot.press("ctrl+u")
        program.pilot.type("left")
        program.pilot.press("enter")
        await program.pilot.wait_for(lambda: len(saved(program)) == 2)
        assert saved(program)["fullscreenExitOutput"] == "resume-hint"
        program.pilot.press("escape")
        program.say("/quit")
        await program.ended()
        assert "remember this" not in program.pilot.screen()


async def test_a_theme_is_seen_while_it_is_chosen_and_kept_only_if_it_is(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        assert program.app.theme.name == "dark"
        program.say("/settings")
        await program.pilot.wait_for("→ Theme")
        program.pilot.press("enter", "down", "down")
        assert "→ light" in program.pilot.screen()
        assert program.app.theme.name == "light"
        program.pilot.press("escape")
        assert program.app.theme.name == "dark"
        assert saved(program) == {}
        program.pilot.press("enter", "down", "down", "enter")
        await program.pilot.wait_for(lambda: saved(program) == {"theme": "light"})
        assert program.app.theme.name == "light"
        assert row_of(program, "Theme").split()[-1] == "light"


async def test_a_settings_file_that_is_broken_is_named_when_something_changes(
    tmp_path: Path,
) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "settings.json").write_text("{")
    async with interactive(tmp_path, "--model", "demo/echo", columns=200) as program:
        program.pilot.press("ctrl+t")
        await program.pilot.wait_for("Not saved.")
        assert (tmp_path / "agent" / "settings.json").read_text() == "{"


def test_every_shown_value_of_a_setting_can_be_saved() -> None:
    settings = SettingsStore()
    for row in SETTING_ROWS:
        for value in values_of(row):
            settings.set({row.key: parsed_value(row, value)})
            assert shown_value(settings, row) == value
        assert about(row).endswith(".")
