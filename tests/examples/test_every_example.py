"""What holds for every example extension."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import get_args

import pytest

from pi_agent.extensions.context import Mode
from pi_agent.extensions.loader import load_extensions
from tests.pi_agent.extensions.support import run

pytestmark = pytest.mark.anyio

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "extensions"


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: str(path.stem))
async def test_it_loads_in_every_mode_and_leaves_nothing_behind(path: Path, mode: Mode) -> None:
    """Three generations: the first and two reloads."""
    modules, tasks = set(sys.modules), asyncio.all_tasks()
    for generation in range(3):
        result = await load_extensions([path], cwd=FOLDER, generation=generation)
        running = run(result)
        running.session.mode, running.session.has_ui = mode, mode in ("tui", "rpc")
        await running.runner.start("reload" if generation else "startup")
        assert await running.runner.shutdown("reload") == []
        running.runner.invalidate("reloaded")
        assert (running.errors, running.runner.warnings()) == ([], [])
    assert asyncio.all_tasks() == tasks
    assert not [name for name in set(sys.modules) - modules if name.startswith("_pi_ext_")]
