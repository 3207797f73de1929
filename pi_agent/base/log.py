"""The log file, what must not appear in it, and crash reports.

While the screen is up nothing may be written to stdout or stderr, so warnings and the messages of libraries
go to the file too. The file is made when there is something to say.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import time
import traceback
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Final

from pi_agent.base.paths import make_private_folder, open_private
from pi_tui.patterns import pattern

LOG_NAME: Final = "pi.log"
MAX_BYTES: Final = 1_000_000

_SECRETS: Final = (
    (pattern(r"\bsk-[A-Za-z0-9_-]{8,}"), "sk-[hidden]"),
    (pattern(r"\b(bearer|basic)\s+[^\s\"',;]{8,}", re.IGNORECASE), r"\1 [hidden]"),
    (
        pattern(
            r"\b((?:api|access|refresh|auth)[-_]?(?:key|token)[\"']?\s*[=:]\s*[\"']?|[?&]key=)[^\s\"',;&]+",
            re.IGNORECASE,
        ),
        r"\1[hidden]",
    ),
)


def redact(text: str) -> str:
    """Return `text` without what looks like a key or a token."""
    for secret, replacement in _SECRETS:
        text = secret.sub(replacement, text)
    return text


class LogFile(logging.Handler):
    """Writes records to a file that starts afresh when it is full; the full one is kept beside it as `.1`.

    Several processes may write to the same file.
    """

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        super().__init__()
        self.path = path
        self._max_bytes = max_bytes
        self._stream: TextIOWrapper | None = None
        self.setFormatter(_RedactingFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record. A log that cannot be written is no reason to disturb anybody."""
        try:
            stream = self._writable_stream()
            stream.write(self.format(record) + "\n")
            stream.flush()
        except (OSError, ValueError):
            self._close_stream()

    def close(self) -> None:
        """Close the file."""
        self._close_stream()
        super().close()

    def _writable_stream(self) -> TextIOWrapper:
        if self._stream is not None and self._stream.tell() >= self._max_bytes:
            self._close_stream()
            self.path.replace(self.path.with_name(f"{self.path.name}.1"))
        if self._stream is None:
            make_private_folder(self.path.parent)
            descriptor = open_private(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            self._stream = os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")
        return self._stream

    def _close_stream(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            try:
                stream.close()
            except OSError:
                pass  # what could not be flushed is lost, as the record before it


def log_to_file(folder: Path, *, level: int = logging.INFO) -> Callable[[], None]:
    """Send the records of `pi` from `level` on, and warnings of everybody else, to a file in `folder`.

    The returned function undoes it.
    """
    handler = LogFile(folder / LOG_NAME)
    root, own = logging.getLogger(), logging.getLogger("pi")
    previous_level = own.level
    root.addHandler(handler)
    own.setLevel(level)
    logging.captureWarnings(True)

    def undo() -> None:
        logging.captureWarnings(False)
        own.setLevel(previous_level)
        root.removeHandler(handler)
        handler.close()

    return undo


def write_crash_report(folder: Path, error: BaseException, *, version: str, now: float) -> Path:
    """Write what a person needs to report `error`, and return the file. Raises `OSError`."""
    moment = time.gmtime(now)
    path = folder / f"crash-{time.strftime('%Y%m%dT%H%M%SZ', moment)}-{os.getpid()}.txt"
    lines = [
        f"pi {version}",
        f"time {time.strftime('%Y-%m-%d %H:%M:%S UTC', moment)}",
        f"python {sys.version.split()[0]} on {sys.platform}",
        "",
        "".join(traceback.format_exception(error)),
    ]
    make_private_folder(folder)
    with open(path, "w", encoding="utf-8", errors="backslashreplace", opener=open_private) as file:
        file.write(redact("\n".join(lines)))
    return path


class _RedactingFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))
