"""Which action wins when a key is bound to several."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from pi_agent.resources.keybindings_file import default_keybindings
from pi_agent.ui.actions import take_action
from pi_tui.events import KeyEvent
from pi_tui.keybindings import KeybindingsManager
from tests.pi_agent.ui.support import interactive

pytestmark = pytest.mark.anyio

KEY = KeyEvent("f5")


def done_by(bound: Sequence[str], *, declined: Sequence[str] = ()) -> str | None:
    """Return the action that a key does which is bound to several, in the worst order."""
    keybindings = KeybindingsManager(default_keybindings(), dict.fromkeys(bound, "f5"))
    done: list[str] = []

    def handler(action: str) -> bool | None:
        if action in declined:
            return False
        done.append(action)
        return None

    actions = ["app.tools.expand", "app.clear", "app.exit", "app.interrupt"]
    actions.append("app.clipboard.pasteImage")
    handlers = {action: partial(handler, action) for action in actions}
    is_used = take_action(KEY, handlers, keybindings)
    assert is_used is bool(done)
    return done[0] if done else None


def test_the_first_of_the_order_wins_and_one_that_declines_leaves_the_key() -> None:
    order = ["app.clipboard.pasteImage", "app.interrupt", "app.exit", "app.tools.expand"]
    for start in range(len(order)):
        assert done_by(order[start:]) == order[start]
        assert done_by(order[start:], declined=order[start : start + 1]) == (
            order[start + 1] if start + 1 < len(order) else None
        )


def test_keys_of_the_history_are_the_editors_before_the_programs_other_keys() -> None:
    assert done_by(["app.exit", "tui.editor.historyNext", "app.tools.expand"]) == "app.exit"
    assert done_by(["tui.editor.historyNext", "app.tools.expand"]) is None


def test_what_is_not_to_be_done_here_is_not() -> None:
    keybindings = KeybindingsManager(default_keybindings(), {"app.clear": "f5", "app.exit": "f5"})
    done: list[str] = []
    handlers = {action: lambda: done.append("x") for action in ("app.clear", "app.model.select")}
    assert not take_action(KEY, handlers, keybindings, only=frozenset({"app.model.select"}))
    assert done == []


async def test_a_menu_has_its_page_keys_and_closes_by_the_key_that_interrupts(
    tmp_path: Path,
) -> None:
    agent_dir = tmp_path / "agent"
    agent_dir.mkdir()
    keys = {
        "app.interrupt": "alt+1",
        "app.tools.expand": "alt+2",
        "tui.select.pageDown": "alt+2",
        "tui.altScreen.pageDown": [],
    }
    (agent_dir / "keybindings.json").write_text(json.dumps(keys))
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.type("/")
        await program.pilot.wait_for("→ help")
        program.pilot.press("alt+2")
        program.pilot.tui.render_now()
        assert "→ help" not in program.pilot.screen()
        assert "→ " in program.pilot.screen()
        program.pilot.press("alt+1")
        program.pilot.tui.render_now()
        assert "→ " not in program.pilot.screen()
        assert program.app.composer.get_text() == "/"
