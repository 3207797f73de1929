"""Files whose text goes into the system prompt: what a project says to agents, and what the user says to pi.

They are read whether the project is trusted or not, and nothing is read from a project's own `.pi` folder.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from pi_tui.frozen import frozen

CONTEXT_NAMES: Final = (
    "AGENTS.override.md",
    "AGENTS.md",
    "AGENTS.MD",
    "CLAUDE.md",
    "CLAUDE.MD",
)
SYSTEM_NAME: Final = "SYSTEM.md"
APPEND_SYSTEM_NAME: Final = "APPEND_SYSTEM.md"


@frozen
class ContextFile:
    """One file and its text."""

    path: Path
    text: str


@frozen
class ContextFiles:
    """What was found, in the order of the prompt, and what could not be read."""

    files: tuple[ContextFile, ...] = ()
    warnings: tuple[str, ...] = ()


def load_context_files(cwd: Path, *, agent_dir: Path) -> ContextFiles:
    """Read the context files for `cwd`: the user's own, then one of each folder from the root down."""
    cwd = Path(os.path.abspath(cwd))
    folders = dict.fromkeys((Path(os.path.abspath(agent_dir)), *reversed(cwd.parents), cwd))
    found = [path for folder in folders if (path := _context_file_of(folder)) is not None]
    shadowed = _shadowed_by_worktree(cwd)
    files: list[ContextFile] = []
    warnings: list[str] = []
    for path in found:
        if path == shadowed:
            continue
        try:
            files.append(ContextFile(path, read_prompt_file(path)))
        except OSError as error:
            warnings.append(f"Could not read {path}: {error.strerror}")
    return ContextFiles(tuple(files), tuple(warnings))


def read_prompt_file(path: Path) -> str:
    """Read a text file, without a byte order mark. Raises `OSError`."""
    return path.read_bytes().decode("utf-8-sig", "replace")


def text_or_file(value: str, *, cwd: Path) -> str:
    """Return the text of the file that `value` names, or `value` itself when it names none. Raises `OSError`."""
    path = cwd / value
    return read_prompt_file(path) if _is_file(path) else value


def load_user_prompt(agent_dir: Path, name: str) -> str | None:
    """Return the user's own `SYSTEM.md` or `APPEND_SYSTEM.md`; None when there is none. Raises `OSError`."""
    path = agent_dir / name
    return read_prompt_file(path) if _is_file(path) else None


def _context_file_of(folder: Path) -> Path | None:
    return next((folder / name for name in CONTEXT_NAMES if _is_file(folder / name)), None)


def _shadowed_by_worktree(cwd: Path) -> Path | None:
    """Return the main repository's file that a worktree inside that repository has a version of its own of."""
    worktree = next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), None)
    main = _main_repository(worktree) if worktree else None
    if worktree is None or main is None or main not in worktree.parents:
        return None
    own, theirs = _context_file_of(worktree), _context_file_of(main)
    return theirs if own and theirs and own.name == theirs.name else None


def _main_repository(worktree: Path) -> Path | None:
    """Return the repository that `worktree` was made from: its `.git` is a file that points there."""
    try:
        pointer = (worktree / ".git").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    git_dir = Path(os.path.abspath(worktree / pointer.removeprefix("gitdir:").strip()))
    if git_dir.parent.name != "worktrees":
        return None
    return git_dir.parent.parent.parent


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False
