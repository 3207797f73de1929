"""Diffs are what other programs take them for."""

from __future__ import annotations

import subprocess
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pi_tui.diff
from pi_tui.diff import diff_lines, diff_words, numbered_diff, split_lines, unified_patch

lines = st.lists(st.sampled_from(["{", "}", "", "a b", "x = 1", "日本"]), max_size=30)
texts = st.builds(lambda parts, last: "\n".join(parts) + last, lines, st.sampled_from(["", "\n"]))


@settings(max_examples=40)
@given(old=texts, new=texts)
def test_git_makes_the_new_text_of_the_old_one_with_the_patch(old: str, new: str) -> None:
    if old == new or not old or not new:
        return
    diff = diff_lines(split_lines(old), split_lines(new))
    with TemporaryDirectory() as folder:
        file = Path(folder, "file")
        file.write_text(old)
        subprocess.run(
            ["git", "apply", "-p0", "--whitespace=nowarn", "-"],
            cwd=folder,
            input=unified_patch(diff, "file"),
            text=True,
            check=True,
            capture_output=True,
        )
        assert file.read_text() == new


@given(old=texts, new=texts)
def test_what_is_not_changed_is_the_same_in_both(old: str, new: str) -> None:
    diff = diff_lines(split_lines(old), split_lines(new))
    old_lines = new_lines = 0
    for change in diff.changes:
        assert diff.old[old_lines : change.old_start] == diff.new[new_lines : change.new_start]
        old_lines, new_lines = change.old_end, change.new_end
    assert diff.old[old_lines:] == diff.new[new_lines:]


@given(old=st.text("ab =.日", max_size=20), new=st.text("ab =.日", max_size=20))
def test_the_pieces_of_two_lines_are_the_lines(old: str, new: str) -> None:
    old_pieces, new_pieces = diff_words(old, new)
    assert "".join(text for text, _ in old_pieces) == old
    assert "".join(text for text, _ in new_pieces) == new
    assert [text for text, changed in old_pieces if not changed] == [
        text for text, changed in new_pieces if not changed
    ]


def test_only_the_words_that_changed_are_marked() -> None:
    old, new = diff_words("the old name of it", "the new name of it")
    assert old == [("the ", False), ("old", True), (" name of it", False)]
    assert new == [("the ", False), ("new", True), (" name of it", False)]


def test_one_line_among_thousands_that_are_alike_is_one_change() -> None:
    old = ["{\n", "}\n", "\n"] * 1000
    new = [*old[:1500], "x\n", *old[1501:]]
    (change,) = diff_lines(old, new).changes
    assert (change.old_start, change.old_end, change.new_end) == (1500, 1501, 1501)


def test_lines_that_are_all_alike_and_all_moved_are_not_compared_in_every_way() -> None:
    """Done thoroughly this takes minutes."""
    old, new = ["}\n", "{\n", "\n"] * 2000, ["\n", "{\n", "}\n", "x\n"] * 1500
    assert len(diff_lines(old, new).changes) >= 1


def test_lines_far_from_a_change_are_left_out() -> None:
    old = [f"line {number}\n" for number in range(1, 101)]
    new = [*old[:49], "changed\n", *old[50:]]
    assert numbered_diff(diff_lines(old, new)).split("\n") == [
        "     ...",
        "  46 line 46",
        "  47 line 47",
        "  48 line 48",
        "  49 line 49",
        "- 50 line 50",
        "+ 50 changed",
        "  51 line 51",
        "  52 line 52",
        "  53 line 53",
        "  54 line 54",
        "     ...",
    ]


@given(old=st.permutations([*"abcdefg", "x", "x"]), new=st.permutations([*"abcdeh", "x", "x"]))
def test_long_texts_compared_piece_by_piece_change_from_one_into_the_other(
    old: list[str], new: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pi_tui.diff, "_MOST_AT_ONCE", 0)
        changes = diff_lines(old, new).changes
    made, at = [], 0
    for change in changes:
        made += [*old[at : change.old_start], *new[change.new_start : change.new_end]]
        at = change.old_end
    assert made + old[at:] == new


def test_many_changes_all_over_a_long_text_are_compared_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[int] = []

    def matcher(_: None, old: list[str], new: list[str], autojunk: bool) -> SequenceMatcher[str]:
        compared.append(len(old) + len(new))
        return SequenceMatcher(None, old, new, autojunk)

    monkeypatch.setattr(pi_tui.diff, "SequenceMatcher", matcher)
    old = [f"line {number}\n" for number in range(9000)]
    new = [line if number % 3 else "new " + line for number, line in enumerate(old)]
    diff = diff_lines(old, new)
    assert len(diff.changes) == 3000
    assert max(compared) <= 2
