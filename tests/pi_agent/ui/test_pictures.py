"""Pictures of tools and of messages: drawn where the terminal can, told of elsewhere."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from pi_agent.llm.messages import CustomMessage, ImageContent, TextContent, UserMessage
from pi_agent.ui.messages.custom import CustomMessageView
from pi_agent.ui.messages.pictures import Pictures
from pi_agent.ui.picture_look import PictureLook
from tests.pi_agent.ui.support import interactive, script
from tests.pi_agent.ui.test_markdown_messages import DARK
from tests.pi_tui.image_grid import ImageGrid, make_png
from tests.pi_tui.image_screens import terminal_that_shows

pytestmark = pytest.mark.anyio

PNG = make_png(90, 90)
LINE = "[Image: [image/png] 90x90]"


def reading(folder: Path) -> dict[str, str]:
    (folder / "work").mkdir(exist_ok=True)
    (folder / "work" / "a.png").write_bytes(PNG)
    return script(
        folder,
        {"toolCalls": [{"name": "read", "arguments": {"path": "a.png"}}]},
        {"text": "A grey square."},
    )


def settings(folder: Path, **values: object) -> None:
    (folder / "agent").mkdir(exist_ok=True)
    (folder / "agent" / "settings.json").write_text(json.dumps({"terminal": values}))


@pytest.mark.parametrize("mode", ["fullscreen", "regular"])
async def test_what_a_tool_returns_is_drawn_below_its_row(tmp_path: Path, mode: str) -> None:
    settings(tmp_path, imageWidthCells=10)
    environ = reading(tmp_path) | {"PI_IMAGE_PROTOCOL": "kitty"}
    grid = ImageGrid(80, 24)
    words = ("--model", "demo/script", "--tui-mode", mode)
    with terminal_that_shows("kitty"):
        async with interactive(tmp_path, *words, environ=environ, grid=grid) as program:
            program.say("look at a.png")
            await program.settled("A grey square.")
            (shown,) = grid.visible()
            assert (shown.column, shown.columns, shown.rows) == (1, 10, 5)
            rows = program.pilot.lines()
            top = shown.row - len(grid.scrollback)
            assert "read a.png" in rows[top - 1]
            assert not any(rows[top : top + 5])
            assert LINE not in program.pilot.screen()
            assert len(grid.uploads()) == 1
        assert grid.pictures == {} and grid.placements == {}


async def test_the_setting_leaves_a_line_and_takes_effect_at_once(tmp_path: Path) -> None:
    settings(tmp_path, showImages=False)
    environ = reading(tmp_path) | {"PI_IMAGE_PROTOCOL": "kitty"}
    grid = ImageGrid(80, 24)
    words = ("--model", "demo/script")
    with terminal_that_shows("kitty"):
        async with interactive(tmp_path, *words, environ=environ, grid=grid) as program:
            program.say("look at a.png")
            await program.settled("A grey square.")
            assert LINE in program.pilot.screen()
            assert grid.visible() == []
            program.app.settings.set({"terminal.showImages": True})
            program.pilot.tui.render_now()
            assert LINE not in program.pilot.screen()
            assert len(grid.visible()) == 1


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (40, 15), (20, 10)])
async def test_a_terminal_without_pictures_tells_of_them(
    tmp_path: Path, columns: int, rows: int
) -> None:
    environ = reading(tmp_path)
    words = ("--model", "demo/script")
    with terminal_that_shows(None):
        async with interactive(
            tmp_path, *words, environ=environ, columns=columns, rows=rows
        ) as program:
            program.say("look")
            await program.settled("A grey square.")
            await program.pilot.wait_for("[Image: [image/")
            assert "_G" not in program.pilot.screen()


def test_a_message_shows_its_pictures_and_what_is_none_is_told_of() -> None:
    content: list[TextContent | ImageContent] = [
        TextContent(text="two"),
        ImageContent(data=base64.b64encode(PNG).decode(), mime_type="image/png"),
        ImageContent(data="no base64 \x1b[2J", mime_type="image/png\x1b[2J"),
    ]
    pictures = Pictures(DARK, lambda: PictureLook(True, 10))
    pictures.show(UserMessage(content=content, timestamp=0).content)
    with terminal_that_shows("kitty"):
        rows = ["two"]
        shown = pictures.below(rows, 40)
        assert shown[1].startswith(" \x1b_Ga=T") and not any(row.strip() for row in shown[2:6])
        assert "[Image: [image/png [2J] 800x600]" in shown[6] and "\x1b[2J" not in shown[6]
        assert pictures.below(rows, 40) is shown
        assert Pictures(DARK).below(rows, 40) is rows


def test_a_message_of_an_extension_shows_its_pictures_too() -> None:
    image = ImageContent(data=base64.b64encode(PNG).decode(), mime_type="image/png")
    message = CustomMessage(
        custom_type="chart", content=[TextContent(text="A chart"), image], display=True, timestamp=0
    )
    view = CustomMessageView(message, DARK, lambda custom_type: None)
    with terminal_that_shows(None):
        assert LINE in "\n".join(view.render(60))
    with terminal_that_shows("kitty"):
        assert sum("\x1b_Ga=T" in row for row in view.render(60)) == 1
