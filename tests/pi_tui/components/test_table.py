"""A table: its order, the columns that do not fit, and what is measured when."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.component import identity
from pi_tui.components.table import Table
from pi_tui.table_columns import Column, fair_widths
from pi_tui.theme import SelectListTheme
from tests.pi_tui.components.on_screen import on_screen

PLAIN = SelectListTheme(identity, identity, identity, identity, identity)
FRUITS = [("Pear", "12"), ("apple", "1,000"), ("fig", ""), ("Quince", "-3.5")]


def fruits(most: int = 20) -> tuple[Table, list[str]]:
    """Return a table, and the names it reports as chosen."""
    table = Table(["Name", Column("Count", "right")], FRUITS, most, PLAIN)
    chosen: list[str] = []
    table.on_select = lambda row: chosen.append(row[0])
    return table, chosen


def names(rows: list[str]) -> str:
    return " ".join(row[2:].split()[0] for row in rows[2:6])


@pytest.mark.anyio
async def test_a_title_sorts_up_down_and_not_and_the_selection_stays_on_its_row() -> None:
    table, chosen = fruits()
    async with on_screen(table, 30, 8) as pilot:
        assert names(pilot.lines()) == "Pear apple fig Quince"
        pilot.click(10, 0)
        assert names(pilot.lines()) == "Quince Pear apple fig"
        assert pilot.lines()[0] == "  Name    Count ▲"
        assert pilot.lines()[3].startswith("→ Pear")
        pilot.click(10, 0)
        assert names(pilot.lines()) == "fig apple Pear Quince"
        pilot.click(10, 0)
        assert names(pilot.lines()) == "Pear apple fig Quince"
        pilot.press("alt+s")
        assert names(pilot.lines()) == "apple fig Pear Quince"
        pilot.click(3, 5)
        assert chosen == ["Quince"]
        pilot.press("home", "enter")
        assert chosen == ["Quince", "apple"]


@pytest.mark.anyio
async def test_columns_that_do_not_fit_are_one_key_away() -> None:
    table = Table(
        [f"Title {n}" for n in range(1, 7)], [[f"cell {n}" for n in range(1, 7)]], 5, PLAIN
    )
    async with on_screen(table, 20, 5) as pilot:
        seen = [pilot.lines()[0]]
        for _ in range(9):
            pilot.press("right")
            seen.append(pilot.lines()[0])
    assert seen[0] == "  Title 1  Title 2 ›"
    assert seen[1] == "‹ Title 2  Title 3 ›"
    assert seen[-1] == "‹ Title 5  Title 6"
    assert len(set(seen)) == 5


def test_only_wide_columns_give_room() -> None:
    rows = [("x" * 50, "12345", "y" * 30)]
    table = Table(["A", "B", "C"], rows, 5, PLAIN)
    assert table.render(40)[2] == f"→ {'x' * 14}…  12345  {'y' * 13}…"


@given(
    st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), min_size=1, max_size=8), st.data()
)
def test_shares_fill_the_room_and_respect_the_least(
    sizes: list[tuple[int, int]], data: st.DataObject
) -> None:
    natural = [max(pair) for pair in sizes]
    least = [min(pair) for pair in sizes]
    room = data.draw(st.integers(sum(least), sum(natural) + 10))
    widths = fair_widths(natural, least, room)
    assert sum(widths) == min(room, sum(natural))
    for width, wanted, low in zip(widths, natural, least, strict=True):
        assert low <= width <= wanted
    # Nobody gives up cells as long as a wider one has some left to give.
    cut = [width for width, wanted in zip(widths, natural, strict=True) if width < wanted]
    gives = [width for width, low in zip(widths, least, strict=True) if width > low]
    assert not cut or not gives or min(cut) >= max(gives) - 1


class Host:
    """A screen that counts the frames asked for."""

    columns = 80
    rows = 24
    asked = 0

    def request_render(self, force: bool = False) -> None:
        """Count."""
        self.asked += 1


class Seen(str):
    """Text that notes that somebody looked how long it is."""

    looked_at: ClassVar[set[str]] = set()

    def __len__(self) -> int:
        Seen.looked_at.add(str(self))
        return super().__len__()


@pytest.mark.anyio
async def test_the_first_frame_of_a_long_table_measures_a_part_and_the_rest_follows() -> None:
    Seen.looked_at.clear()
    rows = [(Seen(f"row {n}"), "short") for n in range(20_000)]
    rows[15_000] = (Seen("row 15000"), "a cell that is longer than all of the others")
    host = Host()
    table = Table(["Name", "Remarks"], rows, 10, PLAIN, host)
    first = table.render(80)
    assert len(Seen.looked_at) < 500
    assert table.render(80) is first
    for _ in range(200):  # far more turns of the loop than it needs
        await asyncio.sleep(0)
    assert len(Seen.looked_at) == len(rows)
    assert host.asked == 3  # for the first `row 1000`, the first `row 10000` and the long cell
    assert len(table.render(80)[1]) > len(first[1])


@pytest.mark.anyio
async def test_rows_that_come_and_go_while_it_measures() -> None:
    host = Host()
    table = Table(["Name"], [(str(n),) for n in range(1000)], 5, PLAIN, host)
    table.render(20)
    table.set_rows([("one",)])
    await asyncio.sleep(0)
    assert table.render(20)[2:] == ["→ one"]
    table.append(("two",))
    assert table.render(20)[2:] == ["→ one", "  two"]
    table.dispose()


def test_without_rows_it_says_so_and_without_room_the_titles_go() -> None:
    table = Table(["Name"], [], 5, PLAIN)
    assert table.render(20) == ["  Name", "  ────", "  No rows"]
    table.set_rows([("a",), ("b",)])
    table.max_rows = 1
    assert table.render(20) == ["→ a"]
    table.max_rows = 3
    assert table.render(20) == ["  Name", "→ a", "  b"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("height", "rows"),
    [
        (1, ["→ Pear       12"]),
        (2, ["  Name    Count", "→ Pear       12"]),
        (4, ["  Name    Count", "→ Pear       12", "  apple   1,000", "  (1/4)"]),
    ],
)
async def test_in_a_layout_that_leaves_little_height_rows_come_first(
    height: int, rows: list[str]
) -> None:
    async with on_screen(fruits()[0], 20, height) as pilot:
        assert pilot.lines() == rows


@pytest.mark.anyio
async def test_a_click_on_a_title_chooses_no_row_that_was_pressed_and_let_go_elsewhere() -> None:
    table, chosen = fruits()
    async with on_screen(table, 20, 8) as pilot:
        pilot.drag((3, 2), (3, 4))
        pilot.click(3, 0)
    assert chosen == []
    assert names(table.render(20)) == "apple fig Pear Quince"


@given(
    st.lists(st.sampled_from(["b", "A", "nan", "inf", "2", "-1", "1,000", ""]), max_size=12),
    st.booleans(),
)
def test_rows_that_come_one_by_one_go_where_the_order_wants_them(
    cells: list[str], descending: bool
) -> None:
    at_once, one_by_one = (Table(["A", "B"], [], 30, PLAIN) for _ in range(2))
    at_once.set_rows([(cell, str(number)) for number, cell in enumerate(cells)])
    at_once.sort_by(0, descending)
    one_by_one.sort_by(0, descending)
    for number, cell in enumerate(cells):
        one_by_one.append((cell, str(number)))
        selected = one_by_one.get_selected_row()
        assert selected is not None and selected[1] == "0"
    assert one_by_one.render(30) == at_once.render(30)


def test_what_is_no_number_stands_after_the_numbers() -> None:
    table = Table(["A"], [("nan",), ("10",), ("9",), ("inf",)], 5, PLAIN)
    table.sort_by(0)
    assert [row.strip(" →") for row in table.render(20)[2:]] == ["9", "10", "inf", "nan"]
