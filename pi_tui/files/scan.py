"""Finds all that is below a folder, a batch at a time: git tells it in its work trees, elsewhere it is walked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import IO

from pi_tui.files.typed_path import is_typable
from pi_tui.files.walk import walk

_CHUNK_BYTES = 64 * 1024
# What a hook or a script sets for its own repository says nothing about this one.
_FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
# `core.fsmonitor` may name a program, which a folder that is only looked at must not get to run.
_COMMAND = (
    *("git", "-c", "core.fsmonitor=false", "--no-optional-locks"),
    *("ls-files", "--cached", "--others", "--exclude-standard", "-z"),
)


def scan(folder: str, is_stopped: Callable[[], bool]) -> Generator[list[str]]:
    """Find relative paths, those of folders with a slash, until `is_stopped`; blocks while it reads.

    What ignore files leave out is left out, and so is `.git`, and what could not be typed.
    """
    is_told = False
    if _is_in_work_tree(folder):
        for batch in _told_by_git(folder, is_stopped):
            is_told = True
            yield batch
    # Git may be missing or not trust the tree, or ignore the folder as a whole.
    if not is_told:
        yield from walk(folder, is_stopped)


def _is_in_work_tree(folder: str) -> bool:
    return any((parent / ".git").exists() for parent in (Path(folder), *Path(folder).parents))


def _told_by_git(folder: str, is_stopped: Callable[[], bool]) -> Generator[list[str]]:
    try:
        process = subprocess.Popen(
            _COMMAND,
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name not in _FOREIGN},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return
    with process:
        try:
            if process.stdout is not None:
                yield from _with_folders(_read_names(process.stdout, is_stopped))
        finally:
            process.kill()


def _read_names(source: IO[bytes], is_stopped: Callable[[], bool]) -> Iterator[list[str]]:
    """Read names that end in a zero byte, as many as come at once."""
    rest = b""
    while not is_stopped() and (chunk := os.read(source.fileno(), _CHUNK_BYTES)):
        *names, rest = (rest + chunk).split(b"\0")
        yield [os.fsdecode(name) for name in names]


def _with_folders(batches: Iterable[list[str]]) -> Iterator[list[str]]:
    """Add the folders that paths name on their way, each once."""
    known: set[str] = set()
    for batch in batches:
        found: list[str] = []
        for path in dict.fromkeys(filter(is_typable, batch)):
            folder = path[: path.rfind("/") + 1]
            start = len(found)
            while folder and folder not in known:
                known.add(folder)
                found.insert(start, folder)
                folder = folder[: folder.rfind("/", 0, -1) + 1]
            if not path.endswith("/"):
                found.append(path)
        if found:
            yield found
