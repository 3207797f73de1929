"""Dividing space: fixed cases, and what must hold for any."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import CURSOR_MARKER, Component
from pi_tui.components.hstack import HStack
from pi_tui.components.spacer import Spacer
from pi_tui.components.stack import VStack
from pi_tui.layout import LayoutContext, Share, StackEntry, Viewport, layout_box, share_sizes


@pytest.mark.parametrize(
    ("shares", "available", "gap", "sizes"),
    [
        ([Share(0, grow=1), Share(0, grow=1)], 10, 0, [5, 5]),
        ([Share(0, grow=1), Share(0, grow=2)], 10, 0, [3, 7]),
        ([Share(1, grow=1)] * 3, 10, 1, [3, 3, 2]),
        ([Share(10), Share(10)], 12, 0, [6, 6]),
        ([Share(10, shrink=0), Share(10)], 12, 0, [10, 2]),
        ([Share(10, min_size=8), Share(10)], 12, 0, [8, 4]),
        ([Share(0, grow=1, min_size=1), Share(5, min_size=1)], 24, 0, [19, 5]),
        ([Share(0, grow=1, min_size=1), Share(40, min_size=1)], 24, 0, [1, 23]),
        ([Share(5), Share(3, grow=1, max_size=8)], 20, 2, [5, 8]),
        ([Share(5, min_size=10), Share(5, min_size=10)], 12, 0, [10, 10]),
    ],
)
def test_space_is_divided_as_specified(
    shares: list[Share], available: int, gap: int, sizes: list[int]
) -> None:
    assert share_sizes(shares, available, gap) == sizes


share = st.builds(
    Share,
    st.integers(0, 30),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 5),
    st.integers(5, 40),
)


@settings(max_examples=200)
@given(st.lists(share, min_size=1, max_size=6), st.integers(0, 100))
def test_limits_hold_and_no_cell_is_made_up(shares: list[Share], available: int) -> None:
    sizes = share_sizes(shares, available)
    assert all(s.min_size <= size <= s.max_size for s, size in zip(shares, sizes, strict=True))
    starts = [min(max(s.size, s.min_size), s.max_size) for s in shares]
    if sum(starts) <= available:
        assert sum(sizes) <= available
        assert all(size >= start for size, start in zip(sizes, starts, strict=True))
    else:
        assert sum(sizes) >= available or sum(sizes) == sum(s.min_size for s in shares)


class Rows(Component):
    def __init__(self, *rows: str) -> None:
        self.rows = list(rows)

    def render(self, width: int) -> list[str]:
        return self.rows


def screen(stack: VStack, height: int) -> list[str]:
    context = LayoutContext(Viewport(20, height))
    box = layout_box(stack, context, 0, 20, height, 0, height)
    rows = [""] * height
    for child in box.children:
        for number, line in enumerate(child.lines):
            if child.y + number < height:
                rows[child.y + number] = line
    return rows


def test_a_child_that_is_cut_keeps_the_row_with_the_caret() -> None:
    editor = Rows("one", "two", f"three{CURSOR_MARKER}", "four")
    stack = VStack([StackEntry(Rows("top"), shrink=0), StackEntry(editor)])
    assert screen(stack, 3) == ["top", "two", f"three{CURSOR_MARKER}"]


def test_hidden_entries_take_no_rows_and_no_gap() -> None:
    stack = VStack(
        [
            Rows("a"),
            StackEntry(Rows("hidden"), visible=lambda viewport: viewport.height > 10),
            Rows("b"),
        ],
        gap=1,
    )
    assert screen(stack, 4) == ["a", "", "b", ""]


def test_a_document_shows_every_child_at_its_own_height() -> None:
    stack = VStack([Rows("a", "b"), StackEntry(Rows("c"), basis=3), Spacer(1)], gap=1)
    assert stack.render(20) == ["a", "b", "", "c", "", "", "", ""]


@pytest.mark.parametrize("kind", [VStack, HStack])
@pytest.mark.parametrize("odd", [None, math.nan, math.inf, -math.inf, -1, 1e300, 0.5])
@pytest.mark.parametrize("wish", ["grow", "shrink", "basis", "min_size", "max_size"])
def test_wishes_that_are_no_sizes_end_nothing(
    kind: type[VStack | HStack], odd: float | None, wish: str
) -> None:
    if wish in ("basis", "min_size") and odd == 1e300:
        return  # a size, if a large one
    wishes: dict[str, Any] = {wish: odd}
    stack = kind()
    stack.add_child(Rows("first"), **wishes)
    stack.add_child(Rows("second"), grow=1)
    for size in (1, 3, 20):
        box = layout_box(stack, LayoutContext(Viewport(size, size)), 0, size, size, 0, size)
        assert all(child.width >= 0 and child.height >= 0 for child in box.children)
        assert stack.render(size)
