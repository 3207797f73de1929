"""`/reload` in the interactive program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pi_agent.ui.support import interactive

pytestmark = pytest.mark.anyio

GREETS = """
def setup(pi):
    @pi.command("greet", description="Greet {who}")
    def greet(args, ctx):
        ctx.ui.notify("Hello, {who}")
"""


async def test_an_edited_extension_is_live_and_a_broken_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "greeter.py"
    file.write_text(GREETS.format(who="Ada"))
    async with interactive(tmp_path, "-e", str(file), "--model", "demo/echo") as program:
        program.say("/greet")
        await program.pilot.wait_for("Hello, Ada")
        file.write_text(GREETS.format(who="Bob"))
        program.say("/reload")
        await program.settled("Reloaded settings, keys, themes and extensions: greeter.")
        program.say("/greet")
        await program.pilot.wait_for("Hello, Bob")
        file.write_text("def setup(pi):\n    oops(\n")
        program.say("/reload")
        await program.settled("Reloaded settings, keys and themes.")
        screen = program.flat()
        assert "Failed to load extension" in screen
        assert "line 2" in screen


async def test_changed_keys_count_after_a_reload(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        keys = program.agent_dir / "keybindings.json"
        keys.write_text(json.dumps({"app.model.select": "ctrl+q", "app.exit": "nonsense+x"}))
        program.say("/reload")
        await program.settled("Reloaded settings, keys and themes.")
        assert "is not a key" in program.flat()
        program.pilot.press("ctrl+q")
        await program.pilot.wait_for("✓ echo")
