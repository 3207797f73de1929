"""The gate before dangerous shell commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.loop.tool import ToolCallDecision
from tests.pi_agent.extensions.support import run_files

pytestmark = pytest.mark.anyio

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "extensions" / "permission_gate.py"

DANGEROUS = [
    "rm -rf build",
    "cd /tmp && rm -fr x",
    "rm -r -f x",
    "rm --recursive --force x",
    "rm \\\n  -Rf x",
    "sudo apt-get update",
    "echo hi; sudo -s",
    "chmod 777 file",
    "chmod -R 0777 .",
]
HARMLESS = [
    "ls -la",
    "rm note.txt",
    "rm -f a.txt",
    "rm a.txt; grep -rf patterns .",
    "chmod 755 run.sh",
    "echo pseudo",
    "",
]


@pytest.mark.parametrize("command", DANGEROUS)
async def test_a_dangerous_command_runs_only_after_a_yes(command: str) -> None:
    """The dialog shows the whole command."""
    gate = await run_files([EXAMPLE], True, False)
    assert await gate.call("bash", command=command) is None
    assert await gate.call("bash", command=command) == ToolCallDecision(
        block=True, reason="Blocked by the user"
    )
    assert [message for _, message in gate.person.asked] == [command, command]
    assert gate.errors == []


@pytest.mark.parametrize("command", DANGEROUS)
async def test_without_ui_a_dangerous_command_is_blocked(command: str) -> None:
    """Nobody is asked, and the model reads why."""
    gate = await run_files([EXAMPLE])
    gate.session.has_ui, gate.session.mode = False, "print"
    decision = await gate.call("bash", command=command)
    assert decision is not None
    assert decision.block
    assert "nobody can be asked" in (decision.reason or "")
    assert gate.person.asked == []


@pytest.mark.parametrize("command", HARMLESS)
async def test_a_harmless_command_passes_unasked(command: str) -> None:
    """As do other tools, whatever their arguments say."""
    gate = await run_files([EXAMPLE])
    assert await gate.call("bash", command=command) is None
    assert await gate.call("write", path="x", content="sudo rm -rf /") is None
    assert gate.person.asked == []
