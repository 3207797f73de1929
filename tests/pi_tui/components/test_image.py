"""`Image`: how large a picture is, by which protocol it is drawn, and the line that stands for it."""

from __future__ import annotations

import base64
import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.resources.themes import load_bundled_theme
from pi_tui.cell_size import set_cell_size
from pi_tui.components.box import Box
from pi_tui.components.image import Image, ImageOptions, ImageTheme
from pi_tui.components.markdown import Markdown
from pi_tui.emulator import GridTerminal
from pi_tui.image_block import split_images
from pi_tui.image_header import ImageSize
from pi_tui.image_support import ALL_PROTOCOLS, set_drawn_protocols
from pi_tui.image_transcoder import set_image_transcoder
from pi_tui.interop import ComponentWidget
from pi_tui.interop_text import lines_canvas
from pi_tui.markdown_theme import get_markdown_theme
from pi_tui.sixel_images import set_sixel_encoder
from pi_tui.width import visible_width
from tests.pi_tui.image_grid import ImageGrid, make_png
from tests.pi_tui.image_screens import terminal_that_shows
from tests.pi_tui.test_image_header import GIF, JPEG

PNG = make_png(8, 6)


def image(
    data: str | bytes = PNG,
    size: ImageSize | None = None,
    *,
    columns: int = 60,
    rows: int | None = None,
    name: str | None = None,
) -> Image:
    options = ImageOptions(columns, rows, name, image_id=7)
    return Image(data, "image/png", ImageTheme(lambda text: f"\x1b[2m{text}\x1b[0m"), options, size)


@pytest.mark.parametrize(
    ("width", "height", "box", "cells"),
    [
        (800, 600, (60, 30), (60, 23)),
        (100, 1000, (60, 30), (6, 30)),
        (10, 10, (60, 30), (60, 30)),
        (1000, 10, (60, 30), (60, 1)),
        (1920, 1080, (40, 20), (40, 11)),
    ],
)
def test_a_picture_is_as_large_as_its_box_allows(
    width: int, height: int, box: tuple[int, int], cells: tuple[int, int]
) -> None:
    with terminal_that_shows("kitty"):
        lines = image(size=ImageSize(width, height), columns=box[0], rows=box[1]).render(80)
    assert len(lines) == cells[1]
    assert f"c={cells[0]},r={cells[1]}" in lines[0]
    assert set(lines[1:]) <= {""}


def test_without_a_height_it_may_be_as_high_as_it_is_wide() -> None:
    with terminal_that_shows("kitty"):
        assert len(image(size=ImageSize(100, 1000)).render(80)) == 30
        set_cell_size(10, 10)
        assert len(image(size=ImageSize(100, 1000)).render(80)) == 60
        assert len(image(size=ImageSize(100, 1000)).render(22)) == 20


def test_where_pictures_are_not_stretched_the_last_row_may_be_filled_in_part() -> None:
    with terminal_that_shows("iterm2"):
        lines = image(size=ImageSize(1920, 1080), columns=40, rows=20).render(80)
    assert len(lines) == 12
    assert lines[:-1] == [""] * 11
    assert lines[-1].startswith("\x1b[11A\x1b]1337;File=inline=1;size=")
    (drawn,) = split_images(lines[-1])[1]
    assert (drawn.above, drawn.rows, drawn.columns) == (11, 12, 40)


def test_what_is_sent_is_the_file_in_pieces_that_the_protocol_allows() -> None:
    grid = ImageGrid(80, 40)
    data = make_png(300, 300) + b"\0" * 0
    for given_data in (
        data,
        base64.b64encode(data).decode(),
        f" {base64.b64encode(data).decode()}\n",
    ):
        with terminal_that_shows("kitty"):
            grid.write(image(given_data).render(80)[0])
    assert grid.pictures == {7: (300, 300)}


def test_the_same_rows_come_back_until_something_has_changed() -> None:
    with terminal_that_shows("kitty"):
        made = image()
        lines = made.render(40)
        assert made.render(40) is lines
        assert made.render(30) is not lines
        lines = made.render(40)
        set_cell_size(8, 20)
        assert made.render(40) != lines
        set_drawn_protocols(frozenset())
        assert made.render(40)[0].startswith("\x1b[2m[Image")
        set_drawn_protocols(ALL_PROTOCOLS)


def test_ids_are_random_and_can_be_given() -> None:
    ids = {Image(PNG, "image/png", ImageTheme()).get_image_id() for _ in range(20)}
    assert len(ids) == 20
    assert all(1 <= number <= 2**32 - 2 for number in ids)
    assert image().get_image_id() == 7


def test_without_pictures_a_line_tells_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path.home()
    with terminal_that_shows(None):
        assert image().render(80) == ["\x1b[2m[Image: [image/png] 8x6]\x1b[0m"]
        (line,) = image(name=f"{home}/pictures/a\x1b]0;x\x07b.png").render(80)
        assert "[Image: ~/pictures/a ]0;x b.png [image/png] 8x6]" in line
        assert "\x1b]8;" not in line
        (line,) = image(b"no picture", name="x.png").render(12)
        assert line == "\x1b[2m[Image: x\x1b[0m...\x1b[0m\x1b[0m"
    with terminal_that_shows(None, hyperlinks=True):
        grid = GridTerminal(60, 1)
        grid.write(image(name="/tmp/a b.png").render(60)[0])
        assert grid.cell(9, 0).link == "file:///tmp/a%20b.png"
        assert "\x1b]8;" not in image(name="a.png").render(60)[0]


@pytest.mark.parametrize("protocol", ["kitty", "iterm2"])
@pytest.mark.parametrize("data", ["", "no base64!", "\x1b[2J", b"", "\x1b\\\x1b[2J"])
def test_what_is_no_picture_is_told_in_words(protocol: str, data: str | bytes) -> None:
    with terminal_that_shows("kitty" if protocol == "kitty" else "iterm2"):
        (line,) = image(data).render(80)
    assert "[Image: [image/png] 800x600]" in line


def test_kitty_gets_png_only_made_by_whoever_is_registered_for_it() -> None:
    asked = itertools.count()

    def transcode(data: bytes, mime_type: str) -> bytes | None:
        if next(asked) == 0:
            raise ValueError("not yet")
        assert (data, mime_type) == (JPEG, "image/png")
        return make_png(7, 5)

    with terminal_that_shows("kitty"):
        assert len(image(JPEG).render(80)) == 1
        set_image_transcoder(transcode)
        try:
            assert len(image(JPEG).render(80)) == 1  # failed
            assert image(JPEG).render(80)[0].startswith("\x1b_Ga=T")
            assert image(JPEG).render(70)[0].startswith("\x1b_Ga=T")
            assert next(asked) == 2  # what was made is kept
        finally:
            set_image_transcoder(None)
    with terminal_that_shows("iterm2"):
        assert image(GIF).render(80)[-1].count("\x1b]1337;File=") == 1


def test_sixels_are_made_by_whoever_is_registered_for_it() -> None:
    asked: list[tuple[int, int]] = []

    def encode(data: bytes, width: int, height: int) -> str | None:
        asked.append((width, height))
        return '\x1bPq"1;1;90;90#0~\x1b\\'

    with terminal_that_shows("sixel"):
        assert "[Image" in image(columns=10).render(80)[0]
        set_sixel_encoder(encode)
        try:
            lines = image(size=ImageSize(50, 50), columns=10).render(80)
            assert lines[:-1] == [""] * 4
            assert lines[-1].startswith('\x1b[4A\x1bPq"')
            assert asked == [(90, 90)]
            set_sixel_encoder(lambda data, width, height: None)
            assert "[Image" in image(columns=10).render(80)[0]
        finally:
            set_sixel_encoder(None)


def test_a_panel_leaves_the_row_of_a_picture_as_it_is() -> None:
    with terminal_that_shows("kitty"):
        box = Box(1, 0, lambda text: f"\x1b[44m{text}\x1b[49m")
        made = image(columns=10)
        box.add_child(made)
        first, *rest = box.render(40)
        assert first == " " + made.render(38)[0]
        assert all(visible_width(row) == 40 for row in rest)


def test_markdown_leaves_a_picture_in_code_as_it_is() -> None:
    with terminal_that_shows("kitty"):
        drawn = image(columns=10).render(40)
    theme = get_markdown_theme(load_bundled_theme("dark", color_mode="truecolor"))
    theme = replace(theme, highlight_code=lambda code, language: [drawn[0], ""])
    rows = Markdown("```plot\na\nb\n```", 1, 0, theme).render(40)
    assert f" {theme.code_block_indent}{drawn[0]}" in rows


def test_a_program_of_urwid_is_told_in_words() -> None:
    with terminal_that_shows("kitty"):
        made = image(columns=10)
        canvas = ComponentWidget(made).render((40,))
        assert [row.decode().rstrip() for row in canvas.text] == ["[Image: [image/png] 8x6]"]
        canvas = lines_canvas(["a" + made.render(40)[0], ""], 40)
        assert [row.decode().rstrip() for row in canvas.text] == ["a", ""]


@settings(max_examples=60)
@given(
    st.integers(1, 200),
    st.sampled_from(["kitty", "iterm2", "sixel", None]),
    st.integers(0, 5000),
    st.integers(0, 5000),
    st.integers(-3, 300),
    st.none() | st.integers(-3, 300),
    st.none() | st.text(),
)
def test_no_row_is_wider_than_its_width(
    width: int,
    protocol: str | None,
    x: int,
    y: int,
    columns: int,
    rows: int | None,
    name: str | None,
) -> None:
    protocols = {"kitty": "kitty", "iterm2": "iterm2", "sixel": "sixel"}
    with terminal_that_shows(protocols.get(protocol or ""), hyperlinks=True):  # type: ignore[arg-type]  # literals all
        lines = image(size=ImageSize(x, y), columns=columns, rows=rows, name=name).render(width)
    assert lines
    for line in lines:
        text, blocks = split_images(line)
        assert visible_width(text) <= width
        assert all(block.column + block.columns <= width for block in blocks)
