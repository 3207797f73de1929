"""What is on disk after `write`, and what the model is told when nothing could be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pi_agent.llm.messages import text_of
from pi_agent.loop.tool import ToolResult
from pi_agent.tools.mutation_queue import MutationQueue
from pi_agent.tools.write import write_tool
from pi_tui.abort import AbortController, AbortError

pytestmark = pytest.mark.anyio


async def write(folder: Path, path: str, content: str, *, aborted: bool = False) -> str:
    controller = AbortController()
    if aborted:
        controller.abort("Operation aborted")
    tool = write_tool(folder, MutationQueue())
    params = {"path": path, "content": content}
    result = await tool.execute("1", params, controller.signal, lambda partial: None, None)
    assert isinstance(result, ToolResult)
    return text_of(result.content)


async def test_the_model_hears_of_the_path_it_gave(tmp_path: Path) -> None:
    assert await write(tmp_path, "@sub/w.txt", "hi") == "Successfully wrote to @sub/w.txt"
    assert (tmp_path / "sub" / "w.txt").read_text() == "hi"


async def test_half_a_character_becomes_a_replacement_character(tmp_path: Path) -> None:
    await write(tmp_path, "a", "x\ud83dy\ud83d\udc4d")
    assert (tmp_path / "a").read_text(encoding="utf-8") == "x\ufffdy👍"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("folder", "Is a directory"),
        ("", "Is a directory"),
        ("file/below", "Not a directory"),
        ("file/far/below", "Not a directory"),
        ("a\0b", "Not a possible path"),
        ("\ud800", "Not a possible path"),
        ("x" * 300, "File name too long"),
    ],
)
async def test_a_failure_names_the_path_and_the_reason(
    tmp_path: Path, path: str, reason: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    with pytest.raises(OSError) as failure:
        await write(tmp_path, path, "x")
    assert str(failure.value).startswith(f"Cannot write {path or '(empty path)'}: {reason}")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == "kept"


async def test_nothing_is_written_after_an_abort(tmp_path: Path) -> None:
    with pytest.raises(AbortError):
        await write(tmp_path, "sub/a", "x", aborted=True)
    assert os.listdir(tmp_path) == []
