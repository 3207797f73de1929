"""The gate before protected files, with the real tools behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pi_agent.extensions.support import run_files
from tests.pi_agent.host.test_services import Run
from tests.pi_agent.ui.support import ROOT

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "protected_paths.py"


@pytest.mark.parametrize("tool", ["write", "edit"])
@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "@.env",
        "app/.env.local",
        ".git/config",
        "src/../.git/hooks/pre-commit",
        "./a/b/../../.GIT/config",
        "node_modules/x/index.js",
        "~/.ssh/config",
        "/srv/app/.env",
    ],
)
async def test_a_protected_path_is_not_changed(tool: str, path: str) -> None:
    gate = await run_files([EXAMPLE])
    decision = await gate.call(tool, path=path)
    assert decision is not None
    assert decision.block
    assert "is protected" in (decision.reason or "")


@pytest.mark.parametrize(
    ("tool", "path"),
    [
        ("read", ".env"),
        ("bash", ".git"),
        ("write", "src/main.py"),
        ("edit", "docs/environment.md"),
        ("write", "gitignore/.gitignore"),
    ],
)
async def test_everything_else_goes_on(tool: str, path: str) -> None:
    gate = await run_files([EXAMPLE])
    assert await gate.call(tool, path=path) is None
    assert gate.errors == []


async def test_a_link_is_no_way_around_and_the_model_reads_why(tmp_path: Path) -> None:
    run = Run(tmp_path)
    (run.project / ".env").write_text("KEY=1")
    (run.project / "notes.txt").symlink_to(".env")
    run.plays(
        {"toolCalls": [{"name": "write", "arguments": {"path": "notes.txt", "content": "x"}}]},
        {"toolCalls": [{"name": "write", "arguments": {"path": "other.txt", "content": "x"}}]},
        {"text": "done"},
    )
    async with run.services(extensions=(str(EXAMPLE),)) as services:
        await services.conversation.prompt("go")
    assert run.results[0].startswith(".env is protected.")
    assert (run.project / ".env").read_text() == "KEY=1"
    assert (run.project / "other.txt").read_text() == "x"
