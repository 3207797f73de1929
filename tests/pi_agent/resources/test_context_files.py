"""Which files tell the model about a project."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pi_agent.resources.context_files import (
    CONTEXT_NAMES,
    ContextFiles,
    load_context_files,
    load_user_prompt,
    text_or_file,
)


@pytest.fixture
def agent_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "agent"
    folder.mkdir()
    return folder


def put(path: Path, text: str | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(path.name if text is None else text, encoding="utf-8")
    return path


def paths_below(found: ContextFiles, root: Path) -> list[str]:
    return [str(f.path.relative_to(root)) for f in found.files if root in f.path.parents]


def test_the_users_own_file_comes_first_then_from_the_root_down(
    tmp_path: Path, agent_dir: Path
) -> None:
    for name in ("AGENTS.md", "repo/AGENTS.md", "repo/sub/CLAUDE.md", "repo/other/AGENTS.md"):
        put(tmp_path / name)
    put(agent_dir / "AGENTS.md")
    found = load_context_files(tmp_path / "repo" / "sub", agent_dir=agent_dir)
    assert paths_below(found, tmp_path) == [
        "agent/AGENTS.md",
        "AGENTS.md",
        "repo/AGENTS.md",
        "repo/sub/CLAUDE.md",
    ]


def test_of_each_folder_the_first_name_counts(tmp_path: Path, agent_dir: Path) -> None:
    for index in range(len(CONTEXT_NAMES)):
        folder = tmp_path / str(index)
        folder.mkdir()
        for name in CONTEXT_NAMES[index:]:
            put(folder / name)
        found = load_context_files(folder, agent_dir=agent_dir)
        assert paths_below(found, folder) == [CONTEXT_NAMES[index]]


def test_a_folder_counts_once(tmp_path: Path) -> None:
    put(tmp_path / "AGENTS.md")
    found = load_context_files(tmp_path / "sub", agent_dir=tmp_path)
    assert paths_below(found, tmp_path) == ["AGENTS.md"]


def test_what_is_no_regular_file_is_passed_over(tmp_path: Path, agent_dir: Path) -> None:
    (tmp_path / "AGENTS.override.md").mkdir()
    os.mkfifo(tmp_path / "AGENTS.md")
    put(tmp_path / "CLAUDE.md")
    found = load_context_files(tmp_path, agent_dir=agent_dir)
    assert paths_below(found, tmp_path) == ["CLAUDE.md"]
    assert found.warnings == ()


def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path: Path, agent_dir: Path) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"\xef\xbb\xbfrules \xff")
    found = load_context_files(tmp_path, agent_dir=agent_dir)
    assert found.files[-1].text == "rules \ufffd"


def test_nothing_is_read_from_the_projects_pi_folder(tmp_path: Path, agent_dir: Path) -> None:
    put(tmp_path / ".pi" / "AGENTS.md")
    put(tmp_path / ".pi" / "SYSTEM.md")
    found = load_context_files(tmp_path, agent_dir=agent_dir)
    assert paths_below(found, tmp_path) == []


def git(*words: str, cwd: Path) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *identity, *words], cwd=cwd, check=True, capture_output=True)


@pytest.mark.parametrize("where", ["trees/one", "../one"])
def test_a_worktree_inside_its_repository_shadows_the_same_file(
    where: str, tmp_path: Path, agent_dir: Path
) -> None:
    main = tmp_path / "main"
    put(main / "AGENTS.md")
    git("init", "-q", ".", cwd=main)
    git("add", ".", cwd=main)
    git("commit", "-q", "-m", "x", cwd=main)
    git("worktree", "add", "-q", where, cwd=main)
    worktree = (main / where).resolve()
    found = load_context_files(worktree / "deeper", agent_dir=agent_dir)
    assert [f.path for f in found.files if tmp_path in f.path.parents] == [worktree / "AGENTS.md"]

    (worktree / "AGENTS.md").rename(worktree / "CLAUDE.md")
    found = load_context_files(worktree, agent_dir=agent_dir)
    assert (main / "AGENTS.md" in [f.path for f in found.files]) is (main in worktree.parents)


def test_a_value_that_names_a_file_is_its_text(tmp_path: Path) -> None:
    put(tmp_path / "prompt.md", "from the file")
    assert text_or_file("prompt.md", cwd=tmp_path) == "from the file"
    assert text_or_file(str(tmp_path / "prompt.md"), cwd=Path("/")) == "from the file"
    for text in ("be brief", "", "x" * 10_000, "a\x00b"):
        assert text_or_file(text, cwd=tmp_path) == text


def test_the_users_prompt_files_are_read_from_the_agent_folder(agent_dir: Path) -> None:
    assert load_user_prompt(agent_dir, "SYSTEM.md") is None
    put(agent_dir / "SYSTEM.md", "You are a poet.")
    assert load_user_prompt(agent_dir, "SYSTEM.md") == "You are a poet."
