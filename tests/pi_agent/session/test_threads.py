"""Saved sessions as a tree."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pi_agent.session.entries import Header
from pi_agent.session.overview import SessionInfo
from pi_agent.session.threads import thread_sessions


def sessions(*names: str) -> list[SessionInfo]:
    """Return sessions, the newest first; `b<a` was made from `a`."""
    made = []
    for number, written in enumerate(names):
        name, _, parent = written.partition("<")
        origin = f"/s/{parent}" if parent else None
        header = Header.new(name, cwd="/", timestamp="", parent_session=origin)
        made.append(SessionInfo(Path(f"/s/{name}"), header, None, -number, name, 1, name))
    return made


def drawn(*names: str) -> list[str]:
    return [each.lines + each.info.first_message for each in thread_sessions(sessions(*names))]


def test_each_stands_below_its_origin_and_a_branch_where_its_newest_would() -> None:
    assert drawn("a", "b", "c") == ["a", "b", "c"]
    assert drawn("d<b", "a", "c<a", "b", "e<d", "f<b") == [
        "b",
        "├─ d",
        "│  └─ e",
        "└─ f",
        "a",
        "└─ c",
    ]
    assert drawn("a<gone", "b<b") == ["a", "b"]


@given(st.lists(st.integers(0, 8), max_size=8))
def test_none_is_lost_or_told_twice_whatever_they_say_of_their_origin(parents: list[int]) -> None:
    names = [f"{number}<{parent}" for number, parent in enumerate(parents)]
    found = [each.info.first_message for each in thread_sessions(sessions(*names))]
    assert sorted(found) == [str(number) for number in range(len(parents))]


def test_a_chain_of_thousands_is_no_deeper_than_a_list() -> None:
    names = ["0", *(f"{number}<{number - 1}" for number in range(1, 3000))]
    assert len(thread_sessions(sessions(*names))) == 3000
