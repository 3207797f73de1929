"""Cells of a string, and cutting by column."""

from __future__ import annotations

import re

import pytest
import urwid
import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.width import (
    expand_tabs,
    grapheme_width,
    iter_cells,
    iter_graphemes,
    iter_graphemes_reverse,
    normalize_terminal_output,
    slice_by_column,
    slice_with_width,
    truncate_to_width,
    visible_width,
)
from tests.cases import TextCase, read_cases
from tests.pi_tui.look import columns, end_look, read
from tests.pi_tui.strategies import plain_texts, styled_lines

WIDTHS = st.integers(min_value=1, max_value=12)
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
CASES = settings(max_examples=100)


def title(case: TextCase) -> str:
    return case.title


@pytest.mark.parametrize("case", read_cases("visible_width"), ids=title)
def test_a_text_takes_the_cells_of_its_graphemes(case: TextCase) -> None:
    assert visible_width(case.text("text")) == case.number("width")


def test_urwid_counts_the_same_cells() -> None:
    """Where no controls are, which urwid counts, and no joiner stands between letters."""
    texts = [case.text("text") for case in read_cases("visible_width")]
    texts = [text for text in texts if not CONTROL.search(text) and text != "a\u200db"]
    assert len(texts) > 20
    assert {text: urwid.calc_width(text, 0, len(text)) for text in texts} == {
        text: visible_width(text) for text in texts
    }


@CASES
@given(st.text(max_size=20))
def test_any_text_has_a_width(text: str) -> None:
    assert visible_width(text) >= 0


@CASES
@given(styled_lines)
def test_the_width_of_a_line_is_that_of_its_pieces(line: str) -> None:
    pieces = list(iter_cells(line))
    assert sum(cells for _, _, cells, _ in pieces) == visible_width(line)
    assert all(len(piece) == cells for _, piece, cells, is_run in pieces if is_run)
    assert "".join(piece for _, piece, _, _ in pieces) == strip_terminal_sequences(line)


@CASES
@given(plain_texts)
def test_pieces_that_may_be_cut_anywhere_hold_one_grapheme_a_character(text: str) -> None:
    graphemes = [
        part for _, piece, _, is_run in iter_cells(text) for part in (piece if is_run else [piece])
    ]
    assert graphemes == list(wcwidth.iter_graphemes(text))


@CASES
@given(plain_texts)
def test_graphemes_are_the_same_from_both_ends(text: str) -> None:
    assert list(iter_graphemes_reverse(text))[::-1] == list(iter_graphemes(text))


def test_a_tab_is_a_grapheme_of_three_cells() -> None:
    assert grapheme_width("\t") == 3


def test_every_character_that_may_be_in_a_run_takes_one_cell_beside_its_like() -> None:
    runs = [f"x{chr(code)}x" for code in range(0x20, 0x3000)]
    runs = [run for run in runs if [cell[1] for cell in iter_cells(run)] == [run]]
    assert len(runs) > 2000
    wrong = [
        run
        for run in runs
        if wcwidth.wcswidth(run * 2) != 6 or list(wcwidth.iter_graphemes(run)) != list(run)
    ]
    assert wrong == []


def test_a_tab_becomes_spaces_but_not_in_a_link_target() -> None:
    link = "\x1b]8;;http://x/\t\x1b\\"
    assert expand_tabs(f"{link}a\tb") == f"{link}a   b"


def test_the_terminal_gets_thai_and_lao_am_decomposed_and_no_tabs() -> None:
    link = "\x1b]8;;http://x/\u0e33\x1b\\"
    assert normalize_terminal_output(f"{link}\u0e01\u0e33\t\u0e81\u0eb3") == (
        f"{link}\u0e01\u0e4d\u0e32   \u0e81\u0ecd\u0eb2"
    )


# Truncating


@pytest.mark.parametrize("case", read_cases("truncate_to_width"), ids=title)
def test_truncating(case: TextCase) -> None:
    ellipsis = "".join(case.texts("ellipsis")) if case.texts("ellipsis") else "..."
    result = truncate_to_width(case.text("text"), case.number("width"), ellipsis, case.flag("pad"))
    assert result == case.text("expect")


@CASES
@given(styled_lines, WIDTHS, st.sampled_from(["...", "…", "", "日"]))
def test_a_truncated_text_is_never_wider_than_asked(line: str, width: int, ellipsis: str) -> None:
    assert visible_width(truncate_to_width(line, width, ellipsis)) <= width
    assert visible_width(truncate_to_width(line, width, ellipsis, pad=True)) == width


@CASES
@given(styled_lines, WIDTHS)
def test_what_is_kept_is_the_start_of_the_text_with_its_look(line: str, width: int) -> None:
    result = read(truncate_to_width(line, width, ""))
    assert result == read(line)[: len(result)]


@CASES
@given(styled_lines, WIDTHS)
def test_a_cut_text_leaves_nothing_open(line: str, width: int) -> None:
    result = truncate_to_width(line, width)
    if result != line:
        assert end_look(result) == ""


# Slicing


@pytest.mark.parametrize("case", read_cases("slice_by_column"), ids=title)
def test_slicing(case: TextCase) -> None:
    result = slice_by_column(
        case.text("text"), case.number("start"), case.number("length"), case.flag("strict")
    )
    assert read(result) == read(case.text("expect"))


@CASES
@given(styled_lines, st.integers(0, 12), WIDTHS)
def test_a_strict_slice_shows_exactly_its_columns(line: str, start: int, length: int) -> None:
    result, width = slice_with_width(line, start, length, strict=True)
    assert width == visible_width(result) == max(0, min(length, visible_width(line) - start))
    assert end_look(result) == ""


@CASES
@given(styled_lines, st.integers(0, 30))
def test_a_line_cut_where_no_grapheme_is_and_joined_looks_the_same(line: str, cut: int) -> None:
    whole = columns(line)
    if cut < len(whole) and not whole[cut][0]:
        return
    left = slice_by_column(line, 0, cut, strict=True)
    right = slice_by_column(line, cut, len(whole), strict=True)
    assert columns(left) + columns(right) == whole


@CASES
@given(styled_lines, st.integers(0, 12), WIDTHS)
def test_each_cell_of_a_strict_slice_keeps_its_column_and_look(
    line: str, start: int, length: int
) -> None:
    whole = columns(line)[start : start + length]
    part = columns(slice_by_column(line, start, length, strict=True))
    assert [look for _, look in part] == [look for _, look in whole]
    assert all(new == old or new == " " for (new, _), (old, _) in zip(part, whole, strict=True))
