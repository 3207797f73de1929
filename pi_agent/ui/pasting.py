"""Paths in a prompt: how they are written, and which files were dropped on the terminal."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

# A terminal drops some files, not a text of this size.
_MOST_DROPPED = 4096
_STARTS = ("/", "'/", '"/', "file://", "~/")


def written_paths(paths: Sequence[str], *, for_shell: bool) -> str:
    """Return paths as they stand in a prompt, or in a command for the shell."""
    quote = shlex.quote if for_shell else _quoted
    return " ".join(map(quote, paths))


def dropped_paths(text: str) -> list[str]:
    """Return the files that were dropped on the terminal, which types their paths quoted for a shell.

    Nothing for a text that is not made of absolute paths of existing files.
    """
    text = text.strip()
    if not text.startswith(_STARTS) or len(text) > _MOST_DROPPED or "\n" in text:
        return []
    try:
        words = shlex.split(text)
    except ValueError:
        return []
    paths = [_path(word) for word in words]
    return paths if all(os.path.isabs(path) and os.path.exists(path) for path in paths) else []


def _path(word: str) -> str:
    if word.startswith("file://"):
        return unquote(urlsplit(word).path)
    return os.path.expanduser(word)


def _quoted(path: str) -> str:
    return f'"{path}"' if any(character.isspace() for character in path) else path
