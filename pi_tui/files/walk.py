"""Walks a folder, those below it that are less deep first; what ignore files leave out is left out.

For trees that neither git nor `fd` tells about, hence by hand: `os.walk` goes deep before wide and has no say in
which links it follows.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator

from pi_tui.files.ignore_rules import IGNORE_FILES, IgnoreRules, rules_at
from pi_tui.files.typed_path import is_typable


def walk(folder: str, is_stopped: Callable[[], bool]) -> Generator[list[str]]:
    """Find relative paths, those of folders with a slash, one folder's at a time; blocks while it reads.

    `.git` and what could not be typed is left out. Links are followed, but into no folder a second time.
    """
    followed: set[tuple[int, int]] = set()
    waiting = deque([("", rules_at(folder))])
    while waiting and not is_stopped():
        here, rules = waiting.popleft()
        entries = _entries_of(os.path.join(folder, here))
        if here and not entries.keys().isdisjoint(IGNORE_FILES):
            rules = rules.within(os.path.join(folder, here))
        found = [here + path for path in _kept(entries, os.path.join(folder, here), rules)]
        for path in found:
            if path.endswith("/") and _may_enter(folder, path, followed):
                waiting.append((path, rules))
        if found:
            yield found


def _entries_of(folder: str) -> dict[str, os.DirEntry[str]]:
    """Return what is in a folder; nothing if it may not be read or has gone."""
    try:
        with os.scandir(folder) as entries:
            return {entry.name: entry for entry in entries}
    except OSError:
        return {}


def _kept(entries: dict[str, os.DirEntry[str]], folder: str, rules: IgnoreRules) -> Iterator[str]:
    for name, entry in entries.items():
        if name == ".git" or not is_typable(name):
            continue
        is_folder = _is_folder(entry)
        if not rules.ignores(os.path.join(folder, name), is_folder=is_folder):
            yield f"{name}/" if is_folder else name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _may_enter(top: str, path: str, followed: set[tuple[int, int]]) -> bool:
    """Whether a folder is to be read: a link is followed once, and never back to a folder around it."""
    whole = os.path.join(top, path.removesuffix("/"))
    if not os.path.islink(whole):
        return True
    target = _identity(whole)
    around = [top, *(os.path.join(top, path[:at]) for at, c in enumerate(path[:-1]) if c == "/")]
    if target is None or target in followed or target in map(_identity, around):
        return False
    followed.add(target)
    return True


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino
