"""What ignore files say of the paths below a folder: `.gitignore` and `.ignore`, and what a repository adds.

The rules of a folder count for all that is below it; the deepest that says something decides. `pathspec` reads
the patterns.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pi_tui.frozen import frozen

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILES = (".gitignore", ".ignore")
_MAX_BYTES = 1024 * 1024


@frozen
class IgnoreRules:
    """The rules in `folder`, and those of the folders above it."""

    folder: str
    own: GitIgnoreSpec | None = None
    above: IgnoreRules | None = None

    def within(self, folder: str) -> IgnoreRules:
        """Return the rules in a folder below this one."""
        spec = _read_spec([os.path.join(folder, name) for name in IGNORE_FILES])
        return self if spec is None else IgnoreRules(folder, spec, self)

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether `path` below `folder` is left out, none of the folders on the way being so."""
        rules: IgnoreRules | None = self
        while rules is not None:
            if rules.own is not None:
                relative = path[len(rules.folder) :].lstrip("/")
                said = rules.own.check_file(f"{relative}/" if is_folder else relative).include
                if said is not None:
                    return said
            rules = rules.above
        return False


def rules_at(folder: str) -> IgnoreRules:
    """Return the rules for what is in `folder`, with those of the repository around it.

    If that leaves out the folder as a whole, only what the folder says itself counts.
    """
    top = _repository_around(folder)
    rules = IgnoreRules(folder)
    if top is not None:
        rules = IgnoreRules(top, _read_spec([os.path.join(top, ".git", "info", "exclude")]))
        for parent in _from_to(top, folder):
            if rules.ignores(parent, is_folder=True):
                rules = IgnoreRules(folder)
                break
            if parent != folder:
                rules = rules.within(parent)
    return rules.within(folder)


def _repository_around(folder: str) -> str | None:
    for parent in (Path(folder), *Path(folder).parents):
        if (parent / ".git").exists():
            return str(parent)
    return None


def _from_to(top: str, folder: str) -> list[str]:
    """Return the folders on the way, both ends with them."""
    parts = Path(folder).relative_to(top).parts
    return [top, *(os.path.join(top, *parts[: n + 1]) for n in range(len(parts)))]


def _read_spec(files: list[str]) -> GitIgnoreSpec | None:
    lines = [line for file in files for line in _lines_of(file)]
    if not lines:
        return None
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


def _lines_of(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8-sig", errors="surrogateescape") as source:
            return source.read(_MAX_BYTES).splitlines()
    except OSError:
        return []
