"""What the benchmarks measure with is what pi reads, and their table says what it should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.content import LAST_LINE, write_session
from benchmarks.figures import Figure, table
from pi_agent.llm.messages import AssistantMessage, text_of
from pi_agent.session.entries import MessageEntry
from pi_agent.session.store import SessionManager

ROOT = Path(__file__).resolve().parents[2]


def test_a_session_of_any_length_can_be_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    write_session(file, cwd=tmp_path, entries=23)
    session = SessionManager.open(file)
    messages = session.build_session_projection()
    session.close()
    assert session.notices == []
    assert len(messages) == 23
    assert isinstance(messages[-1], AssistantMessage)
    assert text_of(messages[-1].content) == LAST_LINE
    assert {e.role for e in session.get_branch() if isinstance(e, MessageEntry)} == {
        "user",
        "assistant",
        "toolResult",
    }


def test_the_table_marks_what_misses_its_aim() -> None:
    lines = table(
        [
            Figure("Keys", "CPU of a key", "ms", [3.0, 1.0, 2.0], aim=1.5),
            Figure("Keys", "key to frame", "ms", [0.5], aim=1, feels_load=True),
            Figure("Start", "peak memory", "MB", []),
        ]
    ).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[3] == ["CPU of a key, ms", "2.00", "1.00", "3.00", "≤ 1.50", "!"]
    assert cells[4] == ["key to frame, ms *", "0.5", "0.5", "0.5", "≤ 1.00", ""]
    assert cells[6] == ["peak memory, MB", "failed", "", "", "", "!"]


def test_the_command_says_what_can_be_measured() -> None:
    argv = [sys.executable, "-m", "benchmarks", "--help"]
    usage = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "startup, keys, streaming, sessions, loop, toolkit" in usage
