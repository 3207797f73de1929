"""Pictures on a full screen: sent once, placed where their rows show, cut at the edges, gone with their rows."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import Component
from pi_tui.components.box import Box
from pi_tui.components.hstack import HStack
from pi_tui.components.text import Text
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.iterm_images import iterm_image
from tests.pi_tui.image_screens import fullscreen, picture

pytestmark = pytest.mark.anyio

# A picture of `picture()` takes 10 columns and 5 rows.
LINE = "[Image: a.png [image/png] 90x90]"
TEN_LINES = "\n".join(f"line {number}" for number in range(10))


class Drawing(Component):
    """Draws by itself."""

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows

    def render(self, width: int) -> list[str]:
        return self.rows


async def test_a_picture_lies_over_the_rows_that_it_takes() -> None:
    async with fullscreen() as scene:
        scene.add("before", picture(), "behind")
        assert scene.places() == [(1, 1, 5)]
        assert scene.pilot.lines()[:7] == ["before", "", "", "", "", "", "behind"]
        (shown,) = scene.grid.visible()
        assert (shown.column, shown.columns, shown.crop) == (0, 10, (0, 0, 90, 90))


async def test_a_picture_is_sent_once_however_often_it_comes_and_goes() -> None:
    async with fullscreen() as scene:
        scene.add(TEN_LINES, picture(), TEN_LINES)
        for _ in range(3):
            scene.pilot.press("ctrl+home")
            assert scene.places() == [(1, 10, 1)]
            scene.pilot.press("ctrl+end")
            assert scene.places() == [(1, 0, 1)]
        scene.pilot.scroll(-3)
        scene.pilot.resize(38, 14)
        scene.tui.render_now(force=True)
        assert scene.grid.uploads() == [1]


async def test_what_moves_is_placed_anew_with_few_bytes_and_what_stays_is_left_alone() -> None:
    async with fullscreen() as scene:
        scene.add(picture(width=600, height=600), *"abcdefgh")
        before = scene.grid.bytes_written
        scene.pilot.scroll(-1)
        assert scene.grid.bytes_written - before < 1000
        commands = len(scene.grid.images)
        foot = scene.document.entries[-1]
        assert isinstance(foot, Text)
        foot.set_text("other")
        scene.tui.render_now()
        assert len(scene.grid.images) == commands


@settings(max_examples=25)
@given(
    st.integers(4, 40),
    st.integers(3, 12),
    st.integers(1, 200),
    st.integers(0, 40),
    st.integers(0, 4),
)
def test_what_shows_of_a_picture_is_the_part_that_belongs_into_each_row(
    columns: int, rows: int, height: int, down: int, lines_above: int
) -> None:
    async def look() -> None:
        async with fullscreen(columns, rows) as scene:
            image = picture(width=100, height=height, columns=30)
            above = [f"above {number}"[:columns] for number in range(lines_above)]
            scene.add(*above, image, *["-"] * 8)
            scene.view.scroll_to_start()
            scene.tui.render_now()
            scene.view.scroll_by(down)
            scene.tui.request_view()
            scene.tui.render_now()
            lines = image.render(columns)
            top = scene.view.scroll_top
            expected = {}
            for row in range(len(lines)):
                screen_row = lines_above + row - top
                if 0 <= screen_row < rows - 1:
                    expected[screen_row] = (row + 0.5) * height / len(lines)
            shown = scene.grid.rows_of_pictures()
            assert shown.keys() == expected.keys()
            for row, middle in expected.items():
                assert abs(shown[row][1] - middle) <= 1

    asyncio.run(look())


async def test_an_overlay_removes_the_pictures_that_it_meets_and_gives_them_back() -> None:
    async with fullscreen() as scene:
        beside = HStack([picture(image_id=1), Text("  "), picture(image_id=2)])
        scene.add(beside)
        assert [place[0] for place in scene.places()] == [1, 2]
        overlay = scene.tui.show_overlay(Text("a\nb\nc"), row=2, col=0, width=8, non_capturing=True)
        scene.tui.render_now()
        assert [place[0] for place in scene.places()] == [2]
        assert scene.pilot.lines()[3].strip() == "a"
        overlay.hide()
        scene.tui.render_now()
        assert [place[0] for place in scene.places()] == [1, 2]
        assert scene.grid.uploads() == [1, 2]


async def test_a_picture_in_an_overlay_shows_over_the_text_below() -> None:
    async with fullscreen() as scene:
        scene.add(TEN_LINES)
        box = Box(1, 1)
        box.add_child(picture())
        scene.tui.show_overlay(box, row=1, col=5, width=20)
        scene.tui.render_now()
        (shown,) = scene.grid.visible()
        assert (shown.row, shown.column, shown.rows) == (2, 6, 5)


async def test_a_message_of_one_row_only_cuts_a_picture() -> None:
    async with fullscreen() as scene:
        scene.add(picture(columns=40))
        assert isinstance(scene.tui, TuiAltScreen)
        scene.tui.flash("Copied!")
        scene.tui.render_now()
        assert scene.places() == [(1, 1, 10)]
        assert scene.pilot.lines()[0].strip() == "Copied!"


async def test_a_picture_goes_when_its_row_does() -> None:
    async with fullscreen() as scene:
        image = picture()
        scene.add("text", image)
        scene.document.remove(image)
        scene.tui.render_now()
        assert scene.grid.visible() == []
        assert scene.grid.pictures.keys() == {1}


async def test_another_picture_with_the_same_id_takes_its_place() -> None:
    async with fullscreen() as scene:
        first, second = picture(), picture(width=45, height=90, shade=200)
        scene.add(first)
        scene.document.remove(first)
        scene.add(second)
        assert scene.grid.uploads() == [1, 1]
        assert scene.grid.pictures[1] == (45, 90)
        assert len(scene.grid.visible()) == 1


async def test_the_same_picture_may_show_twice() -> None:
    async with fullscreen() as scene:
        image = picture()
        scene.add(image, image)
        assert scene.places() == [(1, 0, 5), (1, 5, 5)]
        assert scene.grid.uploads() == [1]


async def test_no_more_than_sixteen_pictures_are_kept_out_of_sight() -> None:
    async with fullscreen() as scene:
        for number in range(1, 25):
            scene.add(picture(image_id=number), TEN_LINES)
        assert scene.places() == [(24, 0, 1)]
        assert set(scene.grid.pictures) == set(range(8, 25))
        scene.pilot.press("ctrl+home")
        assert scene.places() == [(1, 0, 5)]
        assert scene.grid.uploads()[-1] == 1


async def test_pictures_out_of_sight_are_kept_by_their_size_too() -> None:
    async with fullscreen() as scene:
        for number in range(1, 5):  # 25 MB of pixels each
            scene.add(picture(image_id=number, width=2500, height=2500), TEN_LINES)
        assert set(scene.grid.pictures) == {2, 3, 4}


async def test_stopping_takes_every_picture_out_of_the_terminal_and_words_stay_in_its_scrollback() -> (
    None
):
    async with fullscreen() as scene:
        scene.add(picture("/tmp/a.png"))
        scene.add(TEN_LINES, picture(image_id=2), "end")
        assert scene.grid.pictures.keys() == {1, 2}
        scene.tui.stop()
        assert scene.grid.pictures == {} and scene.grid.placements == {}
        assert "[Image: /tmp/a.png [image/png] 90x90]" in scene.grid.scrollback
        scene.tui.start()
        scene.tui.render_now()
        assert scene.places() == [(2, 5, 5)]


async def test_a_crash_takes_every_picture_out_of_the_terminal() -> None:
    async with fullscreen() as scene:
        scene.add(picture())
        scene.tui._layout = lambda changed: 1 / 0  # type: ignore[method-assign,assignment,return-value]  # a frame that fails
        scene.tui.render_now()
        with pytest.raises(ZeroDivisionError):
            await scene.tui.wait_stopped()
        assert scene.grid.pictures == {} and scene.grid.placements == {}


async def test_the_size_of_a_cell_is_asked_for_and_pictures_are_fitted_to_it() -> None:
    async with fullscreen(40, 12, "cell_size") as scene:
        scene.add(picture(columns=20))
        assert scene.places() == [(1, 0, 10)]
        scene.terminal.send(b"\x1b[6;20;20t")
        scene.tui.render_now()
        assert scene.places() == [(1, 0, 11)]
        scene.terminal.send(b"\x1b[6;0;0t")
        scene.terminal.send(b"\x1b[6;99999999999;9t")
        scene.tui.render_now()
        assert scene.places() == [(1, 0, 11)]


async def test_pictures_that_cannot_be_taken_away_are_told_of_on_a_full_screen() -> None:
    async with fullscreen(images="iterm2") as scene:
        scene.add(picture("a.png"))
        assert scene.grid.images == []
        assert scene.pilot.lines()[0] == LINE
        scene.add(Drawing(["", "", f"> \x1b[2A{iterm_image('AAAA', 3, 4)}"]))
        assert scene.grid.images == []
        assert scene.pilot.lines()[:4] == [LINE, "", "", "> [Image]"]
