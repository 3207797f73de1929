"""Moving by words."""

from __future__ import annotations

import pytest
import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.words import next_word_end, previous_word_start
from tests.cases import TextCase, read_cases
from tests.pi_tui.strategies import plain_texts

CASES = settings(max_examples=100)


def title(case: TextCase) -> str:
    return case.title


def boundaries(text: str) -> set[int]:
    """Return the offsets where a grapheme starts or the text ends."""
    offsets = {0}
    for grapheme in wcwidth.iter_graphemes(text):
        offsets.add(max(offsets) + len(grapheme))
    return offsets


@pytest.mark.parametrize("case", read_cases("words"), ids=title)
def test_one_word(case: TextCase) -> None:
    text, index = case.text("text"), case.number("from")
    if any(name == "left" for name, _ in case.values):
        assert previous_word_start(text, index) == case.number("left")
    else:
        assert next_word_end(text, index) == case.number("right")


@CASES
@given(plain_texts)
def test_going_word_by_word_ends_at_the_text_s_ends_and_never_inside_a_grapheme(text: str) -> None:
    allowed = boundaries(text)
    right, left = [0], [len(text)]
    while right[-1] < len(text):
        right.append(next_word_end(text, right[-1]))
        assert right[-1] > right[-2]
    while left[-1] > 0:
        left.append(previous_word_start(text, left[-1]))
        assert left[-1] < left[-2]
    assert set(right) | set(left) <= allowed
    assert left[-1] == 0
    assert right[-1] == len(text)


@CASES
@given(st.text("ab1_ .-\t日あ", max_size=20), st.integers(0, 20))
def test_a_move_to_the_right_ends_with_the_word_and_one_to_the_left_begins_with_it(
    text: str, index: int
) -> None:
    index = min(index, len(text))
    passed = text[index : next_word_end(text, index)]
    assert passed == "" or passed.isspace() or not passed[-1].isspace()
    passed = text[previous_word_start(text, index) : index]
    assert passed == "" or passed.isspace() or not passed[0].isspace()


MARKED = "see [paste #1 +12 lines]now"
MARKER = (4, 24)


def test_a_unit_is_one_word_in_both_directions() -> None:
    units = [MARKER]
    assert previous_word_start(MARKED, 27, units) == 24
    assert previous_word_start(MARKED, 24, units) == 4
    assert previous_word_start(MARKED, 4, units) == 0
    assert next_word_end(MARKED, 0, units) == 3
    assert next_word_end(MARKED, 3, units) == 24
    assert next_word_end(MARKED, 24, units) == 27


def test_from_inside_a_unit_a_move_ends_at_its_edge() -> None:
    assert previous_word_start(MARKED, 10, [MARKER]) == 4
    assert next_word_end(MARKED, 10, [MARKER]) == 24


def test_two_units_side_by_side_are_two_words() -> None:
    text = "[paste #1][paste #2]"
    units = [(0, 10), (10, 20)]
    assert previous_word_start(text, 20, units) == 10
    assert next_word_end(text, 0, units) == 10


def test_without_units_the_same_characters_are_plain_text() -> None:
    assert previous_word_start(MARKED, 24) == 23
