"""What `fd` is called with, and what is made of what it says or does."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from pathlib import Path

import pytest

from pi_tui.abort import AbortController
from pi_tui.files import fd
from tests.pi_tui.files.trees import make_tree

pytestmark = pytest.mark.anyio

# Notes its words, one to a line, and answers as the test wants it to.
STAND_IN = "#!/bin/sh\nprintf '%s\\n' \"$@\" > words.$$\n"


def _stand_in(folder: Path, script: str) -> str:
    path = folder / "fd"
    path.write_text(STAND_IN + script)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


async def _search(program: str, folder: Path, query: str) -> list[str]:
    return await fd.search(program, str(folder), query, signal=AbortController().signal)


async def test_it_is_asked_for_what_is_near_and_for_all(tmp_path: Path) -> None:
    folder = make_tree(tmp_path / "project", ["sub/", "odd\nname"])
    program = _stand_in(tmp_path, r"printf './near.py\0sub\0odd\nname\0\377\0far/x.py\0'")
    assert await _search(program, folder, "-x") == ["near.py", "sub/", "far/x.py"]
    calls = sorted((path.read_text() for path in folder.glob("words.*")), key=len)
    common = [
        *("--type", "f", "--type", "d", "--hidden", "--follow", "--exclude", ".git"),
        *("--ignore-case", "--color", "never", "--print0", "--max-results", "100"),
        *("--fixed-strings", "--", "-x"),
    ]
    assert [call.split() for call in calls] == [common, ["--max-depth", "1", *common]]


def test_a_query_with_a_slash_is_looked_for_below_the_folder_only(tmp_path: Path) -> None:
    folder = tmp_path / "a+b (c)"
    folder.mkdir()
    words = fd.arguments_for(str(folder), "x.y/z")
    assert words[-3:-1] == ["--full-path", "--"]
    assert words[-1].endswith(r"/a\+b \(c\)/.*x\.y/z")


async def test_a_program_that_fails_without_a_word_is_no_search(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="ended with 3"):
        await _search(_stand_in(tmp_path, "exit 3"), tmp_path, "x")
    with pytest.raises(OSError):
        await _search(str(tmp_path / "nowhere"), tmp_path, "x")
    reports_some = _stand_in(tmp_path, r"printf 'x\0'; exit 1")
    assert await _search(reports_some, tmp_path, "x") == ["x"]


async def test_it_ends_with_the_signal(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pids")
    program = _stand_in(tmp_path, "echo $$ > pids; exec sleep 60")
    controller = AbortController()
    search = asyncio.create_task(fd.search(program, str(tmp_path), "x", signal=controller.signal))
    pids = await asyncio.wait_for(asyncio.to_thread(_two_pids, tmp_path / "pids"), 8)
    controller.abort("enough")
    assert await asyncio.wait_for(search, 8) == []
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def _two_pids(pipe: Path) -> list[int]:
    found: list[int] = []
    while len(found) < 2:
        found += map(int, pipe.read_text().split())
    return found


@pytest.mark.skipif(fd.find_fd() is None, reason="fd is not installed")
async def test_the_program_itself_understands(tmp_path: Path) -> None:
    program = fd.find_fd()
    assert program is not None
    folder = make_tree(
        tmp_path / "a+b (c)",
        {".ignore": "no*\n", "node.py": "", "src/Model.py": "", ".git/model": "", ".h/model": ""},
    )
    (folder / "link").symlink_to(folder)
    found = await _search(program, folder, "model")
    assert set(found) == {"src/Model.py", ".h/model"}
    assert await _search(program, folder, "src/m") == ["src/Model.py"]
    assert await _search(program, folder, "[") == []


def test_it_goes_by_two_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fd.find_fd() is None
    shutil.copy(_stand_in(tmp_path, ""), tmp_path / "fdfind")
    (tmp_path / "fd").unlink()
    assert fd.find_fd() == str(tmp_path / "fdfind")
