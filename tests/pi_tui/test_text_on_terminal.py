"""Text functions on a terminal that wraps by itself: what is drawn decides, not what the functions measure."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.cell_style import CellStyle
from pi_tui.emulator import GridTerminal
from pi_tui.width import (
    expand_tabs,
    extract_segments,
    slice_by_column,
    truncate_to_width,
    visible_width,
)
from pi_tui.wrap import apply_background_to_line, wrap_rows, wrap_text_with_ansi
from tests.pi_tui.strategies import odd_lines, odd_texts, terminal_lines, terminal_texts

WIDTHS = st.integers(min_value=1, max_value=14)
CASES = settings(max_examples=150)
WIDE = 400

Drawn = tuple[str, CellStyle]


def cells_of(row: str) -> list[Drawn]:
    """Draw a row on a terminal that is wide enough and return its cells up to the cursor."""
    terminal = GridTerminal(WIDE, 1)
    terminal.write(row)
    cells = [terminal.cell(column, 0) for column in range(terminal.cursor[0])]
    return [(cell.text, cell.style) for cell in cells]


def fits(row: str, width: int) -> bool:
    """Whether a row stays in its row on a terminal that is so narrow."""
    terminal = GridTerminal(width, 3)
    terminal.write(row)
    below = terminal.lines()[1]
    return terminal.cursor[1] == 0 and not below


def is_one_wide_cell(row: str, width: int) -> bool:
    texts = [text for text, _ in cells_of(row)]
    return len(texts) > width and sum(1 for text in texts if text) == 1


def letters(cells: list[Drawn]) -> list[Drawn]:
    """Return what is left without blanks and the second halves of wide characters."""
    return [cell for cell in cells if cell[0].strip(" ")]


@CASES
@given(terminal_lines)
def test_the_width_of_a_line_is_where_the_cursor_ends(line: str) -> None:
    assert visible_width(line) == len(cells_of(expand_tabs(line)))


@CASES
@given(odd_texts, WIDTHS)
def test_wrapped_lines_stay_in_their_rows(text: str, width: int) -> None:
    for line in wrap_text_with_ansi(text, width):
        assert fits(line, width) or is_one_wide_cell(line, width)
    for row in wrap_rows(text, width):
        assert fits(row, width)


@CASES
@given(terminal_texts, WIDTHS)
def test_wrapping_loses_nothing_that_shows(text: str, width: int) -> None:
    """Every line is drawn on a terminal of its own, so styles and links are there again."""
    whole = GridTerminal(WIDE, 1)
    expected: list[Drawn] = []
    for part in re.split(r"\r\n|\r|\n", expand_tabs(text)):
        whole.write("\r\x1b[K" + part)
        cells = [whole.cell(column, 0) for column in range(whole.cursor[0])]
        expected += letters([(cell.text, cell.style) for cell in cells])
    shown = [cell for line in wrap_text_with_ansi(text, width) for cell in letters(cells_of(line))]
    assert shown == expected


@CASES
@given(odd_lines, WIDTHS, st.sampled_from(["...", "…", "", "日", "👍🏽"]), st.booleans())
def test_truncated_lines_stay_in_their_rows(
    line: str, width: int, ellipsis: str, pad: bool
) -> None:
    row = expand_tabs(truncate_to_width(line, width, ellipsis, pad))
    assert fits(row, width)


@CASES
@given(terminal_lines, WIDTHS, st.sampled_from(["...", "…", "", "日"]))
def test_a_padded_line_fills_its_row(line: str, width: int, ellipsis: str) -> None:
    assert len(cells_of(expand_tabs(truncate_to_width(line, width, ellipsis, True)))) == width


@CASES
@given(terminal_lines, st.integers(0, 12), WIDTHS)
def test_a_slice_shows_its_columns_as_the_line_does(line: str, start: int, length: int) -> None:
    line = expand_tabs(line)  # as it is drawn: a mark behind a tab joins its last blank
    whole = cells_of(line)[start : start + length]
    row = slice_by_column(line, start, length, strict=True)
    part = cells_of(row)
    assert fits(row, length)
    assert [style for _, style in part] == [style for _, style in whole]
    assert all(new[0] in (old[0], " ") for new, old in zip(part, whole, strict=True))


@CASES
@given(terminal_lines, st.integers(0, 12))
def test_a_line_that_is_cut_and_joined_is_the_line_again(line: str, cut: int) -> None:
    line = expand_tabs(line)
    whole = cells_of(line)
    if cut < len(whole) and not whole[cut][0]:
        return
    parts = extract_segments(line, cut, cut, WIDE)
    assert cells_of(parts.before) + cells_of(parts.after) == whole
    left, right = slice_by_column(line, 0, cut, True), slice_by_column(line, cut, WIDE, True)
    assert cells_of(left) + cells_of(right) == whole


@CASES
@given(terminal_lines, WIDTHS)
def test_a_background_is_behind_every_cell_that_has_none(line: str, more: int) -> None:
    line = expand_tabs(line)
    before = cells_of(line)
    width = len(before) + more
    row = apply_background_to_line(line, width, lambda text: f"\x1b[44m{text}\x1b[49m")
    after = cells_of(row)
    assert len(after) == width
    assert all(
        new.bg == (old.bg or "blue") for (_, old), (_, new) in zip(before, after, strict=False)
    )
    for _, style in after[len(before) :]:
        assert (style.bg, style.underline, style.strikethrough, style.link) == (
            "blue",
            "",
            False,
            "",
        )
