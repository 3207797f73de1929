"""Completes a path by the folder that it names: what lies in there and starts like its last part."""

from __future__ import annotations

import os
from heapq import nsmallest

from pi_tui.files.typed_path import PathRoots, folded, is_typable, sort_key
from pi_tui.frozen import frozen

MAX_MATCHES = 1000


@frozen
class PathMatch:
    """A path that goes on from what was typed, in the way that it was typed; a folder ends in a slash."""

    written: str
    name: str


def complete_path(typed: str, roots: PathRoots) -> list[PathMatch]:
    """Return what `typed` can become, folders first. Blocks while the folder is read.

    A folder that is not there or may not be read has nothing in it.
    """
    if typed == "~":
        typed = "~/"
    written, slash, start = typed.rpartition("/")
    written += slash
    if start == "..":
        return [PathMatch(f"{typed}/", "../")]
    names = _names_in(roots.folder(written), folded(start))
    return [PathMatch(written + name, name) for name in names[:MAX_MATCHES]]


def _names_in(folder: str, start: str) -> list[str]:
    folders: list[str] = []
    files: list[str] = []
    try:
        with os.scandir(folder or ".") as entries:
            for entry in entries:
                if folded(entry.name).startswith(start) and is_typable(entry.name):
                    (folders if _is_folder(entry) else files).append(entry.name)
    except OSError:
        return []
    return [
        *(f"{name}/" for name in _first(folders)),
        *_first(files),
    ]


def _first(names: list[str]) -> list[str]:
    """Return the names that come first, in order. To sort a hundred thousand would hold up all threads."""
    return nsmallest(MAX_MATCHES, names, key=sort_key)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False
