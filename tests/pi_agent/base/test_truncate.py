"""Cutting text by lines and bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.truncate import format_size, truncate_head, truncate_line, truncate_tail

texts = st.text(st.sampled_from("ab\n你👍é"), max_size=60)
limits = st.integers(min_value=1, max_value=30)


@given(texts, limits, limits)
@settings(max_examples=200)
def test_a_head_is_whole_lines_from_the_start_within_both_limits(
    text: str, lines: int, size: int
) -> None:
    result = truncate_head(text, max_lines=lines, max_bytes=size)
    assert text.startswith(result.content)
    assert len(result.content.encode()) <= size
    assert result.output_bytes == len(result.content.encode())
    assert result.output_lines <= lines
    rest = text[len(result.content) :]
    assert rest == "" or result.content == "" or rest.startswith("\n")


@given(texts, limits, limits)
@settings(max_examples=200)
def test_a_tail_is_whole_lines_from_the_end_within_both_limits(
    text: str, lines: int, size: int
) -> None:
    result = truncate_tail(text, max_lines=lines, max_bytes=size)
    assert len(result.content.encode()) <= size
    assert result.output_bytes == len(result.content.encode())
    assert result.output_lines <= lines
    if not result.truncated:
        assert result.content == text
        return
    lines_of_text = text.removesuffix("\n")
    assert lines_of_text.endswith(result.content)
    before = lines_of_text.removesuffix(result.content)
    assert before == "" or before.endswith("\n") or result.last_line_partial


@given(texts, limits, limits)
@settings(max_examples=200)
def test_what_is_kept_could_not_be_longer(text: str, lines: int, size: int) -> None:
    result = truncate_head(text, max_lines=lines, max_bytes=size)
    more = text.split("\n")[: result.output_lines + 1]
    if result.truncated and result.output_lines < result.total_lines:
        too_many = len(more) > lines
        assert too_many or len("\n".join(more).encode()) > size


def test_a_final_line_end_is_no_line() -> None:
    assert truncate_head("a\nb\n").total_lines == 2
    assert truncate_head("a\nb").total_lines == 2
    assert truncate_head("").total_lines == 0
    assert not truncate_head("a\nb\n", max_lines=2).truncated


def test_which_limit_cut_is_told() -> None:
    assert truncate_head("a\nb\nc\n", max_lines=2).truncated_by == "lines"
    assert truncate_tail("a\nb\nc\n", max_lines=2).content == "b\nc"
    by_bytes = truncate_tail("aaaa\nbb\ncc\n", max_bytes=6)
    assert (by_bytes.content, by_bytes.truncated_by, by_bytes.output_lines) == (
        "bb\ncc",
        "bytes",
        2,
    )


def test_a_first_line_over_the_limit_leaves_nothing() -> None:
    result = truncate_head("x" * 20 + "\nshort\n", max_bytes=10)
    assert (result.content, result.first_line_exceeds_limit) == ("", True)


def test_a_last_line_over_the_limit_keeps_its_end_between_characters() -> None:
    result = truncate_tail("short\n" + "你" * 10 + "\n", max_bytes=10)
    assert (result.content, result.last_line_partial) == ("你你你", True)


def test_a_line_is_cut_by_characters() -> None:
    assert truncate_line("👍" * 4, 4) == ("👍" * 4, False)
    assert truncate_line("👍" * 5, 4) == ("👍" * 4 + "... [truncated]", True)


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "0B"), (812, "812B"), (51200, "50.0KB"), (1468006, "1.4MB")]
)
def test_sizes_are_for_people(size: int, shown: str) -> None:
    assert format_size(size) == shown


def test_details_have_the_keys_of_the_wire() -> None:
    assert truncate_head("a\nb\n", max_lines=1).to_details() == {
        "content": "a",
        "truncated": True,
        "truncatedBy": "lines",
        "totalLines": 2,
        "totalBytes": 4,
        "outputLines": 1,
        "outputBytes": 1,
        "lastLinePartial": False,
        "firstLineExceedsLimit": False,
        "maxLines": 1,
        "maxBytes": 51200,
    }
