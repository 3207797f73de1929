"""Boxes, cut texts and columns: widths, caches, the mouse."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import CURSOR_MARKER, Component
from pi_tui.components.box import Box
from pi_tui.components.container import Container
from pi_tui.components.hstack import Align, HStack
from pi_tui.components.input import Input
from pi_tui.components.text import Text
from pi_tui.components.truncated_text import TruncatedText
from pi_tui.events import MouseEvent
from pi_tui.layout import StackEntry
from pi_tui.width import visible_width
from tests.fixtures.pictures import Block, Lines, draw, lay_out
from tests.pi_tui.strategies import styled_texts


class Clicked(Component):
    """Remembers where it was clicked."""

    def __init__(self) -> None:
        self.cells: list[tuple[int, int, int, int]] = []

    def render(self, width: int) -> list[str]:
        return ["x" * width] * 2

    def handle_mouse(self, event: MouseEvent) -> bool:
        self.cells.append((event.x, event.y, event.width, event.height))
        return True


def click(x: int, y: int, width: int, height: int) -> MouseEvent:
    return MouseEvent("click", "left", x, y, x, y, width, height)


def test_the_same_rows_come_back_while_nothing_in_a_box_changed() -> None:
    text = Text("one", 0, 0)
    box = Box()
    box.add_child(text)
    rows = box.render(9)
    assert box.render(9) is rows
    text.set_text("two")
    assert box.render(9) == [" " * 9, " two     ", " " * 9]
    box.set_padding_x(3)
    assert box.render(9)[1] == "   two   "


def test_a_background_whose_colour_changed_is_seen_without_invalidate() -> None:
    code = "44"
    box = Box(0, 0, lambda row: f"\x1b[{code}m{row}\x1b[49m")
    box.add_child(Text("a", 0, 0))
    assert "\x1b[44m" in box.render(3)[0]
    code = "45"
    assert "\x1b[45m" in box.render(3)[0]


def test_the_child_in_a_box_gets_clicks_in_its_own_cells_and_the_padding_none() -> None:
    child = Clicked()
    box = Box(2, 1)
    box.add_child(Text("above", 0, 0))
    box.add_child(child)
    box.render(10)
    assert box.handle_mouse(click(3, 3, 10, 5)).handled
    assert child.cells == [(1, 1, 6, 2)]
    for x, y in ((1, 3), (8, 3), (3, 0), (3, 4)):
        assert not box.handle_mouse(click(x, y, 10, 5)).handled
    assert len(child.cells) == 1


def test_a_click_goes_to_the_column_below_it_in_its_own_cells() -> None:
    left, right = Clicked(), Clicked()
    document = Container()
    document.add_child(Text("above", 0, 0))
    document.add_child(HStack([StackEntry(left, 4), StackEntry(right, 0, 1)], gap=1))
    document.render(12)
    document.handle_mouse(click(2, 1, 12, 3))
    document.handle_mouse(click(7, 2, 12, 3))
    document.handle_mouse(click(4, 1, 12, 3))  # the gap
    assert left.cells == [(2, 0, 4, 2)]
    assert right.cells == [(2, 1, 7, 2)]


def test_columns_keep_the_caret_of_a_child_that_is_not_the_first() -> None:
    field = Input("> ")
    field.focused = True
    (row,) = HStack([StackEntry(Lines(["name"]), basis=6), StackEntry(field, 0, 1)]).render(20)
    assert visible_width(row.split(CURSOR_MARKER)[0]) == 8


def test_a_document_is_as_high_as_its_tallest_column() -> None:
    columns = [StackEntry(Lines(["l"]), basis=4), StackEntry(Text("right side text", 0, 0), 0, 1)]
    assert HStack(columns, gap=1).render(14) == ["l    right    ", "     side text"]
    assert HStack(columns, gap=1, align="end").render(14) == ["     right    ", "l    side text"]


def test_what_a_column_cannot_show_does_not_reach_into_the_next() -> None:
    inner = HStack([StackEntry(Block("a", 1), 6, shrink=0), StackEntry(Block("b", 1), 6, shrink=0)])
    outer = HStack([StackEntry(inner, 8, shrink=0), StackEntry(Block("c", 2), 0, 1)])
    assert draw(outer, 12, 2) == ["aaaaaabbcccc", "        cccc"]
    assert outer.render(12) == ["aaaaaabbcccc", "        cccc"]


def test_stacks_of_stacks_lie_where_they_are_drawn() -> None:
    box = lay_out(HStack([Block("a", 1), HStack([Lines(["bb"]), Lines(["c"])])], 1), 40, 3)
    inner = box.children[1]
    assert [child.x for child in inner.children] == [inner.x, inner.x + 2]


aligns = st.sampled_from(["start", "center", "end", "stretch"])


@settings(max_examples=150)
@given(
    st.lists(st.tuples(styled_texts, st.integers(0, 12), st.integers(0, 2)), max_size=4),
    st.integers(1, 40),
    st.integers(0, 3),
    aligns,
)
def test_columns_are_not_wider_than_the_stack(
    texts: list[tuple[str, int, int]], width: int, gap: int, align: Align
) -> None:
    children = [StackEntry(Text(text, 0, 0), basis, grow) for text, basis, grow in texts]
    for row in HStack(children, gap, align).render(width):
        assert visible_width(row) <= width


@settings(max_examples=150)
@given(styled_texts, st.integers(1, 30), st.integers(0, 4), st.integers(0, 2))
def test_boxes_and_cut_texts_fill_their_width(
    text: str, width: int, padding_x: int, padding_y: int
) -> None:
    box = Box(padding_x, padding_y)
    box.add_child(Lines([text.replace("\n", " ").replace("\r", " ")[: width // 2]]))
    rows = [*box.render(width), *TruncatedText(text, padding_x, padding_y).render(width)]
    for row in rows:
        assert visible_width(row) == width
        assert "\n" not in row and "\r" not in row
