"""The saved sessions of a directory, read in two passes so that a list is there at once.

The first pass glances at every file, the second reads those that a glance did not show whole. What was read is
remembered as long as the file stays as it is.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from pi_agent.base.paths import AgentPaths, SessionFolder
from pi_agent.session.listing import belongs_to, session_files
from pi_agent.session.overview import ReadingStoppedError, SessionInfo, glance, read_whole

# Of a pass so much is done between two reports: the list grows visibly, and is not drawn all the time.
_BATCH_SECONDS: Final = 0.1
# Between two files the screen gets its turn: what reads holds the interpreter nearly all the time.
_PAUSE_SECONDS: Final = 0.0005

_Stamp = tuple[int, int]


class SessionCatalog:
    """Lists the sessions of `cwd`, newest first."""

    def __init__(self, folder: SessionFolder, cwd: Path) -> None:
        self._folder = folder
        self._cwd = cwd
        self._known: dict[Path, tuple[_Stamp, SessionInfo | None]] = {}

    def newest(self, count: int) -> tuple[list[SessionInfo], int]:
        """Return the sessions that were written to last, read whole, and how many there are. Waits for the disk."""
        found = [info for path in self._paths() if (info := self._look(path))]
        found = [info for info in found if self._is_ours(info)]
        shown = [whole for info in found[:count] if (whole := self._look_closely(info.path))]
        return _sorted(shown), len(found)

    async def load(self) -> AsyncIterator[list[SessionInfo]]:
        """Give what is known so far, again and again; the last list is complete.

        Whoever wants no more of them ends the reading, also in the middle of a file.
        """
        paths = await asyncio.to_thread(self._paths)
        found: dict[Path, SessionInfo] = {}
        stopped = threading.Event()
        closely = partial(self._look_closely, is_over=stopped.is_set)
        try:
            for look, left in ((self._look, iter(paths)), (closely, iter(paths))):
                while batch := await asyncio.to_thread(_some, look, left):
                    found.update((info.path, info) for info in batch if self._is_ours(info))
                    yield _sorted(found.values())
        finally:
            stopped.set()

    def _paths(self) -> list[Path]:
        return session_files(self._folder.path)

    def _is_ours(self, info: SessionInfo) -> bool:
        return belongs_to(info.header, self._cwd, self._folder)

    def _look(self, path: Path) -> SessionInfo | None:
        return self._remembered(path, glance)

    def _look_closely(
        self, path: Path, is_over: Callable[[], bool] = lambda: False
    ) -> SessionInfo | None:
        info = self._look(path)
        if info is None or info.message_count is not None:
            return info
        self._known.pop(path, None)
        return self._remembered(path, partial(read_whole, is_over=is_over))

    def _remembered(
        self, path: Path, read: Callable[[Path], SessionInfo | None]
    ) -> SessionInfo | None:
        try:
            status = path.stat()
            stamp = (status.st_size, status.st_mtime_ns)
            known = self._known.get(path)
            if known is None or known[0] != stamp:
                known = self._known[path] = (stamp, read(path))
        except OSError:
            return None  # it went away, or may not be read
        return known[1]


class WholeCatalog(SessionCatalog):
    """Lists the sessions of all directories, newest first."""

    def __init__(self, paths: AgentPaths, cwd: Path) -> None:
        super().__init__(paths.sessions_of(cwd), cwd)
        self._agent_paths = paths

    def _paths(self) -> list[Path]:
        return [
            path for each in self._agent_paths.all_sessions() for path in session_files(each.path)
        ]

    def _is_ours(self, info: SessionInfo) -> bool:
        return True


def _some(look: Callable[[Path], SessionInfo | None], paths: Iterator[Path]) -> list[SessionInfo]:
    """Look at files for a moment; nothing at all is returned only at the end."""
    found: list[SessionInfo] = []
    end = time.monotonic() + _BATCH_SECONDS
    for path in paths:
        try:
            info = look(path)
        except ReadingStoppedError:
            break
        time.sleep(_PAUSE_SECONDS)
        if info is not None:
            found.append(info)
        if found and time.monotonic() >= end:
            break
    return found


def _sorted(found: Iterable[SessionInfo]) -> list[SessionInfo]:
    return sorted(found, key=lambda info: info.modified, reverse=True)
