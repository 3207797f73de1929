"""How lines become a tree, whatever their parents say."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.llm.messages import UserMessage
from pi_agent.session.file import SessionError
from pi_agent.session.store import SessionManager
from pi_agent.session.tree import EntryTree, TreeNode


def line(entry_id: str, parent_id: str | None, second: int = 0, **fields: Any) -> dict[str, Any]:
    stamp = f"2026-03-04T05:06:{second:02d}.000Z"
    return {
        "type": "custom",
        "id": entry_id,
        "parentId": parent_id,
        "timestamp": stamp,
        **fields,
    }


def ids(entries: Iterable[Any]) -> list[str]:
    return [entry.id for entry in entries]


def every(nodes: list[TreeNode]) -> list[TreeNode]:
    found, pending = [], list(nodes)
    while pending:
        node = pending.pop()
        found.append(node)
        pending.extend(node.children)
    return found


def session_with(*texts: str) -> SessionManager:
    session = SessionManager.in_memory("/srv/app")
    for text in texts:
        session.append_message(UserMessage(content=text))
    return session


def test_the_leaf_is_the_last_line_whatever_branch_it_is_on() -> None:
    tree = EntryTree([line("a", None), line("b", "a"), line("c", "a"), line("d", "b")])
    assert tree.leaf is tree.get("d")
    assert ids(tree.branch()) == ["a", "b", "d"]
    assert ids(tree.branch("c")) == ["a", "c"]


def test_children_come_by_time_then_by_their_place_in_the_file() -> None:
    tree = EntryTree([line("a", None), line("late", "a", 9), line("b", "a", 5), line("c", "a", 5)])
    assert ids(tree.children_of("a")) == ["b", "c", "late"]


def test_an_unknown_parent_makes_a_root_that_is_shown() -> None:
    tree = EntryTree([line("a", None), line("b", "gone")])
    assert ids([node.entry for node in tree.roots()]) == ["a", "b"]
    assert ids(tree.branch()) == ["b"]


def test_a_parent_may_come_later_in_the_file() -> None:
    tree = EntryTree([line("c", "b"), line("a", None), line("b", "a")])
    assert ids(tree.branch("c")) == ["a", "b", "c"]
    assert len(tree.roots()) == 1


@pytest.mark.parametrize("lines", [[line("a", "a")], [line("a", "b"), line("b", "a")]])
def test_parents_in_a_circle_end_and_hide_nothing(lines: list[dict[str, Any]]) -> None:
    tree = EntryTree(lines)
    assert len(tree.branch()) == len(lines)
    assert len(every(tree.roots())) == len(lines)


def test_a_repeated_id_goes_to_the_first_and_so_do_its_children() -> None:
    lines = [line("a", None), line("b", "a", data=1), line("b", "a", data=2), line("c", "b")]
    tree = EntryTree(lines)
    first, second = tree.children_of("a")
    assert (first.raw["data"], second.raw["data"]) == (1, 2)
    assert second.id != "b"
    assert ids(tree.branch("c")) == ["a", "b", "c"]


def test_an_id_given_in_memory_is_the_same_after_the_next_load() -> None:
    lines = [line("a", None), line("a", "a"), {"type": "custom", "parentId": "a"}]
    tree = EntryTree(lines)
    assert tree.leaf is not None
    longer = EntryTree([*lines, line("next", tree.leaf.id)])
    assert ids(longer.branch()) == ["a", tree.leaf.id, "next"]


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefg"), st.sampled_from([None, *"abcdefgz"])), max_size=12
    )
)
def test_every_line_is_in_the_tree_exactly_once(pairs: list[tuple[str, str | None]]) -> None:
    tree = EntryTree([line(entry_id, parent) for entry_id, parent in pairs])
    shown = ids([node.entry for node in every(tree.roots())])
    assert sorted(shown) == sorted(ids(tree.all()))
    assert len(set(shown)) == len(pairs)
    for entry in tree.all():
        path = tree.branch(entry.id)
        assert path[-1] is entry
        assert all(after.parent_id == before.id for before, after in pairwise(path))


def test_a_long_branch_does_not_recurse() -> None:
    count = sys.getrecursionlimit() * 20
    parents = [None, *(str(number) for number in range(count))]
    tree = EntryTree(line(str(number), parents[number]) for number in range(count))
    assert len(tree.branch()) == count
    assert len(every(tree.roots())) == count


def test_a_branch_goes_on_from_where_it_was_sent() -> None:
    session = session_with("a", "b")
    first, second = session.get_entries()
    session.branch(first.id)
    third = session.append_message(UserMessage(content="c"))
    assert third.parent_id == first.id
    assert ids(session.get_children(first.id)) == [second.id, third.id]
    session.reset_leaf()
    assert session.get_branch() == []
    assert session.append_message(UserMessage(content="d")).parent_id is None
    assert len(session.get_tree()) == 2


def test_a_branch_summary_names_the_leaf_that_was_left() -> None:
    session = session_with("a", "b")
    first, second = session.get_entries()
    summary = session.branch_with_summary(first.id, "tried b")
    assert (summary.parent_id, summary.from_id) == (first.id, second.id)
    session.reset_leaf()
    assert session.branch_with_summary(None, "again").from_id == "root"


def test_the_latest_label_counts_on_every_branch() -> None:
    session = session_with("a", "b")
    first, second = session.get_entries()
    session.append_label(first.id, "start")
    label = session.append_label(first.id, "begin")
    session.append_label(second.id, "x")
    session.append_label(second.id, None)
    session.branch(first.id)
    root = session.get_tree()[0]
    assert (root.label, root.label_timestamp) == ("begin", label.timestamp)
    assert session.get_label(first.id) == "begin"
    assert session.get_label(second.id) is None


def test_the_latest_name_counts_and_an_empty_one_clears_it() -> None:
    session = session_with("a")
    assert session.get_session_name() is None
    session.append_session_info("one")
    session.append_session_info(" two\r\nlines ")
    assert session.get_session_name() == "two lines"
    session.append_session_info(" ")
    assert session.get_session_name() is None


def test_an_edit_needs_a_message_of_the_active_branch() -> None:
    session = session_with("a", "b")
    first, second = session.get_entries()
    change = session.append_model_change("acme", "fast-1")
    with pytest.raises(SessionError, match="no content that can be replaced"):
        session.append_context_edit(change.id, "x")
    session.branch(first.id)
    with pytest.raises(SessionError, match="not on the active branch"):
        session.append_context_edit(second.id, "x")
