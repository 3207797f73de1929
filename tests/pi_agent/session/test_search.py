"""What a query finds among saved sessions, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.session.entries import Header
from pi_agent.session.overview import SessionInfo
from pi_agent.session.search import search_sessions


def session(
    session_id: str, text: str, name: str | None = None, cwd: str = "/srv/app"
) -> SessionInfo:
    header = Header.new(session_id, cwd=cwd, timestamp="2026-01-01T00:00:00.000Z")
    folded = " ".join(text.casefold().split())
    return SessionInfo(Path(f"{session_id}.jsonl"), header, name, 0.0, text, 2, folded)


SESSIONS = (
    session("0001", "please  fix the\nparser today", cwd="/srv/compiler"),
    session("0002", "write a poem about a parser", "Spring poem"),
    session("0003", "rename the module", "parser names"),
    session("00ab", "nothing else"),
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["0001", "0002", "0003", "00ab"]),
        ("   ", ["0001", "0002", "0003", "00ab"]),
        ("parser", ["0003", "0001", "0002"]),
        ("PARSER names", ["0003"]),
        ("compiler today", ["0001"]),
        ('"the parser"', ["0001"]),
        ('"parser the"', []),
        ('"the  PARSER" fix', ["0001"]),
        ('say "the parser', []),
        ("00ab", ["00ab"]),
        ("sprgpm", ["0002"]),
        ("mdl", []),
        ("re:fix\\s+the", ["0001"]),
        ("re:^Spring|^parser", ["0002", "0003"]),
        ("xyzzy", []),
    ],
)
def test_a_query_finds(query: str, expected: list[str]) -> None:
    found = search_sessions(query, SESSIONS)
    assert [info.header.id for info in found.sessions] == expected
    assert found.error is None


def test_a_broken_expression_finds_nothing_and_is_told() -> None:
    found = search_sessions("re:(", SESSIONS)
    assert found.sessions == []
    assert found.error is not None
    assert found.error.startswith("Not a regular expression: ")
