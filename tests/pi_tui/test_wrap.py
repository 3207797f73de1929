"""Wrapping styled text, and laying a background under a line."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pi_tui.width import visible_width
from pi_tui.wrap import apply_background_to_line, wrap_text_with_ansi
from tests.cases import TextCase, read_cases
from tests.pi_tui.look import Pen, columns, end_look, read
from tests.pi_tui.strategies import plain_words, styled_lines, styled_texts

WIDTHS = st.integers(min_value=1, max_value=12)
CASES = settings(max_examples=100)

CLOSED_AT_LINE_END = re.compile(r"underline|strike|link=")


def title(case: TextCase) -> str:
    return case.title


def joined(cells: list[tuple[str, str]]) -> list[list[str]]:
    """Join neighbours of one look, since a break may part what a joiner held together."""
    result: list[list[str]] = []
    for grapheme, look in cells:
        if result and result[-1][1] == look:
            result[-1][0] += grapheme
        else:
            result.append([grapheme, look])
    return result


def looks(lines: list[str]) -> list[list[tuple[str, str]]]:
    return [read(line) for line in lines]


def letters(line: str) -> list[tuple[str, str]]:
    """Return what is left when blanks are taken away."""
    return [(grapheme, look) for grapheme, look in read(line) if grapheme.strip()]


@pytest.mark.parametrize("case", read_cases("wrap_text"), ids=title)
def test_wrapping(case: TextCase) -> None:
    assert looks(wrap_text_with_ansi(case.text("text"), case.number("width"))) == looks(
        case.texts("line")
    )


@CASES
@given(styled_texts, WIDTHS)
def test_no_line_is_wider_than_asked_unless_it_is_one_wider_grapheme(text: str, width: int) -> None:
    for line in wrap_text_with_ansi(text, width):
        cells = [grapheme for grapheme, _ in columns(line)]
        assert visible_width(line) <= width or sum(1 for grapheme in cells if grapheme) == 1


@CASES
@given(styled_texts, WIDTHS)
@example("\x1b[31m  \x1b[4mab\x1b]8;;u\x07c d\x1b[0m", 2)
def test_everything_but_blanks_is_kept_with_its_look(text: str, width: int) -> None:
    """A line starts from nothing, so this also shows that styles and links are opened again."""
    pen = Pen()
    expected = [
        cell
        for part in re.split(r"\r\n|\r|\n", text)
        for cell in read(part, pen)
        if cell[0].strip()
    ]
    wrapped = [cell for line in wrap_text_with_ansi(text, width) for cell in letters(line)]
    assert joined(wrapped) == joined(expected)


@CASES
@given(styled_texts, WIDTHS)
def test_no_line_ends_in_a_blank_and_all_but_the_last_end_links_and_lines(
    text: str, width: int
) -> None:
    lines = wrap_text_with_ansi(text, width)
    for line in lines:
        graphemes = read(line)
        assert not graphemes or graphemes[-1][0] != " "
    for line in lines[:-1]:
        assert not CLOSED_AT_LINE_END.search(end_look(line))


@CASES
@given(styled_lines, WIDTHS)
def test_the_last_line_ends_as_the_text_does(text: str, width: int) -> None:
    last = wrap_text_with_ansi(text, width)[-1]
    assert end_look(last) == end_look(text) or not last


@CASES
@given(plain_words, WIDTHS)
def test_plain_text_breaks_where_styled_text_does(text: str, width: int) -> None:
    styled = wrap_text_with_ansi(f"\x1b[1m{text}", width)
    assert ["".join(grapheme for grapheme, _ in read(line)) for line in styled] == (
        wrap_text_with_ansi(text, width)
    )


@CASES
@given(st.lists(st.text("ab-/", min_size=1, max_size=15), min_size=1), WIDTHS)
def test_a_line_ends_only_where_the_next_word_does_not_fit(words: list[str], width: int) -> None:
    lines = wrap_text_with_ansi(" ".join(words), width)
    for line, following in pairwise(lines):
        word = following.split(" ")[0]
        assert len(line) == width or len(line) + 1 + len(word) > width


@CASES
@given(styled_texts, WIDTHS)
def test_wrapping_what_was_wrapped_changes_nothing(text: str, width: int) -> None:
    lines = wrap_text_with_ansi(text, width)
    again = [part for line in lines for part in wrap_text_with_ansi(line, width)]
    assert looks(again) == looks(lines)


def test_an_underlined_address_on_a_background_is_underlined_and_nothing_else_is() -> None:
    address = "https://example.com/aaaaaaaaaa"
    rows = [
        apply_background_to_line(line, 12, lambda row: f"\x1b[44m{row}\x1b[49m")
        for line in wrap_text_with_ansi(f"\x1b[4m{address}\x1b[24m", 12)
    ]
    assert [read(row) for row in rows] == [
        [(letter, "underline bg=4") for letter in "https://exam"],
        [(letter, "underline bg=4") for letter in "ple.com/aaaa"],
        [(letter, "underline bg=4") for letter in "aaaaaa"] + [(" ", "bg=4")] * 6,
    ]
    assert [end_look(row) for row in rows] == ["", "", ""]


def test_a_line_that_fits_is_not_touched() -> None:
    assert wrap_text_with_ansi("\x1b[31mred\x1b[0m", 10) == ["\x1b[31mred\x1b[0m"]


def test_a_mark_for_the_caret_stays_at_its_place() -> None:
    lines = wrap_text_with_ansi("\x1b[1mab cd\x1b_pi:c\x07ef", 4)
    assert [[grapheme for grapheme, _ in read(line)] for line in lines] == [
        ["a", "b"],
        ["c", "d", "^", "e", "f"],
    ]


def test_a_text_of_a_megabyte_without_spaces_is_wrapped() -> None:
    lines = wrap_text_with_ansi("x" * 1_000_000, 80)
    assert len(lines) == 12_500
    assert {len(line) for line in lines} == {80}


def test_a_word_without_cells_is_a_word() -> None:
    assert wrap_text_with_ansi("\u200b 0", 1) == ["\u200b", "0"]
    assert wrap_text_with_ansi("ab \u200b cd", 2) == ["ab", "\u200b", "cd"]


# Backgrounds


@CASES
@given(styled_lines, st.sampled_from(["\x1b[48;5;99m", "\x1b[2;48;5;99m"]))
def test_every_cell_has_the_background_unless_the_line_sets_its_own(line: str, code: str) -> None:
    width = visible_width(line) + 3
    row = apply_background_to_line(line, width, lambda text: f"{code}{text}\x1b[0m")
    before, after = columns(line), columns(row)
    assert len(after) == width
    assert [grapheme for grapheme, _ in after] == [grapheme for grapheme, _ in before] + [" "] * 3
    for (_, old), (_, new) in zip(before, after, strict=False):
        own = re.search(r"bg=\S+", old)
        assert (own[0] if own else "bg=99") in new.split()
    assert end_look(row) == ""


def test_the_blanks_behind_a_line_show_nothing_of_its_style() -> None:
    row = apply_background_to_line(
        "\x1b[4;41m\x1b]8;;u\x07ab", 4, lambda text: f"\x1b[44m{text}\x1b[49m"
    )
    assert read(row)[2:] == [(" ", "bg=4"), (" ", "bg=4")]


def test_a_line_that_is_full_already_is_only_painted() -> None:
    row = apply_background_to_line("abc", 2, lambda text: f"\x1b[44m{text}\x1b[49m")
    assert read(row) == [("a", "bg=4"), ("b", "bg=4"), ("c", "bg=4")]
