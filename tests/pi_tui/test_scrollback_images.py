"""Pictures in regular mode: drawn with their rows, scrolled off with them, deleted before their rows change."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import Component
from pi_tui.components.text import Text
from pi_tui.plain_screen import TuiPlainScreen
from pi_tui.regular import TuiMainScreen
from tests.pi_tui.image_screens import ImageScene, picture, regular

pytestmark = pytest.mark.anyio


class Rows(Component):
    """Shows the rows that a test gives it."""

    def __init__(self, *rows: str) -> None:
        self.rows = list(rows)

    def render(self, width: int) -> list[str]:
        return self.rows


def document(scene: ImageScene) -> list[str]:
    """Return all rows, scrolled off or not; a picture's are named by its id."""
    rows = [*scene.grid.scrollback, *scene.pilot.lines()]
    for placement in scene.grid.placements.values():
        for row in range(placement.row, placement.row + placement.rows):
            assert rows[row] == "", "a picture lies over text"
            rows[row] = f"picture {placement.image_id}"
    return rows


async def test_pictures_are_drawn_in_their_rows_and_scroll_off_with_them() -> None:
    async with regular() as scene:
        scene.add("one", picture(image_id=1), "two")
        scene.add(picture(image_id=2), "three", picture(image_id=3))
        three = [["picture 1"] * 5, ["picture 2"] * 5, ["picture 3"] * 5]
        rows = ["one", *three[0], "two", *three[1], "three", *three[2], "foot"]
        assert document(scene)[: len(rows)] == rows
        assert len(scene.grid.scrollback) > 5
        assert scene.grid.uploads() == [1, 2, 3]


@settings(max_examples=25)
@given(st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=5), st.integers(4, 14))
def test_whatever_is_added_pictures_are_where_their_rows_are(
    steps: list[list[int]], rows: int
) -> None:
    async def look() -> None:
        async with regular(30, rows) as scene:
            expected: list[str] = []
            for step in steps:
                entries: list[Component] = []
                for kind in step:
                    number = len(expected) + 1
                    if kind:
                        entries.append(picture(image_id=number, columns=kind * 4))
                        expected += [f"picture {number}"] * (kind * 2)
                    else:
                        entries.append(Text(f"text {number}", 0, 0))
                        expected.append(f"text {number}")
                scene.add(*entries)
            assert document(scene)[: len(expected) + 1] == [*expected, "foot"]

    asyncio.run(look())


async def test_a_picture_higher_than_the_screen_is_drawn_with_its_first_row() -> None:
    async with regular(40, 6) as scene:
        scene.add("one", picture(columns=20), "two")
        assert document(scene)[:13] == ["one", *["picture 1"] * 10, "two", "foot"]


async def test_a_change_next_to_a_picture_leaves_it_alone_and_one_in_its_rows_draws_it_anew() -> (
    None
):
    async with regular() as scene:
        entry = Rows("above", *picture().render(40))
        scene.add(entry, "below")
        entry.rows = ["changed", *entry.rows[1:]]
        scene.tui.render_now()
        assert scene.grid.uploads() == [1]
        entry.rows = [*entry.rows[:-1], "x"]
        scene.tui.render_now()
        assert scene.grid.uploads() == [1, 1]
        assert scene.places() == [(1, 1, 5)]


async def test_a_picture_that_goes_is_deleted_before_its_row_is_written() -> None:
    async with regular() as scene:
        entry = Rows(*picture().render(40))
        scene.add(entry)
        strings = len(scene.grid.strings)
        entry.rows = ["text"]
        scene.tui.render_now()
        assert scene.grid.visible() == []
        assert [string.body[:3] for string in scene.grid.strings[strings:]] == ["Ga="]
        assert scene.pilot.lines()[:2] == ["text", "foot"]


async def test_a_redraw_draws_all_pictures_once() -> None:
    async with regular() as scene:
        scene.add(picture(image_id=1), "one", picture(image_id=2), "two")
        scene.pilot.resize(38, 10)
        expected = [*["picture 1"] * 5, "one", *["picture 2"] * 5, "two", "foot"]
        assert document(scene)[-len(expected) :] == expected


async def test_an_overlay_takes_the_picture_below_it_away_and_gives_it_back() -> None:
    async with regular() as scene:
        scene.add("one", picture(), "two")
        overlay = scene.tui.show_overlay(
            Text("over\nit"), row=2, col=0, width=6, non_capturing=True
        )
        scene.tui.render_now()
        assert scene.grid.visible() == []
        overlay.hide()
        scene.tui.render_now()
        assert document(scene)[:8] == ["one", *["picture 1"] * 5, "two", "foot"]


async def test_of_a_picture_that_is_half_scrolled_off_the_rest_comes_back_from_under_an_overlay() -> (
    None
):
    async with regular(40, 6) as scene:
        scene.add("one", picture(), "two")
        assert len(scene.grid.scrollback) == 2
        overlay = scene.tui.show_overlay(Text("over"), row=0, col=0, width=6, non_capturing=True)
        scene.tui.render_now()
        overlay.hide()
        scene.tui.render_now()
        (shown,) = scene.grid.visible()
        assert (shown.row, shown.rows) == (2, 4)
        assert shown.crop == (0, 18, 90, 72)


async def test_pictures_are_drawn_anew_after_another_program_has_had_the_terminal() -> None:
    async with regular() as scene:
        scene.add("one", picture(), "two")
        with scene.tui.terminal_lent():
            assert scene.grid.pictures.keys() == {1}
        scene.tui.render_now()
        assert scene.grid.uploads() == [1, 1]
        assert document(scene)[:8] == ["one", *["picture 1"] * 5, "two", "foot"]


async def test_of_a_screen_that_is_restored_only_the_pictures_are_drawn_anew() -> None:
    async with regular() as scene:
        scene.add("one", picture(), "two")
        assert isinstance(scene.tui, TuiMainScreen)
        state = scene.tui.capture_render_state()
        scene.tui.stop(preserve_screen=True)
        assert scene.grid.pictures.keys() == {1}
        scene.tui.start()
        scene.tui.restore_render_state(state)
        scene.tui.render_now()
        assert scene.grid.uploads() == [1, 1]
        assert scene.tui.full_redraws == 0
        assert document(scene)[:8] == ["one", *["picture 1"] * 5, "two", "foot"]


async def test_people_who_listen_are_told_of_pictures() -> None:
    async with regular(kind=TuiPlainScreen) as scene:
        scene.add(picture("a.png"))
        await scene.pilot.wait_for("[Image: a.png [image/png] 90x90]")
        assert scene.grid.images == []


async def test_stopping_takes_every_picture_out_of_the_terminal() -> None:
    async with regular() as scene:
        scene.add(*[picture(image_id=number) for number in range(1, 9)])
        scene.tui.stop()
        assert scene.grid.pictures == {} and scene.grid.placements == {}


async def test_iterm_pictures_are_drawn_from_their_last_row_over_rows_that_are_there() -> None:
    async with regular(40, 12, "iterm2") as scene:
        entry = Rows(*picture().render(40))
        scene.add("one", entry, "two")
        (image,) = scene.grid.images
        assert (image.protocol, image.x, image.y) == ("iterm2", 0, 1)
        assert image.keys["width"] == "10"
        assert image.data.startswith(b"\x89PNG")
        assert scene.pilot.lines()[:8] == ["one", "", "", "", "", "", "two", "foot"]
        rows = scene.grid.bytes_written
        entry.rows = ["x", *entry.rows[1:]]
        scene.tui.render_now()
        assert scene.grid.bytes_written > rows
        assert len(scene.grid.images) == 2  # what was drawn into the cells is drawn anew
