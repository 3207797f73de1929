"""What the terminal shows counts in the program: the settings first, then the environment, then what tmux says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_tui.capabilities import get_capabilities
from tests.pi_agent.ui.support import Program, interactive

pytestmark = pytest.mark.anyio


def choose(folder: Path, **terminal: object) -> None:
    (folder / "agent").mkdir()
    (folder / "agent" / "settings.json").write_text(json.dumps({"terminal": terminal}))


def tmux_that_shows_links(folder: Path) -> dict[str, str]:
    """Return the environment inside a tmux whose terminal shows links."""
    program = folder / "tmux"
    program.write_text("#!/bin/sh\necho 256,hyperlinks,title\n")
    program.chmod(0o755)
    return {"TMUX": "/tmp/x,1,0", "TERM": "tmux-256color", "PATH": f"{folder}:/usr/bin:/bin"}


async def shows_link(program: Program) -> bool:
    """Let the model say a link, and return whether the terminal is told where it leads."""
    program.say("see [here](https://example.com/)")
    await program.pilot.wait_for(lambda: program.pilot.screen().count("here") >= 2)
    await program.settled("here")
    return any(
        run.style.link == "https://example.com/" for run in program.pilot.terminal.grid.style_runs()
    )


@pytest.mark.parametrize(
    ("setting", "variable", "is_link"),
    [("auto", "auto", False), ("auto", "1", True), (True, "0", True), (False, "1", False)],
)
async def test_links(setting: object, variable: str, is_link: bool, tmp_path: Path) -> None:
    choose(tmp_path, hyperlinks=setting)
    environ = {"PI_HYPERLINKS": variable}
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        assert await shows_link(program) is is_link


async def test_links_inside_tmux(tmp_path: Path) -> None:
    environ = tmux_that_shows_links(tmp_path)
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        assert await shows_link(program)


@pytest.mark.parametrize(
    ("chosen", "images", "mode"),
    [
        ({}, "kitty", "truecolor"),
        ({"images": "none", "trueColor": False}, None, "256color"),
        ({"images": "sixel", "trueColor": True}, "sixel", "truecolor"),
    ],
)
async def test_pictures_and_colors(
    chosen: dict[str, object], images: str | None, mode: str, tmp_path: Path
) -> None:
    choose(tmp_path, **chosen)
    environ = {"TERM_PROGRAM": "kitty", "PI_IMAGE_PROTOCOL": "kitty"}
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        assert get_capabilities().images == images
        assert program.app.theme.color_mode == mode
