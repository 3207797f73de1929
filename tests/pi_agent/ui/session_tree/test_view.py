"""The list of a session's tree: which entries show, how they hang together, and how one moves among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.resources.themes import load_bundled_theme
from pi_agent.session.entries import Entry
from pi_agent.session.store import SessionManager
from pi_agent.ui.session_tree.filters import FILTERS
from pi_agent.ui.session_tree.view import TreeList
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.events import KeyEvent
from pi_tui.width import visible_width
from tests.pi_agent.ui.session_tree.trees import message, session_of, two_ways

THEME = load_bundled_theme("dark", color_mode="truecolor")


class CountingTree(TreeList):
    """Counts the rows that are drawn."""

    drawn = 0

    def draw_row(self, index: int, width: int, is_selected: bool) -> str:
        self.drawn += 1
        return super().draw_row(index, width, is_selected)


def tree_of(session: SessionManager, **more: Any) -> CountingTree:
    return CountingTree(
        session, THEME, max_visible=more.pop("max_visible", 30), on_pick=lambda entry: None, **more
    )


def shown(tree: TreeList, width: int = 60) -> list[str]:
    return [strip_terminal_sequences(row).rstrip() for row in tree.render(width)]


def selected(tree: TreeList) -> str:
    entry = tree.get_selected()
    return entry.id if entry is not None else ""


def test_the_branch_with_the_leaf_comes_first_and_lines_stand_where_it_forks() -> None:
    assert shown(tree_of(two_ways())) == [
        "  • user: find the bug",
        "  • assistant: I look.",
        "  ├─ • user: in the lexer",
        "  │  • [read: a.py]",
        "→ │  • [found] assistant: There it is.",
        "  └─ user: in the parser",
        "     assistant: (aborted)",
    ]


def test_after_a_move_the_other_branch_comes_first() -> None:
    session = two_ways()
    session.branch("a4")
    rows = shown(tree_of(session))
    assert rows[2:4] == ["  ├─ • user: in the parser", "→ │  • assistant: (aborted)"]
    assert rows[4] == "  └─ user: in the lexer"


FILTERED = {
    "default": ["u1", "a1", "u2", "r2", "a3", "u3", "a4"],
    "no-tools": ["u1", "a1", "u2", "a3", "u3", "a4"],
    "user-only": ["u1", "u2", "u3"],
    "labeled-only": ["a3"],
    "all": ["m", "u1", "a1", "u2", "r2", "a3", "l1", "u3", "a4"],
}


@pytest.mark.parametrize("name", FILTERS)
def test_each_filter_shows_its_entries(name: str) -> None:
    tree = tree_of(two_ways(), filter_name=name)
    keys = [tree.row_key(index) for index in range(tree.row_count())]
    assert [key.id for key in keys if isinstance(key, Entry)] == FILTERED[name]


def test_an_answer_without_text_shows_where_the_conversation_is() -> None:
    session = two_ways()
    session.branch("a2")
    assert "  │  • assistant: (no text)" in [
        row.replace("→", " ") for row in shown(tree_of(session))
    ]


def test_a_filter_that_hides_the_selection_gives_it_back() -> None:
    tree = tree_of(two_ways())
    tree.set_filter("user-only")
    assert selected(tree) == "u2"
    tree.set_filter("default")
    assert selected(tree) == "a3"
    tree.set_selected_index(0)
    tree.select(1)
    tree.set_filter("labeled-only")
    assert selected(tree) == "a3"
    tree.set_filter("all")
    assert selected(tree) == "a1"


def test_all_words_of_a_search_must_be_there_in_the_label_too() -> None:
    tree = tree_of(two_ways())
    tree.search("IN LEXER")
    assert shown(tree) == ["→ • user: in the lexer"]
    tree.search("in  user")
    assert shown(tree) == [
        "  • user: find the bug",
        "→ ├─ • user: in the lexer",
        "  └─ user: in the parser",
    ]
    tree.search("found there")
    assert shown(tree) == ["→ • [found] assistant: There it is."]
    tree.search("nowhere")
    assert shown(tree) == ["  No entry matches"]
    tree.search("")
    assert selected(tree) == "a3"


def test_a_branch_folds_at_its_beginning_and_jumps_lead_from_one_to_the_next() -> None:
    tree = tree_of(two_ways())
    tree.fold_or_go_up()
    assert selected(tree) == "u2"
    tree.fold_or_go_up()
    assert shown(tree)[2:] == [
        "→ ├─ ▸ • user: in the lexer",
        "  └─ user: in the parser",
        "     assistant: (aborted)",
    ]
    tree.unfold_or_go_down()
    assert tree.row_count() == 7
    tree.unfold_or_go_down()
    assert selected(tree) == "a3"
    tree.fold_or_go_up()
    tree.fold_or_go_up()
    tree.unfold_or_go_down()
    tree.select(0)
    tree.unfold_or_go_down()
    assert selected(tree) == "u2"


def test_the_first_one_folds_all() -> None:
    tree = tree_of(two_ways())
    tree.select(0)
    tree.fold_or_go_up()
    assert shown(tree) == ["→ ▸ • user: find the bug"]


def test_times_of_labels_show_when_asked_for() -> None:
    tree = tree_of(two_ways())
    assert "03-04" not in "".join(shown(tree))
    tree.toggle_times()
    assert any("[found 03-0" in row for row in shown(tree))


def test_a_time_that_is_none_is_shown_as_it_is() -> None:
    session = two_ways()
    [label] = session.get_labels().values()
    label.raw["timestamp"] = "9999-12-31T23:59:59-12:00"
    tree = tree_of(session)
    tree.toggle_times()
    assert any("[found 9999-12-31T23:59:59-12:00]" in row for row in shown(tree))


def test_several_roots_are_ways_to_go_on_from_nothing() -> None:
    session = session_of(
        ("u1", None, message("user", "one")), ("u2", "gone", message("user", "two"))
    )
    assert shown(tree_of(session)) == ["→ ├─ • user: two", "  └─ user: one"]


def chain(count: int) -> SessionManager:
    lines: list[tuple[str, str | None, dict[str, Any]]] = []
    for number in range(count):
        role = "assistant" if number % 2 else "user"
        parent = None if number == 0 else f"e{number - 1 - (number % 7 == 6)}"
        lines.append((f"e{number}", parent, message(role, f"message {number}")))
    return session_of(*lines)


def test_moving_among_10_000_entries_draws_what_is_in_sight() -> None:
    tree = tree_of(chain(10_000), max_visible=15)
    tree.render(80)
    assert tree.drawn == 15
    for key in ("up", "up", "down", "pageUp", "pageDown", "home", "end"):
        tree.drawn = 0
        tree.handle_key(KeyEvent(key))
        tree.render(80)
        assert tree.drawn <= 15
    tree.drawn = 0
    tree.render(80)
    assert tree.drawn == 0


def test_a_deep_tree_needs_neither_recursion_nor_lines_without_end() -> None:
    lines: list[tuple[str, str | None, dict[str, Any]]] = [("e0", None, message("user", "0"))]
    for number in range(1, 4000):
        lines.append((f"e{number}", f"e{number - 1}", message("user", f"{number}")))
        lines.append((f"x{number}", f"e{number - 1}", message("user", "aside")))
    tree = tree_of(session_of(*lines), max_visible=5)
    for width in (40, 400):
        assert all(visible_width(row) <= min(width, 100) for row in tree.render(width))


trees = st.lists(
    st.tuples(
        st.integers(0, 30),
        st.sampled_from(["user", "assistant", "toolResult", "label", "empty", "usage"]),
        st.text(alphabet="ab \n\x1b[31m日本\u200b\x07", max_size=30),
    ),
    max_size=30,
)


def grown(lines: Sequence[tuple[int, str, str]]) -> SessionManager:
    made: list[tuple[str, str | None, dict[str, Any]]] = []
    for number, (back, kind, text) in enumerate(lines):
        parent = f"e{number - 1 - back % number}" if number and back % 5 != 4 else None
        fields = message(kind if kind != "empty" else "assistant", text if kind != "empty" else "")
        if kind == "label":
            fields = {"type": "label", "targetId": parent or "e0", "label": text}
        elif kind == "usage":
            fields = {"type": "usage", "kind": text}
        made.append((f"e{number}", parent, fields))
    return session_of(*made)


@settings(max_examples=60)
@given(
    lines=trees,
    width=st.integers(1, 50),
    name=st.sampled_from(list(FILTERS)),
    query=st.sampled_from(["", "a", "日"]),
)
def test_any_tree_shows_each_entry_once_below_its_parent_and_no_row_is_too_wide(
    lines: list[tuple[int, str, str]], width: int, name: str, query: str
) -> None:
    session = grown(lines)
    tree = tree_of(session, filter_name=name)
    tree.search(query)
    for row in tree.render(width):
        assert visible_width(row) <= width
        assert not set(strip_terminal_sequences(row)) & set("\n\r\t\x07\x1b")
    keys = [tree.row_key(index) for index in range(tree.row_count())]
    order = [key.id for key in keys if isinstance(key, Entry)]
    assert len(set(order)) == len(order)
    for entry_id in order:
        above = [entry.id for entry in session.get_branch(entry_id)][:-1]
        places = [order.index(each) for each in above if each in order]
        assert places == sorted(places)
        assert not places or places[-1] < order.index(entry_id)
    if name == "all" and not query:
        hidden = sum(1 for entry in session.get_entries() if entry.type == "usage")
        assert len(order) >= len(lines) - hidden - sum(
            kind == "empty" for _, kind, _ in lines
        ) - sum(kind == "assistant" and not text.strip() for _, kind, text in lines)
