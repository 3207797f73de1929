"""The end of a long session, to be shown while all of it is read for the first time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pi_agent.base.jsonl import read_lines
from pi_agent.session.context import build_context_entries
from pi_agent.session.entries import Entry
from pi_agent.session.index_file import index_path
from pi_agent.session.tree import EntryTree

# What is shorter is read in less time than it takes to look at its end.
_LONG_BYTES: Final = 4 << 20
# Some screens full.
_LAST_BYTES: Final = 32 << 10


def takes_long(path: Path) -> bool:
    """Whether all of a session has to be read, and that takes a while. Raises `OSError`."""
    return path.stat().st_size >= _LONG_BYTES and not index_path(path).exists()


def last_entries(path: Path) -> Sequence[Entry]:
    """Return the newest entries of the branch that a session ends with. Raises `OSError`."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _LAST_BYTES))
        file.readline()  # a part of a line, or the header
        lines = read_lines(file).values
    return build_context_entries(EntryTree(lines).branch())
