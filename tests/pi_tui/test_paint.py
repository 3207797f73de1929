"""One row over another, looked at on a terminal."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.cell_style import Cell
from pi_tui.component import CURSOR_MARKER
from pi_tui.emulator import GridTerminal
from pi_tui.paint import composite_line, composite_screen_row
from pi_tui.width import (
    extract_segments,
    get_grapheme_cell_range,
    get_osc8_link_at_column,
    visible_width,
)
from tests.pi_tui.strategies import GRAPHEMES, LETTERS, PARTS_OF_CLUSTERS, SPACES, STYLES

WIDE = 160
lines = st.lists(st.one_of(LETTERS, GRAPHEMES, GRAPHEMES, SPACES, STYLES), max_size=14).map("".join)


def drawn(line: str, columns: int = WIDE) -> list[Cell]:
    """Return the cells that a line leaves on a terminal with autowrap on; it must stay in its row."""
    grid = GridTerminal(columns, 2)
    grid.write(line + "\x1b[0m\x1b]8;;\x07")
    assert grid.cursor[1] == 0
    assert grid.lines()[1] == ""
    return [grid.cell(x, 0) for x in range(columns)]


def starts_with_mark(line: str) -> bool:
    """Tell whether the first character joins whatever stands before it."""
    return strip_terminal_sequences(line)[:1] in set(PARTS_OF_CLUSTERS)


def has_loose_mark(line: str) -> bool:
    """Tell whether a mark stands behind a character of no width, where terminals do not agree on its cell."""
    text = strip_terminal_sequences(line)
    return any(f"\u200b{mark}" in text for mark in PARTS_OF_CLUSTERS)


def has_half_flag(line: str) -> bool:
    """Tell whether a letter of a flag stands alone: beside another one, of another row, they are a flag."""
    return "🇩" in line.replace("🇩🇪", "")


def whole(cells: list[Cell], start: int, end: int) -> list[Cell | None]:
    """Return the cells of some columns; `None` for a wide character that reaches over an edge."""
    result: list[Cell | None] = list(cells[start:end])
    if result and cells[start].text == "":
        result[0] = None
    if result and end < len(cells) and cells[end].text == "":
        result[-1] = None
    return result


def same(shown: list[Cell], wanted: list[Cell | None]) -> bool:
    """Compare; of what was cut nothing but a blank may be left."""
    return all(
        there.text == " " if cell is None else there == cell
        for there, cell in zip(shown, wanted, strict=True)
    )


@settings(max_examples=300)
@given(lines, lines, st.integers(-3, 24), st.integers(0, 20), st.integers(1, 24))
def test_each_column_shows_the_upper_row_or_the_lower_one(
    base: str, over: str, start: int, width: int, total: int
) -> None:
    """Wide characters at the edges become blanks, and no style of one row is on cells of the other."""
    assume(not starts_with_mark(over) and not (has_half_flag(base) and has_half_flag(over)))
    assume(not starts_with_mark(base))
    assume(not has_loose_mark(base) and not has_loose_mark(over))
    row = composite_screen_row(base, over, start, width, total)
    assert visible_width(row) <= total
    assert not row.endswith(" ")
    below, above, shown = drawn(base), drawn(over), drawn(row, total)
    left, right = min(max(0, start), total), min(max(0, start + width), total)
    right = max(left, right)
    assert same(shown[:left], whole(below, 0, left))
    assert same(shown[left:right], whole(above, left - start, right - start))
    assert same(shown[right:], whole(below, right, total))


@settings(max_examples=200)
@given(lines, lines, st.integers(0, 12), st.integers(0, 12))
def test_the_row_without_moves_is_the_same_wherever_nothing_joins(
    base: str, over: str, start: int, width: int
) -> None:
    """A component may put it anywhere, so it says nothing of the terminal's columns."""
    assume(not (has_half_flag(base) and has_half_flag(over)))
    assume(not has_loose_mark(base) and not has_loose_mark(over))
    row = composite_line(base, over, start, width, 30)
    assert "G" not in row.replace("\x1b_pi:", "")
    assert visible_width(row) == 30


@pytest.mark.parametrize(
    ("base", "over", "start", "width", "wanted"),
    [
        ("0123456789", "ab", 3, 4, "012ab  789"),
        ("日本語テスト", "ab", 3, 2, "日 ab テス"),
        ("0123456789", "日本", 3, 3, "012日 6789"),
        ("", "x", 2, 3, "  x"),
        ("0123456789", "x", 8, 5, "01234567x"),
    ],
)
def test_rows_as_pictures(base: str, over: str, start: int, width: int, wanted: str) -> None:
    grid = GridTerminal(10, 2)
    grid.write(composite_line(base, over, start, width, 10))
    assert grid.lines() == [wanted, ""]


def test_a_picture_is_not_cut() -> None:
    """Its row comes back as it is."""
    picture = "\x1b_Ga=T,f=100;AAAA\x1b\\"
    assert composite_line(picture, "x", 0, 1, 10) == picture


def test_marks_of_the_caret_stay_on_their_side() -> None:
    """One in the columns that are covered is gone."""
    line = f"a{CURSOR_MARKER}bcdef{CURSOR_MARKER}g"
    before, _, after, _ = extract_segments(line, 2, 5, 3)
    assert (before, after) == (f"a{CURSOR_MARKER}b", f"f{CURSOR_MARKER}g")
    before, _, after, _ = extract_segments(line, 1, 3, 2)
    assert CURSOR_MARKER not in before + after


@given(lines, st.integers(0, 30))
def test_a_grapheme_is_found_by_any_of_its_columns(line: str, column: int) -> None:
    """As the terminal has it: a wide one in its first cell, followed by an empty one."""
    assume(not starts_with_mark(line))
    cells = drawn(line)
    found = get_grapheme_cell_range(line, column)
    if column >= visible_width(line):
        assert found is None
        return
    start = column - (cells[column].text == "")
    end = start + 1
    while end < len(cells) and cells[end].text == "":
        end += 1
    assert found == (start, end)


@given(lines, st.integers(0, 30))
def test_a_link_is_found_where_it_shows(line: str, column: int) -> None:
    wanted = drawn(line)[column].link if column < visible_width(line) else ""
    assert (get_osc8_link_at_column(line, column) or "") == wanted
