"""The theme on the screen: the terminal's own colours, and files of one's own that are followed."""

from __future__ import annotations

import asyncio
import builtins
import json
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pi_agent.extensions.ui import ExtensionUI, ThemeResult
from pi_agent.resources.themes import BUNDLED_THEMES
from pi_agent.ui.app import InteractiveApp
from pi_agent.ui.theme_watch import ThemeWatch
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


def accent_of(app: InteractiveApp) -> str:
    return color_to_hex(app.theme.colors["accent"])


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
        app.theming.watch.seconds = 0.01
        assert accent_of(app) == "#112233"
        write_theme(tmp_path, "#445566")
        await pilot.wait_for(lambda: accent_of(app) == "#445566")
        # Half a file changes nothing and says nothing; whoever wants to know asks with /reload.
        path.write_text(path.read_text()[:100])
        await pilot.wait_for(lambda: app.theming.choice.stale is not None)
        assert accent_of(app) == "#445566"
        assert "mine.json" not in pilot.screen()
        pilot.type("/reload")
        pilot.press("enter")
        await pilot.wait_for(
            lambda: "The theme stays as it was." in " ".join(pilot.screen().split())
        )
        write_theme(tmp_path, "#778899")
        await pilot.wait_for(lambda: accent_of(app) == "#778899")
        path.unlink()
        await pilot.wait_for(lambda: app.theming.choice.stale is not None)
        assert accent_of(app) == "#778899"


async def test_a_file_is_taken_once_it_has_come_to_rest(tmp_path: Path) -> None:
    """Two looks that find the same: what is written in pieces is taken at its end."""
    path = tmp_path / "mine.json"
    taken: asyncio.Queue[str] = asyncio.Queue()
    tasks: list[asyncio.Task[object]] = []

    def start(work: Coroutine[object, object, None]) -> None:
        tasks.append(asyncio.create_task(work))

    def take() -> None:
        taken.put_nowait(path.read_text() if path.exists() else "gone")

    watch = ThemeWatch(start, take, seconds=0.002)
    watch.follow(path)
    watch.follow(path)
    assert len(tasks) == 1
    await asyncio.sleep(0)
    for text in ("a", "ab"):
        path.write_text(text)
        assert await asyncio.wait_for(taken.get(), 5) == text
    path.unlink()
    assert await asyncio.wait_for(taken.get(), 5) == "gone"
    watch.follow(None)
    await asyncio.wait_for(tasks[0], 5)
    assert taken.empty()


async def test_a_theme_in_another_place_waits_for_reload(tmp_path: Path) -> None:
    path = write_theme(tmp_path, "#112233")
    other = tmp_path / "elsewhere" / "mine.json"
    other.parent.mkdir()
    path.rename(other)
    words = ("--theme", str(other.parent), "--use-theme", "mine")
    async with shown(tmp_path, *words) as (app, _):
        assert app.theming.choice.own_file is None
        other.write_text(other.read_text().replace("#112233", "#445566"))
        app.theming.show()
        await app.theming.reload()
        assert accent_of(app) == "#445566"


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


async def test_settings_take_one_theme_for_each_kind_of_terminal(tmp_path: Path) -> None:
    """The selected one is shown at once, Escape goes back a step, and the choice is saved."""
    write_theme(tmp_path, "#112233")
    async with shown(tmp_path, answers=BLACK) as (app, pilot):
        pilot.type("/settings")
        pilot.press("enter")
        await pilot.wait_for("→ Theme")
        pilot.press("enter")
        await pilot.wait_for("…/…")
        pilot.press("down", "down")
        assert app.theme.name == "light"
        pilot.press("down", "down", "enter")
        await pilot.wait_for("While light:")
        pilot.press("up")
        assert app.theme.name == "mine"
        pilot.press("escape")
        pilot.tui.render_now()
        assert "While light" not in pilot.screen()
        pilot.press("enter", "down", "down", "enter")
        await pilot.wait_for("While dark:")
        pilot.press("up", "enter")
        await pilot.wait_for("light/mine")
        settings = tmp_path / "agent" / "settings.json"
        await pilot.wait_for(
            lambda: (
                settings.exists() and json.loads(settings.read_text()) == {"theme": "light/mine"}
            )
        )
        assert app.theme.name == "mine"


async def test_nothing_chosen_leaves_the_theme_as_it_was(tmp_path: Path) -> None:
    async with shown(tmp_path, "--use-theme", "dark") as (app, pilot):
        pilot.type("/settings")
        pilot.press("enter")
        await pilot.wait_for("→ Theme")
        pilot.press("enter")
        await pilot.wait_for("…/…")
        pilot.press("down", "down")
        assert app.theme.name == "light"
        pilot.press("escape")
        assert app.theme.name == "dark"
        assert not (tmp_path / "agent" / "settings.json").exists()


async def test_a_name_that_is_taken_is_told_at_the_start(tmp_path: Path) -> None:
    write_theme(tmp_path, "#112233", "dark")
    async with shown(tmp_path) as (_, pilot):
        await pilot.wait_for(
            lambda: (
                'is left out: a theme named "dark" comes with pi.'
                in " ".join(pilot.screen().split())
            )
        )


async def test_a_broken_file_is_named_with_all_that_is_wrong(tmp_path: Path) -> None:
    path = write_theme(tmp_path, "#112233")
    data = json.loads(path.read_text())
    del data["colors"]["text"]
    data["colors"] |= {"accent": "nope", "extra": 1}
    path.write_text(json.dumps(data))
    async with shown(tmp_path, "--use-theme", "mine") as (app, pilot):
        await pilot.wait_for("Fell back to the system theme.")
        screen = " ".join(pilot.screen().split())
        assert 'Failed to load theme "mine": Theme file' in screen
        assert (
            "is not valid: Missing required tokens: text colors.extra: unknown token "
            "colors.accent: Variable reference not found: nope"
        ) in screen
        assert "mine.json" in screen.replace(" ", "")
        write_theme(tmp_path, "#445566")
        app.theming.watch.seconds = 0.01
        await pilot.wait_for(lambda: accent_of(app) == "#445566")


KEEPS_UI = """
def setup(pi):
    @pi.on("session_start")
    def keep(event, ctx):
        import builtins
        builtins.kept_ui = ctx.ui
"""


async def test_extensions_see_and_change_the_theme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtins, "kept_ui", None, raising=False)
    (tmp_path / "keeps.py").write_text(KEEPS_UI)
    write_theme(tmp_path, "#112233")
    words = ("-e", str(tmp_path / "keeps.py"), "--use-theme", "system")
    async with shown(tmp_path, *words, answers=BLACK) as (app, pilot):
        ui: ExtensionUI = getattr(builtins, "kept_ui")  # noqa: B009  # only this test knows the name
        infos = ui.get_all_themes()
        assert [info.name for info in infos] == ["system", "dark", "light", "mine"]
        assert [info.path is not None for info in infos] == [False, True, True, True]
        mine = ui.get_theme("mine")
        assert mine is not None
        assert color_to_hex(mine.colors["accent"]) == "#112233"
        assert ui.get_theme("nope") is None
        assert app.theme.name == "system"
        assert ui.set_theme("nope") == ThemeResult(False, 'Theme "nope" was not found.')
        assert not ui.set_theme("a/b/c").success
        assert app.theme.name == "system"
        # A theme of an extension stays, whatever the terminal becomes, and is no choice of the user's.
        assert ui.set_theme(mine) == ThemeResult(True)
        pilot.terminal.send(b"\x1b[?997;2n")
        assert ui.theme.name == "mine"
        assert 2031 not in pilot.terminal.grid.modes
        assert ui.set_theme(ui.theme).success
        settings = tmp_path / "agent" / "settings.json"
        assert not settings.exists()
        assert ui.set_theme("light / dark").success
        await pilot.wait_for(
            lambda: (
                settings.exists() and json.loads(settings.read_text()) == {"theme": "light / dark"}
            )
        )
        assert ui.theme.name in ("light", "dark")
