"""Walking a tree: what git would tell where ignore files are concerned, and what it does with odd trees."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pi_tui.files.walk import walk
from tests.pi_tui.files.trees import make_tree

IGNORES = {
    ".gitignore": "*.log\n!keep.log\n/only-here\nbuild/\n**/cache/\n# note\n\\#odd\ntrail \n",
    ".git/info/exclude": "secret*\n",
    "a.log": "",
    "keep.log": "",
    "only-here": "",
    "sub/only-here": "",
    "build/x.py": "",
    "sub/build": "",
    "sub/.gitignore": "*.py\n!good.py\nkeep.log\n!deep/\ndeep/*\n!deep/in\n",
    "sub/bad.py": "",
    "sub/good.py": "",
    "sub/keep.log": "",
    "sub/deep/in": "",
    "sub/deep/out": "",
    "sub/deeper/.gitignore": "!bad.py\n",
    "sub/deeper/bad.py": "",
    "x/cache/y": "",
    "secret.txt": "",
    "sub/secrets/z": "",
    "#odd": "",
    "trail": "",
}


def _walked(folder: Path) -> list[str]:
    return [path for batch in walk(str(folder), lambda: False) for path in batch]


def _files(folder: Path) -> set[str]:
    return {path for path in _walked(folder) if not path.endswith("/")}


def _git(folder: Path, *words: str) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    return subprocess.run(
        ["git", *words], cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize("below", ["", "sub", "sub/deep", "x"])
def test_ignore_files_mean_what_they_mean_to_git(tmp_path: Path, below: str) -> None:
    make_tree(tmp_path, {})
    _git(tmp_path, "init", "-q")
    make_tree(tmp_path, IGNORES)
    told = _git(tmp_path / below, "ls-files", "-co", "--exclude-standard", "-z").split("\0")
    assert _files(tmp_path / below) == {name for name in told if name}


def test_ignore_files_count_outside_of_repositories_too(tmp_path: Path) -> None:
    make_tree(
        tmp_path, {".gitignore": "a\n", ".ignore": "b\n", "a": "", "b": "", "c/a": "", "d": ""}
    )
    assert _files(tmp_path) == {".gitignore", ".ignore", "d"}


def test_a_folder_that_is_ignored_as_a_whole_can_be_walked_itself(tmp_path: Path) -> None:
    make_tree(tmp_path, {".git/": "", ".gitignore": "build/\n", "build/.gitignore": "x\n"})
    make_tree(tmp_path, ["build/x", "build/y"])
    assert _files(tmp_path) == {".gitignore"}
    assert _files(tmp_path / "build") == {".gitignore", "y"}


def test_what_is_near_comes_first(tmp_path: Path) -> None:
    make_tree(tmp_path, ["a/b/c/deep", "a/mid", "top", "empty/"])
    found = _walked(tmp_path)
    assert sorted(found[:3]) == ["a/", "empty/", "top"]
    assert found[3:] in (
        ["a/b/", "a/mid", "a/b/c/", "a/b/c/deep"],
        ["a/mid", "a/b/", "a/b/c/", "a/b/c/deep"],
    )


def test_links_are_followed_once_and_never_round(tmp_path: Path) -> None:
    make_tree(tmp_path / "top", ["a/file"])
    make_tree(tmp_path / "else", ["other"])
    for link, target in (
        ("top/a/up", tmp_path / "top"),
        ("top/a/self", tmp_path / "top/a"),
        ("top/one", tmp_path / "else"),
        ("top/two", tmp_path / "else"),
        ("else/back", tmp_path / "top"),
        ("top/broken", tmp_path / "nowhere"),
    ):
        (tmp_path / link).symlink_to(target)
    found = _walked(tmp_path / "top")
    assert len(found) == len(set(found))
    entered = [path for path in found if path.endswith("/other")]
    assert entered in (["one/other"], ["two/other"])
    assert {"a/", "a/file", "a/up/", "a/self/", "one/", "two/", "broken"} <= set(found)
    assert not [path for path in found if "/back/" in path and not path.endswith("back/")]


def test_what_may_not_be_read_and_what_cannot_be_typed_is_passed_over(tmp_path: Path) -> None:
    make_tree(tmp_path, ["closed/in", "open/in", "open/two\nlines/x", ".git/config", "sub/.git/x"])
    (tmp_path / "closed").chmod(0)
    found = set(_walked(tmp_path))
    (tmp_path / "closed").chmod(0o700)
    assert found - {"closed/in"} == {"closed/", "open/", "open/in", "sub/"}  # root may read all


def test_it_stops_when_told_to(tmp_path: Path) -> None:
    make_tree(tmp_path, [f"d{number}/x" for number in range(50)])
    walked: list[list[str]] = []
    for batch in walk(str(tmp_path), lambda: len(walked) >= 3):
        walked.append(batch)
    assert len(walked) == 3
