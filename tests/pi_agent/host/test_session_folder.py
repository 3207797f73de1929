"""Sessions of other folders: copied here, and refused where theirs is gone and nobody is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pi_agent.host.test_services import Run
from tests.pi_agent.session.saved import save_session

pytestmark = pytest.mark.anyio


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def elsewhere(run: Run, cwd: Path) -> Path:
    folder = run.agent_dir / "sessions" / "--else-where--"
    return save_session(folder, "theirs", ["what is a parser"], cwd=str(cwd))


@pytest.mark.parametrize("named", ["file", "id"])
async def test_a_fork_has_every_entry_and_belongs_here(
    run: Run, tmp_path: Path, named: str
) -> None:
    path = elsewhere(run, tmp_path / "gone")
    before = path.read_bytes()
    reference = str(path) if named == "file" else "thei"
    async with run.services(fork=reference, session_id="mine", model="demo/echo") as services:
        assert services.problems == []
        assert services.conversation.get_last_assistant_text() == "re: what is a parser"
        await services.conversation.prompt("go on")
        session = services.conversation.session
        assert session.get_session_id() == "mine"
        assert session.get_header().parent_session == str(path)
        assert session.get_cwd() == str(run.project)
        file = session.get_session_file()
        assert file is not None
        assert file.parent.name == "--" + str(run.project)[1:].replace("/", "-") + "--"
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        assert lines[1:3] == [json.loads(line) for line in before.splitlines()[1:]]
    assert path.read_bytes() == before


async def test_a_session_whose_folder_is_gone_names_both_folders(run: Run, tmp_path: Path) -> None:
    path = elsewhere(run, tmp_path / "gone")
    async with run.services(session=str(path), model="demo/echo") as services:
        (problem,) = services.problems
        assert problem.kind == "choice"
        for part in (str(tmp_path / "gone"), str(run.project), f"pi --fork {path}"):
            assert part in problem.text
    tmp_path.joinpath("gone").mkdir()
    async with run.services(session=str(path), model="demo/echo") as services:
        assert services.problems == []


async def test_what_cannot_be_forked_is_told(run: Run) -> None:
    async with run.services(fork="nope", model="demo/echo") as services:
        (problem,) = services.problems
        assert problem.text.startswith("No session found for nope")
