"""pi is killed at random moments, and whatever it had said to be saved is there when it starts again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pi_agent.llm.messages import UserMessage
from pi_agent.session.store import SessionManager
from tests.pi_agent.session.killing import STEPS, KilledSession, chance, entries_of
from tests.pi_process import ROOT, Pi
from tests.warm_start import start_process

# So often one session is gone on with; then another begins, which may be killed before it has a file.
_KILLS_OF_ONE = 10


@pytest.mark.parametrize(
    "kills", [20, pytest.param(300, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])]
)
def test_a_killed_pi_has_lost_nothing_that_it_told_to_be_saved(kills: int, pi: Pi) -> None:
    moments = chance()
    pi.plays(*STEPS)
    for number in range(kills):
        if number % _KILLS_OF_ONE == 0:
            session = KilledSession(pi, pi.folder / f"{number}.jsonl", moments)
        session.go_on_and_be_killed()
        session.check(entries_of)
        if number % 4 == 3 and session.path.exists():
            session.lose_the_end()
            session.check(entries_of)
        if number % _KILLS_OF_ONE == _KILLS_OF_ONE - 1:
            told = session.go_on_to_the_end()
            session.check(entries_of)
            assert told[-1]["type"] == "agent_settled"


def test_a_loader_that_leaves_out_the_last_line_would_be_found(pi: Pi) -> None:
    pi.plays(*STEPS)
    session = KilledSession(pi, pi.folder / "s.jsonl", chance())
    session.go_on_to_the_end()
    with pytest.raises(AssertionError):
        session.check(lambda path: entries_of(path)[:-1])
    session.check(entries_of)


@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=pytest.mark.soak)])
def test_what_is_made_of_sessions_survives_a_kill(kills: int, tmp_path: Path) -> None:
    """Forks, copies, imports, branches and names: what was told to be done is there, and every file can be opened."""
    moments = chance()
    for number in range(kills):
        folder = tmp_path / str(number)
        (folder / "inbox").mkdir(parents=True)
        told = _work_until_killed(folder, moments.randint(1, 30))
        for path in folder.glob("*/*.jsonl"):
            session = SessionManager.open(path)
            entries = session.get_entries()
            assert len(entries) >= told.get(str(path), 0)
            # A copy that was not finished goes no further than it goes.
            ids = {entry.id for entry in entries}
            assert all(entry.parent_id in ids or entry.parent_id is None for entry in entries)
            session.append_message(UserMessage(content="after the kill"))
            session.close()
            again = SessionManager.open(path)
            again.close()
            assert len(again.get_entries()) == len(entries) + 1
        assert told.keys() <= {str(path) for path in folder.glob("sessions/*.jsonl")}


def _work_until_killed(folder: Path, most: int) -> dict[str, int]:
    """Return the files that were told to be done, each with the number of its entries."""
    process = start_process(
        [sys.executable, "-m", "tests.programs.session_work", folder],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    heard = b"".join(process.stdout.readline() for _ in range(most))
    process.kill()
    rest, errors = process.communicate()
    assert errors == b""
    lines = (heard + rest).decode().split("\n")[:-1]
    pairs = (line.rpartition(" ") for line in lines)
    return {path: int(count) for path, _, count in pairs}
