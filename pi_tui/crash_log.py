"""Where to read what went wrong with components: a file, because the screen is taken.

Without it Python would print what a program does not log by itself over the screen, be it the toolkit's, asyncio's
or a library's.
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from pi_tui.log_file import append_to_log

CRASH_LOG_NAME = "pi-tui-crash.log"
_MOST_BYTES = 1_000_000


class CrashLog(logging.Handler):
    """Takes what is logged while a screen is up, if a folder is named for it or nobody else takes it.

    The file is only there once something went wrong, is readable by its owner only, and begins anew when it is long.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__(logging.WARNING)
        self._is_wanted = folder is not None
        self._logger: logging.Logger | None = None
        self.path = (folder or Path(tempfile.gettempdir())) / CRASH_LOG_NAME
        self.setFormatter(logging.Formatter("%(asctime)s %(message)s"))

    def attach(self) -> None:
        """Begin to take what is logged: by everybody if nobody else does."""
        root = logging.getLogger()
        if not root.handlers:
            self._logger = root
        elif self._is_wanted:
            self._logger = logging.getLogger("pi.tui")
        if self._logger is not None:
            self._logger.addHandler(self)

    def detach(self) -> None:
        """Take nothing any more."""
        if self._logger is not None:
            self._logger.removeHandler(self)
            self._logger = None

    def emit(self, record: logging.LogRecord) -> None:
        """Append a record; one that cannot be written is lost, the program goes on."""
        try:
            data = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
            with append_to_log(self.path) as file:
                if file.tell() > _MOST_BYTES:
                    file.truncate(0)
                file.write(data)
        except (OSError, ValueError):
            pass
