"""Small trees on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path


def make_tree(top: Path, files: Mapping[str, str] | Sequence[str]) -> Path:
    """Make files with their texts, and folders of names that end in a slash."""
    texts = files if isinstance(files, Mapping) else dict.fromkeys(files, "")
    for name, text in texts.items():
        path = top / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return top
