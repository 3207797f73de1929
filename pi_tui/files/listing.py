"""All paths below a folder, found in the background: what is known so far can be used while the rest comes."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Generator
from contextlib import closing

from pi_tui.files.ranking import FileRanking
from pi_tui.files.scan import scan
from pi_tui.threads import start_in_thread

_log = logging.getLogger("pi.tui.files")

Scan = Callable[[str, Callable[[], bool]], Generator[list[str]]]


class FileListing:
    """The paths below `folder`, ranked for what is typed; the reading starts at once, in a thread of its own."""

    LIMIT = 250_000

    def __init__(self, folder: str, scan: Scan = scan) -> None:
        self.folder = folder
        self._paths: list[str] = []
        self.ranking = FileRanking(self._paths)
        self._scan = scan
        self._stopped = threading.Event()
        self._reading = start_in_thread(self._read, name="pi-files")

    @property
    def is_complete(self) -> bool:
        """Whether all has been found, or as much as there is room for."""
        return self._reading.done()

    def stop(self) -> None:
        """Stop reading."""
        self._stopped.set()

    async def wait(self, seconds: float) -> None:
        """Return when it is complete, at the latest after some time."""
        await asyncio.wait({self._reading}, timeout=seconds)

    def _read(self) -> None:
        try:
            with closing(self._scan(self.folder, self._stopped.is_set)) as batches:
                for batch in batches:
                    self._paths += batch
                    if len(self._paths) >= self.LIMIT:
                        return
        except OSError as error:
            _log.warning("%s could not be read to its end: %s", self.folder, error)
