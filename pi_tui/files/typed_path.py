"""Paths as people type them: relative, absolute or from `~/`, in quotes where a word would end in them."""

from __future__ import annotations

import os
import unicodedata

from pi_tui.completion_token import DELIMITERS
from pi_tui.frozen import frozen
from pi_tui.patterns import pattern

# An editor drops control characters and replaces what is not Unicode: such a name would become another one.
_UNTYPABLE = pattern(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@frozen
class PathRoots:
    """The folder that relative paths start from, and the one that `~/` stands for."""

    base: str
    home: str

    def folder(self, written: str) -> str:
        """Return the folder that the part of a path up to its last slash names."""
        if written.startswith("~/"):
            return os.path.join(self.home, written[2:])
        return os.path.join(self.base, written)


def is_typable(path: str) -> bool:
    """Whether an editor can hold `path` as it is."""
    return _UNTYPABLE.search(path) is None


def with_slash(folder: str, path: str) -> str:
    """Return `path` below `folder` with a slash at its end if it is a folder; old versions of tools leave it out."""
    is_bare_folder = not path.endswith("/") and os.path.isdir(os.path.join(folder, path))
    return f"{path}/" if is_bare_folder else path


def folded(name: str) -> str:
    """Return `name` as it is compared: in any case, and however its accents are put together."""
    return name.lower() if name.isascii() else unicodedata.normalize("NFC", name).casefold()


def sort_key(name: str) -> tuple[str, str]:
    """Return what `name` is sorted by: its letters in any case, without accents at first."""
    if name.isascii():
        return name.lower(), name
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(c for c in letters if not unicodedata.combining(c)), name


def quoted(path: str, *, always: bool = False) -> str:
    """Return `path` in quotes if a word would end within it."""
    return f'"{path}"' if always or not DELIMITERS.isdisjoint(path) else path
