"""The gallery as a program: started in a terminal, walked through, left; its slider, themes and list."""

from __future__ import annotations

import sys
from itertools import cycle
from pathlib import Path

import pytest

from pi_tui.gallery.pages import PAGES
from pi_tui.gallery.theme_shelf import ThemeShelf
from pi_tui.testing import check_snapshot
from tests.pi_tui.gallery.opened import opened
from tests.pty_session import PtySession

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[3]
SNAPSHOTS = ROOT / "snapshots" / "pi_tui" / "gallery"
COMMAND = (sys.executable, "-m", "pi_tui.gallery")


@pytest.mark.parametrize("mode", ["fullscreen", "regular"])
def test_it_starts_and_gives_the_terminal_back(mode: str) -> None:
    theme = str(ROOT / "pi_agent" / "themes" / "dark.json")
    command = [*COMMAND, "--tui-mode", mode, "--theme", theme]
    with PtySession(command, cwd=ROOT, answers={"da1"}) as session:
        session.wait_for("Text 1/")
        session.send(b"\x0e")
        session.wait_for("Box, Container, Spacer 2/")
        session.send(b"\x14\x14\x14")
        session.wait_for("dark ·")
        session.send(b"\x11")
        assert session.wait_exit() == 0
        assert session.termios_now() == session.termios_before
        assert session.terminal.cursor_visible
        assert not session.terminal.alternate_screen


def test_a_theme_that_is_none_is_named_on_the_command_line() -> None:
    with PtySession([*COMMAND, "--theme", "mine.json"], cwd=ROOT) as session:
        assert session.wait_exit() == 2
        output = session.output.decode()
        assert "No such file or directory: 'mine.json'" in output
        assert "Traceback" not in output


@pytest.mark.parametrize(
    ("content", "said"), [("{", "is not JSON"), ("{}", "name: must be a text")]
)
def test_what_is_wrong_with_a_theme_is_told(content: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(content)
    with pytest.raises(ValueError, match=said) as raised:
        ThemeShelf("truecolor", [file])
    assert "mine.json" in str(raised.value)


async def test_the_slider_sets_the_width() -> None:
    async with opened(100, 30) as visit:
        pilot = visit.pilot
        visit.go_to("HStack, VStack")
        [y] = [y for y, row in enumerate(pilot.lines()) if row.endswith("●")]
        x = pilot.lines()[y].index("─")
        assert "64 columns" in pilot.screen()
        pilot.drag((99, y), (60, y), (x + 39, y))
        assert "27 columns" in pilot.screen()  # 40, less 12 and a gap
        pilot.terminal.send(b"\x1b[1;2D" * 2)
        pilot.tui.render_now()
        assert "25 columns" in pilot.screen()
        pilot.terminal.send(b"\x1b[1;2A")
        pilot.tui.render_now()
        assert "64 columns" in pilot.screen()
        pilot.resize(120, 30)
        assert "84 columns" in pilot.screen()


async def test_themes_and_depths_change_every_colour() -> None:
    async with opened(100, 30) as visit:
        visit.go_to("Themes")
        seen = set()
        for _ in visit.themes.names:
            for depth in ("truecolor", "256color", "16color", "mono"):
                assert f"{depth} " in visit.pilot.lines()[0] + " "
                seen.add(visit.pilot.snapshot())
                visit.pilot.press("ctrl+o")
            visit.pilot.press("ctrl+t")
        # Of a terminal that has said nothing `system` knows sixteen colours; without colours there are no themes.
        assert len(seen) >= 8
        assert " · truecolor" in visit.pilot.lines()[0]


async def test_every_page_is_drawn_in_two_themes_and_every_theme_on_many_pages() -> None:
    files = sorted((ROOT / "pi_agent" / "themes").glob("*.json"))
    async with opened(40, 15, pages=PAGES[:-1], themes=files) as visit:
        assert visit.themes.names == ["system", "for dark", "for light", "dark", "light"]
        for _, name in zip(PAGES[:-1], cycle(visit.themes.names), strict=False):
            assert visit.themes.label.startswith(f"{name} · ")
            visit.pilot.press("ctrl+t", "ctrl+n")


async def test_the_mouse_alone_leads_through_the_pages() -> None:
    async with opened(100, 30) as visit:
        pilot = visit.pilot
        pilot.click(5, 4)
        assert visit.gallery.page is PAGES[3]
        pilot.resize(40, 15)
        last = pilot.lines()[-1]
        pilot.click(last.index("›"), 14)
        assert visit.gallery.page is PAGES[4]
        pilot.click(last.index("‹"), 14)
        assert visit.gallery.page is PAGES[3]
        pilot.click(last.index("leave"), 14)
        assert not pilot.tui.is_started


async def test_the_list_is_reached_with_tab_where_it_shows() -> None:
    async with opened(100, 30) as visit:
        visit.pilot.press("tab", "down", "down")
        assert visit.gallery.page is PAGES[2]
        visit.pilot.resize(40, 15)
        visit.go_to("Text")
        visit.pilot.press("tab", "down")
        assert visit.gallery.page is PAGES[0]


async def test_every_page_shows_its_file_and_comes_back() -> None:
    async with opened(80, 24) as visit:
        for page in PAGES[:-1]:  # the last one misbehaves
            visit.pilot.press("ctrl+s")
            assert "from __future__ import annotations" in visit.pilot.screen()
            visit.pilot.press("ctrl+t", "end", "ctrl+s")
            assert page is visit.gallery.page
            assert "from __future__" not in visit.pilot.screen()
            visit.pilot.press("ctrl+n")


async def test_a_selection_is_copied_from_one_view() -> None:
    async with opened(80, 24) as visit:
        visit.go_to("Selecting and copying")
        rows = visit.pilot.lines()
        [y] = [y for y, row in enumerate(rows) if "A selection stays" in row]
        x = rows[y].index("A selection")
        visit.pilot.drag((x, y), (79, y + 1))
        await visit.pilot.wait_for("Copied!")
        assert visit.pilot.terminal.grid.clipboard == "A selection stays\nin the view in"


PICTURED = ("Text", "HStack, VStack", "ScrollView", "Markdown", "Editor", "Keys", "Overlays")


@pytest.mark.parametrize("title", ["Text", "HStack, VStack", "Overlays"])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 15), (20, 10)])
async def test_pictures(title: str, columns: int, rows: int) -> None:
    # A few pages, so that one more elsewhere does not change the pictures.
    pages = tuple(page for page in PAGES if page.title in PICTURED)
    async with opened(columns, rows, pages=pages) as visit:
        visit.pilot.press("ctrl+t")
        visit.go_to(title)
        if title == "Overlays":
            visit.pilot.press("enter")
        name = title.lower().replace(", ", "-")
        check_snapshot(SNAPSHOTS / f"{name}-{columns}x{rows}.txt", visit.pilot.snapshot())
