"""A walk through all pages, at every width and in both modes, with every key and the mouse."""

from __future__ import annotations

import pytest

import pi_tui.components
from pi_tui.component import render_child
from pi_tui.fullscreen import is_viewport_tui
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.pages import PAGES
from pi_tui.testing import snapshot_component
from tests.pi_tui.gallery.opened import Visit, opened

pytestmark = pytest.mark.anyio

SIZES = (
    (20, 10),
    pytest.param(40, 15, marks=pytest.mark.soak),
    (80, 24),
    pytest.param(200, 16, marks=pytest.mark.soak),
)
# What goes wrong on purpose.
UNRULY = (
    "no idea what to draw",
    "'too wide too wide",
    "not a list",
    "a row that is int",
    "a key that nobody expected",
)
# Ctrl+N, Ctrl+P, Ctrl+Q and Ctrl+S lead away, Ctrl+O and Ctrl+T draw all anew: they have tests of their own.
ELSEWHERE = b"\x0e\x0f\x10\x11\x13\x14"
CONTROL = [bytes([code]) for code in range(0x1B) if code not in ELSEWHERE]
TYPED = [text.encode() for text in (*"aZ0 /@!?[\\~\x1c\x1d\x1e\x1f\x7f", "日", "👨‍👩‍👧")]
ESCAPED = [b"\x1b" + bytes([code]) for code in (*b"bfdyn-<>,", 0x7F, 0x0D)]
CURSOR = [
    f"\x1b[{number}{modifier}{final}".encode()
    for modifier in ("", ";2", ";3", ";5")
    for number, final in [
        *(("1" if modifier else "", key) for key in "ABCDHF"),
        *((str(number), "~") for number in (2, 3, 5, 6, 15, 24)),
    ]
]
PASTES = [b"\x1b[200~two\r\nlines \x1b[31mred\x1b[201~"]
KEYS = [*TYPED, *CONTROL, *ESCAPED, *CURSOR, *PASTES]
# A key means the same at every width: there all of them are pressed, at the others one in three.
EVERY_KEY_AT = 80
KEYS_A_FRAME = 33


def use(visit: Visit, number: int) -> None:
    """Press every key and use the mouse, with a frame every now and then; keys may lead to the list of pages."""
    pilot, terminal = visit.pilot, visit.pilot.terminal
    columns, rows = terminal.columns, terminal.rows
    keys = KEYS if columns == EVERY_KEY_AT else KEYS[number % 3 :: 3]
    for count, data in enumerate(keys, 1):
        terminal.send(data)
        if count % KEYS_A_FRAME == 0:
            pilot.tui.render_now()
        stay(visit, number)
    pilot.press("escape")
    if not is_viewport_tui(pilot.tui):
        return  # there the mouse is the terminal's
    for x, y in ((columns // 2, rows // 2), (columns - 2, rows - 3)):
        pilot.click(x, y)
        pilot.scroll(2, x, y)
        stay(visit, number)
    pilot.drag((columns - 2, rows // 2), (0, 0))
    stay(visit, number)


def stay(visit: Visit, number: int) -> None:
    """Come back to a page."""
    if visit.gallery.number != number:
        visit.gallery.show(number)


@pytest.mark.parametrize("mode", ["fullscreen", "regular"])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_nothing_is_too_wide_and_nothing_fails(columns: int, rows: int, mode: str) -> None:
    """What a component does wrong is reported, in a frame as well as with a key; one page does so on purpose."""
    async with opened(columns, rows, mode, strict=False) as visit:
        for number in range(len(PAGES)):
            assert visit.gallery.number == number
            use(visit, number)
            visit.pilot.press("ctrl+n")
        assert visit.gallery.number == 0
        reports = visit.pilot.tui.problems.reports
        assert [e for _, e in reports if not is_expected(e)] == []


@pytest.mark.parametrize("mode", ["fullscreen", "regular"])
async def test_it_lives_where_there_is_no_room(mode: str) -> None:
    """Each page is there again when the terminal grows."""
    async with opened(80, 24, mode, strict=False) as visit:
        pilot = visit.pilot
        for number in range(len(PAGES)):
            for size in ((1, 1), (2, 1), (5, 3), (80, 24)):
                pilot.resize(*size)
                pilot.press("tab", "x")
            assert f" {PAGES[number].title} " in pilot.screen()
            visit.gallery.turn(1)
        assert [e for _, e in pilot.tui.problems.reports if not is_expected(e)] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.title != "Misbehaving"])
async def test_a_piece_fits_every_width(page: Page) -> None:
    """What is measured is the row on a terminal that wraps."""
    async with opened(80, 24, pages=[page]) as visit:
        piece = page.build(Stage(visit.pilot.tui, visit.themes.handle, lambda text: None))
        try:
            snapshot_component(lambda width: drawn(piece, width), (1, 2, 3, 5, 11, 40))
        finally:
            piece.close()


def is_expected(error: Exception) -> bool:
    return any(text in str(error) for text in UNRULY)


def drawn(piece: Piece, width: int) -> list[str]:
    return render_child(piece.component, width)[:200]


@pytest.mark.parametrize("mode", ["fullscreen", "regular"])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_one_sees_which_page_it_is(columns: int, rows: int, mode: str) -> None:
    async with opened(columns, rows, mode, strict=False) as visit:
        for _ in PAGES:
            visit.pilot.press("ctrl+p")
            title = f" {visit.gallery.page.title} "[: columns - 2]
            assert any(title in row for row in visit.pilot.lines())


def test_every_component_has_a_page() -> None:
    shown = {name for page in PAGES for name in page.shows}
    assert set(pi_tui.components.__all__) <= shown
    known = {*pi_tui.__all__, *pi_tui.components.__all__}
    assert shown <= known


async def test_what_misbehaves_costs_its_own_rows() -> None:
    async with opened(80, 30, strict=False) as visit:
        visit.go_to("Misbehaving")
        visit.pilot.press("enter")
        screen = visit.pilot.screen()
        assert "[render error: ValueError: no idea what to draw]" in screen
        assert "[render error: TypeError: render() returned str" in screen
        assert "Button: a key that nobody expected" in screen
        assert "And this one stands where it should." in screen
        reports = [str(error) for _, error in visit.pilot.tui.problems.reports]
        assert all(any(text in report for report in reports) for text in UNRULY)


def test_pages_have_names_of_their_own() -> None:
    titles = [page.title for page in PAGES]
    assert len(titles) == len(set(titles))
