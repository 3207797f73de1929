"""From lines to bytes: the width contract, the caret, and rows that stand alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import (
    CURSOR_MARKER,
    Component,
    Renderable,
    WideRow,
    render_fake_cursor,
)
from pi_tui.emulator import GridTerminal
from pi_tui.frame import FrameMaker
from pi_tui.layout import Box, Layer


class Named(Component):
    """Stands for whoever drew a row."""


def make(
    lines: list[str], columns: int, *, hardware: bool = False
) -> tuple[GridTerminal, FrameMaker, list[tuple[int, int]]]:
    """Draw lines as a frame on a terminal with autowrap on; return also the reports of wide lines."""
    reports: list[tuple[int, int]] = []

    def too_wide(component: Renderable, row: WideRow) -> None:
        reports.append((row.width, row.limit))

    maker = FrameMaker(too_wide, hardware)
    rows = len(lines)
    box = Box(Named(), 0, columns, rows, 0, rows, lines)
    frame = maker.make([Layer(box)], columns, rows)
    grid = GridTerminal(columns, rows)
    for y, row in enumerate(frame.rows):
        grid.write(f"\x1b[{y + 1};1H".encode() + row)
    if frame.cursor is not None:
        grid.write(f"\x1b[{frame.cursor[1] + 1};{frame.cursor[0] + 1}H")
    return grid, maker, reports


def test_a_line_that_is_too_wide_is_cut_and_reported() -> None:
    grid, _, reports = make(["X" * 24, "next"], 20)
    assert grid.lines() == ["X" * 20, "next"]
    assert reports == [(24, 20)]


def test_a_wide_character_at_the_edge_is_not_halved() -> None:
    grid, _, _ = make(["a日本", "next"], 4)
    assert grid.lines()[0] == "a日"
    assert grid.lines()[1] == "next"


def test_style_and_link_end_with_the_row() -> None:
    grid, _, _ = make(["\x1b[1;31mred \x1b]8;;http://x\x1b\\link", "plain"], 20)
    assert grid.cell(0, 0).bold
    assert grid.cell(5, 0).link == "http://x"
    assert not grid.cell(0, 1).bold
    assert not grid.cell(0, 1).link
    assert not grid.cell(15, 0).bold


def test_a_shorter_row_leaves_nothing_of_the_one_before() -> None:
    grid = GridTerminal(10, 1)
    maker = FrameMaker(lambda *report: None)
    for line in ("0123456789", "ab", ""):
        frame = maker.make([Layer(Box(Named(), 0, 10, 1, 0, 1, [line]))], 10, 1)
        grid.write(b"\x1b[1;1H" + frame.rows[0])
        assert grid.lines() == [line]


def test_no_row_ends_in_a_blank() -> None:
    """urwid strips trailing blanks and erases with the current background instead."""
    maker = FrameMaker(lambda *report: None)
    box = Box(Named(), 0, 6, 3, 0, 3, ["ab    ", "\x1b[44mab    ", ""])
    assert all(not row.endswith(b" ") and row for row in maker.make([Layer(box)], 6, 3).rows)


def test_the_caret_is_found_in_cells_and_drawn_reversed() -> None:
    line = f"日本{CURSOR_MARKER}{render_fake_cursor('x')}y"
    grid, _, _ = make([line], 10)
    assert grid.lines() == ["日本xy"]
    assert grid.cursor == (4, 0)
    assert grid.cell(4, 0).inverse
    assert not grid.cell(5, 0).inverse
    assert not grid.strings


def test_with_the_hardware_cursor_the_caret_cell_stays_plain() -> None:
    grid, _, _ = make([f"a{CURSOR_MARKER}{render_fake_cursor('b')}c"], 10, hardware=True)
    assert grid.lines() == ["abc"]
    assert not grid.cell(1, 0).inverse


def test_a_caret_without_the_keys_stays_reversed() -> None:
    grid, _, _ = make([f"a{render_fake_cursor('b')}c"], 10, hardware=True)
    assert grid.cell(1, 0).inverse


def test_marks_of_a_prompt_never_reach_the_terminal() -> None:
    grid, _, _ = make(["\x1b]133;A\x07\x1b]133;B\x07hello"], 10)
    assert grid.lines() == ["hello"]
    assert not grid.strings


@pytest.mark.parametrize(
    "control",
    [
        "\x1b[2J",
        "\x1b[H",
        "\x1b[3A",
        "\x1b[?1049l",
        "\x1bc",
        "\x1b]0;title\x07",
        "\b\b",
        "\x9b",
        "\x1b7",
    ],
)
def test_a_line_draws_and_does_nothing_else(control: str) -> None:
    """What moves, erases or resets is left out; the rows around it stay."""
    grid, _, _ = make(["above", f"be{control}low \x1b[1mx\x1b[0m", "last"], 12)
    assert grid.lines() == ["above", "below x", "last"]


def test_a_line_break_inside_a_line_does_not_move_the_rows_below() -> None:
    grid, _, _ = make(["one\ntwo", "below"], 10)
    assert grid.lines()[1] == "below"


def test_only_rows_that_changed_are_made_again() -> None:
    maker = FrameMaker(lambda *report: None)
    lines = [f"row {number}" for number in range(50)]
    maker.make([Layer(Box(Named(), 0, 20, 50, 0, 50, lines))], 20, 50)
    before = maker.rows_finished
    lines = [*lines[:30], "changed", *lines[31:]]
    maker.make([Layer(Box(Named(), 0, 20, 50, 0, 50, lines))], 20, 50)
    assert maker.rows_finished - before == 1


pieces = st.sampled_from(
    [
        "a",
        " ",
        "日",
        "👍🏽",
        "e\u0301",
        "\t",
        "\x1b[31m",
        "\x1b[0m",
        "\x1b]8;;u\x1b\\",
        "\x07",
        CURSOR_MARKER,
    ]
)


@settings(max_examples=200)
@given(
    st.lists(st.lists(pieces, max_size=14).map("".join), min_size=1, max_size=4), st.integers(1, 12)
)
def test_any_line_stays_in_its_row(lines: list[str], columns: int) -> None:
    marked = [*lines, "last"[:columns]]
    grid, _, _ = make(marked, columns)
    assert grid.lines()[-1] == "last"[:columns]
    assert not grid.strings
