"""Screens as SVG pictures, read back with an XML parser."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.emulator import GridTerminal
from pi_tui.svg import screen_svg
from pi_tui.svg_shapes import CELL_HEIGHT, CELL_WIDTH, shapes_of
from pi_tui.testing import check_snapshot
from tests.pi_tui.strategies import styled_texts

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
# Everything that is drawn and not written.
DRAWN = {chr(code) for code in range(0x2500, 0x25A0)}


def screen(text: str, columns: int = 20, rows: int = 3) -> GridTerminal:
    """Return a terminal without a cursor that shows `text`."""
    terminal = GridTerminal(columns, rows)
    terminal.write("\x1b[?25l" + text)
    return terminal


def parsed(terminal: GridTerminal, title: str | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(screen_svg(terminal, title=title))


def placed(picture: ElementTree.Element) -> dict[tuple[int, int], str]:
    """Return what is written at which column and row; the last character of a span takes what follows it."""
    found: dict[tuple[int, int], str] = {}
    for row in picture.iter(f"{SVG}text"):
        for span in row.iter(f"{SVG}tspan"):
            y = (int(row.attrib["y"]) - 14) // CELL_HEIGHT
            columns = [int(x) // CELL_WIDTH for x in span.attrib["x"].split()]
            text = span.text or ""
            pieces = [*text[: len(columns) - 1], text[len(columns) - 1 :]]
            found |= {(x, y): piece for x, piece in zip(columns, pieces, strict=True)}
    return {place: piece for place, piece in found.items() if piece != " "}


def paths(picture: ElementTree.Element, **attributes: str) -> list[str]:
    """Return the data of the paths with these attributes; `stroke_width` is `stroke-width`."""
    wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
    return [
        path.attrib["d"]
        for path in picture.iter(f"{SVG}path")
        if wanted.items() <= path.attrib.items()
    ]


@given(
    text=st.one_of(styled_texts, st.text(max_size=60)),
    columns=st.integers(1, 24),
    title=st.none() | st.text(),
)
def test_any_screen_is_a_document_with_every_character_in_its_column(
    text: str, columns: int, title: str | None
) -> None:
    terminal = screen(text, columns)
    picture = parsed(terminal, title)
    cells = {
        (x, y): cell.text
        for y in range(terminal.rows)
        for x in range(columns)
        if (cell := terminal.cell(x, y)).text.strip() and not cell.hidden and cell.text not in DRAWN
    }
    written = placed(picture)
    assert written.keys() == cells.keys()
    for place, cell_text in cells.items():
        # What XML cannot hold is shown as unknown.
        assert written[place] == re.sub("[\ufffe\uffff]", "\ufffd", cell_text)
    assert screen_svg(terminal, title=title) == screen_svg(terminal, title=title)


def test_more_than_one_blank_is_never_written() -> None:
    """Viewers make one of several, and what follows would stand elsewhere."""
    picture = screen_svg(screen("a b  c   d\r\n  e    f"))
    assert "  " not in "".join(re.findall(r"<tspan.*", picture))


@pytest.mark.parametrize(
    "text",
    ["</text><script>alert(1)</script>", "a\x1b]8;;http://x/?a=1&b=%22'\"<\x07b", "&amp;", "]]>"],
)
def test_no_text_becomes_markup(text: str) -> None:
    picture = parsed(screen(text, 40), title='<script>"&')
    allowed = {"svg", "title", "rect", "circle", "text", "g", "path", "tspan", "a"}
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= allowed
    assert picture.findtext(f"{SVG}title") == '<script>"&'


@pytest.mark.parametrize(
    ("target", "followed"),
    [
        ("https://example.org/a?b=1&c", ["https://example.org/a?b=1&c"]),
        ("mailto:a@example.org", ["mailto:a@example.org"]),
        ("javascript:alert(1)", []),
        ("JavaScript:alert(1)", []),
        ("file:///etc/passwd", []),
        ("http://[broken", []),
    ],
)
def test_links_lead_to_the_web_only(target: str, followed: list[str]) -> None:
    picture = parsed(screen(f"\x1b]8;;{target}\x07here\x1b]8;;\x07 there"))
    assert [link.attrib["href"] for link in picture.iter(f"{SVG}a")] == followed
    assert len(placed(picture)) == 9


def test_columns_keep_their_order_where_writing_runs_to_the_left() -> None:
    picture = parsed(screen("abc\r\nשלום a"))
    first, second = picture.iter(f"{SVG}text")
    assert "unicode-bidi" not in first.attrib
    assert second.attrib["unicode-bidi"] == "bidi-override"
    assert placed(picture)[0, 1] == "ש"


def test_styles_are_those_of_the_cells() -> None:
    picture = screen_svg(screen("\x1b[1;3;31mab\x1b[0m \x1b[38;5;208mc \x1b[38;2;1;2;3md\x1b[8me"))
    assert (
        '<tspan x="0 9" fill="#e06c75" font-weight="bold" font-style="italic">ab</tspan>' in picture
    )
    assert '<tspan x="27" fill="#ff8700">c</tspan>' in picture
    assert '<tspan x="45" fill="#010203">d</tspan>' in picture
    assert ">e<" not in picture


def test_dim_text_is_nearer_to_what_is_behind_it() -> None:
    picture = parsed(screen("\x1b[2;38;2;200;0;100;48;2;0;0;0mx"))
    assert [span.attrib["fill"] for span in picture.iter(f"{SVG}tspan")] == ["#78003c"]


def test_reversed_cells_and_the_cursor_swap_their_colours() -> None:
    terminal = screen("\x1b[7;38;2;9;9;9;48;2;8;8;8mx\x1b[0m日")
    terminal.write("\x1b[?25h\x1b[1;2H")
    picture = parsed(terminal)
    assert [span.attrib["fill"] for span in picture.iter(f"{SVG}tspan")] == ["#080808", "#14161b"]
    assert paths(picture, fill="#090909") == ["M0 0h9v18h-9z"]
    assert paths(picture, fill="#d6d9df") == ["M9 0h18v18h-18z"]


def test_equal_backgrounds_are_one_shape() -> None:
    row = "\x1b[48;2;1;1;1m" + " " * 20
    assert paths(parsed(screen(row * 3)), fill="#010101") == ["M0 0h180v54h-180z"]


@pytest.mark.parametrize(
    ("code", "strokes"),
    [
        ("4", ["M0 16.5H18"]),
        ("21", ["M0 15.5H18M0 17.5H18"]),
        ("4:3", ["M0 16.5q2.25-3 4.5 0t4.5 0M9 16.5q2.25-3 4.5 0t4.5 0"]),
        ("9", ["M0 9.5H18"]),
    ],
)
def test_lines_under_and_through_text_run_through_blanks(code: str, strokes: list[str]) -> None:
    assert paths(parsed(screen(f"\x1b[{code}ma "))) == strokes


def test_an_underline_has_its_own_colour_and_dashes() -> None:
    picture = parsed(screen("\x1b[4:4;58;2;1;2;3mab"))
    assert paths(picture, stroke="#010203", stroke_dasharray="1 2") == ["M0 16.5H18"]


def test_a_rule_and_the_sides_of_a_box_are_single_strokes() -> None:
    assert paths(parsed(screen("─" * 20))) == ["M0 9.5H180"]
    sides = paths(parsed(screen("┌─┐\r\n│ │\r\n└─┘")))
    assert sides == ["M4 9.5H23M4 45.5H23M4.5 9V46M22.5 9V46"]


@pytest.mark.parametrize("char", sorted(DRAWN))
def test_shapes_stay_in_their_cell(char: str) -> None:
    assert shapes_of(char)
    picture = parsed(screen(char))
    assert not placed(picture)
    numbers = re.findall(r"[MHV]([\d. ]+)", "".join(paths(picture)))
    assert all(0 <= float(n) <= CELL_HEIGHT for each in numbers for n in each.split())


@pytest.mark.parametrize("char", "─┌└├┬┴┼╭╰━┏┗┣╼╾╶┝┠")
def test_what_goes_on_to_the_right_reaches_the_edge(char: str) -> None:
    data = "".join(paths(parsed(screen(char))))
    assert "H9" in data or data.endswith(("4.5-4.5", "4.5 4.5")), data


def test_the_frame_has_a_title_only_if_there_is_one() -> None:
    with_title, without = parsed(screen("x"), "Title"), parsed(screen("x"))
    assert with_title.findtext(f"{SVG}title") == "Title"
    assert without.find(f"{SVG}title") is None
    assert int(with_title.attrib["height"]) == int(without.attrib["height"]) + 18


def test_a_light_picture_has_dark_text() -> None:
    picture = screen_svg(screen("x"), appearance="light")
    assert 'fill="#24292f"' in picture
    assert 'fill="#ffffff"' in picture


def test_the_picture_of_everything_is_the_accepted_one() -> None:
    """Look at the file in a browser before accepting another."""
    rows = (
        "\x1b[1mbold\x1b[0m \x1b[2mdim\x1b[0m \x1b[3mitalic\x1b[0m \x1b[4munder\x1b[0m \x1b[7mreverse\x1b[0m",
        "\x1b[4:3;58;2;255;80;80mcurly\x1b[0m \x1b[21mdouble\x1b[0m \x1b[4:4mdotted\x1b[0m \x1b[9mgone\x1b[0m",
        "日本語 한글 👍🏽 é |\u001b]8;;https://example.org\u0007link\u001b]8;;\u0007| ✓ … ⠋",
        "╭───────╮┌──┬──┐┏━━┳━━┓╔══╦══╗╓──╥──╖",
        "│rounded││a │b │┃a ┃b ┃║a ║b ║║a ║b ║",
        "│       │├──┼──┤┣━━╋━━┫╠══╬══╣╟──╫──╢",
        "╰───────╯└──┴──┘┗━━┻━━┛╚══╩══╝╙──╨──╜",
        "▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▐░▒▓ ▖▗▘▙▚▛▜▝▞▟ ┄┅╱╲╳╎┇",
        "".join(f"\x1b[48;5;{n}m  " for n in range(16)),
    )
    terminal = GridTerminal(40, len(rows))
    terminal.write("\x1b[0m\r\n".join(rows))
    picture = screen_svg(terminal, title="Title")
    check_snapshot(ROOT / "snapshots/pi_tui/test_svg/everything.svg", picture)
