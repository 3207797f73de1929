"""How the paths below a folder are found: by git in its work trees, else by walking."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pi_tui.files.scan import scan
from tests.pi_tui.files.trees import make_tree


def _scanned(folder: Path) -> list[str]:
    return [path for batch in scan(str(folder), lambda: False) for path in batch]


def _repository(folder: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return make_tree(
        folder,
        {".gitignore": "out/\n*.log\n", "a b/ü.py": "", "a b/c/d": "", "out/x": "", "y.log": ""},
    )


def test_git_tells_files_and_the_folders_they_are_in(tmp_path: Path) -> None:
    folder = _repository(tmp_path)
    make_tree(folder, ["bad\nname", "w/bad\tname", "w/good"])
    found = _scanned(folder)
    assert set(found) == {".gitignore", "a b/", "a b/c/", "a b/c/d", "a b/ü.py", "w/", "w/good"}
    assert len(found) == 7
    assert set(_scanned(folder / "a b")) == {"c/", "c/d", "ü.py"}


def test_a_conflict_names_a_file_once(tmp_path: Path) -> None:
    folder = _repository(tmp_path)
    entry = "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 {}\tboth.py\n"
    subprocess.run(
        ["git", "update-index", "--index-info"],
        cwd=folder,
        input="".join(entry.format(stage) for stage in (1, 2, 3)).encode(),
        check=True,
    )
    assert _scanned(folder).count("both.py") == 1


def test_a_folder_that_git_ignores_is_walked(tmp_path: Path) -> None:
    folder = _repository(tmp_path)
    assert _scanned(folder / "out") == ["x"]


def test_without_git_the_tree_is_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _repository(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert set(_scanned(folder)) == {".gitignore", "a b/", "a b/c/", "a b/c/d", "a b/ü.py"}


def test_a_tree_that_git_cannot_make_out_is_walked(tmp_path: Path) -> None:
    make_tree(tmp_path, {".git": "gitdir: nowhere\n", "x": ""})
    assert _scanned(tmp_path) == ["x"]


def test_a_repository_runs_no_program_and_another_one_has_no_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _repository(tmp_path / "here")
    other = _repository(tmp_path / "other")
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    subprocess.run(["git", "config", "core.fsmonitor", str(trap)], cwd=folder, check=True)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert "a b/ü.py" in _scanned(folder)
    assert not (tmp_path / "sprung").exists()
    assert "GIT_DIR" in os.environ


def test_git_is_stopped_in_the_middle(tmp_path: Path) -> None:
    folder = _repository(tmp_path)
    batches = scan(str(folder), lambda: False)
    next(batches)
    batches.close()
    assert list(scan(str(folder), lambda: True)) == []
