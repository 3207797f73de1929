"""What git says of a folder, read from its files: no process, nothing that blocks."""

from __future__ import annotations

from pathlib import Path

_BRANCH = "ref: refs/heads/"


def current_branch(folder: Path) -> str | None:
    """Return the branch checked out in the repository around `folder`; `"detached"` without one.

    `None` outside a repository or when its files cannot be read. Linked worktrees are followed.
    """
    for parent in (folder, *folder.parents):
        git = parent / ".git"
        try:
            if git.is_file():
                pointer = git.read_text(encoding="utf-8").strip()
                git = parent / pointer.removeprefix("gitdir:").strip()
            if git.is_dir():
                return _branch_of((git / "HEAD").read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            return None
    return None


def _branch_of(head: str) -> str:
    head = head.strip()
    return head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else "detached"
