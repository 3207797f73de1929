"""The theme on the screen: the terminal's own colours, and files of one's own that are followed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pi_agent.resources.themes import BUNDLED_THEMES
from pi_agent.ui.app import InteractiveApp
from pi_tui.colors import color_to_hex
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_agent.ui.support import options_for

pytestmark = pytest.mark.anyio

DARK = Path(__file__).resolve().parents[3] / "pi_agent" / "themes" / "dark.json"
BLACK = {
    "da1": "?62;22",
    "osc10": "rgb:ffff/ffff/ffff",
    "osc11": "rgb:0000/0000/0000",
}


@asynccontextmanager
async def shown(
    folder: Path, *words: str, answers: Mapping[str, str] | None = None
) -> AsyncIterator[tuple[InteractiveApp, Pilot]]:
    options = options_for(folder, ["--model", "demo/echo", *words])
    terminal = HeadlessTerminal(60, 20, answers=answers or {"da1": "?62;22"})
    app = InteractiveApp(options, terminal)
    app.tui.problems.strict = True
    task = asyncio.create_task(app.run())
    await asyncio.sleep(0)
    pilot = Pilot(app.tui, terminal)
    try:
        await pilot.wait_for(lambda: app.is_ready)
        yield app, pilot
    finally:
        app.tui.stop()
        await asyncio.wait_for(task, 20)


def write_theme(folder: Path, accent: str, name: str = "mine") -> Path:
    data = json.loads(DARK.read_text())
    data["name"] = name
    data["colors"]["accent"] = accent
    path = folder / "agent" / "themes" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))
    return path


async def test_the_system_theme_follows_the_colors_that_the_terminal_tells(tmp_path: Path) -> None:
    async with shown(tmp_path, "--use-theme", "system", answers=BLACK) as (app, pilot):
        await pilot.wait_for(lambda: color_to_hex(app.theme.colors["accent"]) == "#a291d5")
        assert app.theme.name == "system"
        assert app.theme.appearance == "dark"


async def test_a_terminal_that_tells_nothing_gets_the_colors_of_its_palette(tmp_path: Path) -> None:
    async with shown(tmp_path, "--use-theme", "system") as (app, pilot):
        await pilot.wait_for(lambda: app.theme.fg("accent", "x") == "\x1b[38;5;5mx\x1b[39m")
        assert app.theme.bg("selectedBg", "x") == "\x1b[49mx\x1b[49m"


async def test_a_terminal_that_becomes_light_is_drawn_on_so(tmp_path: Path) -> None:
    async with shown(tmp_path, "--use-theme", "system", answers=BLACK) as (app, pilot):
        await pilot.wait_for(lambda: app.theme.appearance == "dark" and bool(app.theme.colors))
        await pilot.wait_for(lambda: 2031 in pilot.terminal.grid.modes)
        pilot.terminal.grid.answers |= {
            "osc10": "rgb:0000/0000/0000",
            "osc11": "rgb:ffff/ffff/ffff",
        }
        pilot.terminal.send(b"\x1b[?997;1n\x1b[?997;2n")
        assert app.theme.appearance == "light"
        await pilot.wait_for(lambda: color_to_hex(app.theme.colors["accent"]) == "#8268c4")
    assert 2031 not in pilot.terminal.grid.modes


async def test_reports_are_asked_for_only_if_something_follows_them(tmp_path: Path) -> None:
    async with shown(tmp_path, "--use-theme", "dark") as (app, pilot):
        assert 2031 not in pilot.terminal.grid.modes
    async with shown(tmp_path, "--use-theme", "light/dark") as (app, pilot):
        await pilot.wait_for(lambda: 2031 in pilot.terminal.grid.modes)
        pilot.terminal.send(b"\x1b[?997;2n")
        assert app.theme.name == "light"


async def test_until_the_terminal_has_answered_there_is_no_color(tmp_path: Path) -> None:
    options = options_for(tmp_path, ["--model", "demo/echo", "--use-theme", "system"])
    app = InteractiveApp(options, HeadlessTerminal(60, 20))
    assert app.theme.fg("accent", "x") == "\x1b[39mx\x1b[39m"


async def test_a_theme_of_ones_own_is_drawn_anew_when_its_file_changes(tmp_path: Path) -> None:
    path = write_theme(tmp_path, "#112233")
    async with shown(tmp_path, "--use-theme", "mine") as (app, pilot):
        app._theme_watch._seconds = 0.01
        assert color_to_hex(app.theme.colors["accent"]) == "#112233"
        write_theme(tmp_path, "#445566")
        await pilot.wait_for(lambda: color_to_hex(app.theme.colors["accent"]) == "#445566")
        path.write_text("{")
        await pilot.wait_for("The theme stays as it was.")
        assert color_to_hex(app.theme.colors["accent"]) == "#445566"
        assert pilot.screen().count("stays as it was") == 1
        write_theme(tmp_path, "#778899")
        await pilot.wait_for(lambda: color_to_hex(app.theme.colors["accent"]) == "#778899")
        path.unlink()
        await pilot.wait_for("was not found.")
        assert color_to_hex(app.theme.colors["accent"]) == "#778899"


async def test_a_theme_that_is_not_there_falls_back_to_the_system_theme(tmp_path: Path) -> None:
    async with shown(tmp_path, "--use-theme", "nope") as (app, pilot):
        await pilot.wait_for(
            lambda: "Fell back to the system theme." in " ".join(pilot.screen().split())
        )
        assert app.theme.name == "system"


async def test_a_file_cannot_take_the_name_of_a_theme_that_comes_with_pi(tmp_path: Path) -> None:
    for name in BUNDLED_THEMES:
        write_theme(tmp_path, "#112233", name)
    async with shown(tmp_path, "--use-theme", "light/dark") as (app, _):
        assert color_to_hex(app.theme.colors["accent"]) != "#112233"


async def test_settings_offer_themes_of_ones_own(tmp_path: Path) -> None:
    write_theme(tmp_path, "#112233")
    async with shown(tmp_path) as (app, pilot):
        pilot.type("/settings")
        pilot.press("enter")
        await pilot.wait_for("→ Theme")
        pilot.press("enter")
        await pilot.wait_for("A theme of your own")
        pilot.press("up", "enter")
        await pilot.wait_for(lambda: app.theme.name == "mine")
