"""Collect a command's output within limits; keep all of it in a file once it is over them.

Memory is bounded whatever the command prints: a start and an end of half a mebibyte each, and numbers. So is
the file, although generously: a command that never stops printing must not fill the disk.
"""

from __future__ import annotations

import codecs
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from pi_agent.base.shell import ShellSettings
from pi_agent.base.truncate import (
    DEFAULT_MAX_BYTES,
    DEFAULT_MAX_LINES,
    TruncationResult,
    character_start,
    format_size,
    truncate_tail,
)
from pi_tui.threads import run_in_thread

KEPT_BYTES = 512 * 1024
WRITE_BYTES = 64 * 1024
# Room for the cut to fall between characters, and for a line end after the last line.
_WINDOW_SLACK = 8


class CommandOutput:
    """What a command has printed so far, as text. `add` bytes in any cut, then `finish`."""

    def __init__(self, *, prefix: str, settings: ShellSettings) -> None:
        self._prefix = prefix
        self._settings = settings
        self._room = settings.max_file_bytes
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        # UTF-8 of the decoded text: cheap to cut at the front, whatever the size of the pieces.
        self._start = bytearray()
        self._end = bytearray()
        # All of it, until there is a file.
        self._unwritten = bytearray()
        self._path: Path | None = None
        self._problem = ""
        self._bytes = 0
        self._line_ends = 0
        self._open_line_bytes = 0
        self._closed_line_bytes = 0

    @property
    def file(self) -> Path | None:
        """The file with every byte; `None` while the output is within the limits."""
        return self._path

    @property
    def file_problem(self) -> str:
        """Why the file has only the beginning, or why there is none; nothing if it has all."""
        return self._problem

    @property
    def last_line_bytes(self) -> int:
        """The length of the last line, without its line end."""
        return self._open_line_bytes or self._closed_line_bytes

    async def add(self, data: bytes) -> None:
        """Take in more bytes. What goes to the file is written in a thread, in large pieces."""
        self._take(self._decoder.decode(data))
        self._unwritten += data
        if self._problem:
            self._unwritten.clear()
        elif self._path is not None:
            if len(self._unwritten) >= WRITE_BYTES:
                await run_in_thread(self._write)
        elif self._is_over_limits():
            await run_in_thread(self._write)

    async def finish(self) -> None:
        """Take the output as complete: a character that was cut off becomes U+FFFD."""
        self._take(self._decoder.decode(b"", final=True))
        if not self._problem and (self._path is not None or self._is_over_limits()):
            await run_in_thread(self._write)

    def tail(self) -> TruncationResult:
        """Return the end of the output within the limits for tools."""
        window = DEFAULT_MAX_BYTES + _WINDOW_SLACK
        end = self._end if len(self._end) >= window else self._start[-window:] + self._end
        data = end[character_start(end, len(end) - window) :]
        result = truncate_tail(data.decode("utf-8"))
        return replace(result, total_bytes=self._bytes, total_lines=self._total_lines())

    def both_ends(self) -> tuple[str, bool]:
        """Return the output up to 1 MiB, with the middle left out beyond; and whether it was."""
        left_out = self._bytes - len(self._start) - len(self._end)
        if left_out == 0:
            return bytes(self._start + self._end).decode("utf-8"), False
        start = self._start[: _character_end(self._start)].decode("utf-8")
        end = self._end[character_start(self._end, 0) :].decode("utf-8")
        return f"{start}\n\n[... {left_out} bytes left out ...]\n\n{end}", True

    def _take(self, text: str) -> None:
        data = text.encode("utf-8")
        self._bytes += len(data)
        self._count_lines(data)
        room = KEPT_BYTES - len(self._start)
        if room > 0:
            self._start += data[:room]
            data = data[room:]
        self._end += data
        if len(self._end) > KEPT_BYTES:
            del self._end[: len(self._end) - KEPT_BYTES]

    def _count_lines(self, data: bytes) -> None:
        last = data.rfind(b"\n")
        if last < 0:
            self._open_line_bytes += len(data)
            return
        before = data.rfind(b"\n", 0, last)
        self._closed_line_bytes = last - before - 1 + (self._open_line_bytes if before < 0 else 0)
        self._open_line_bytes = len(data) - last - 1
        self._line_ends += data.count(b"\n")

    def _total_lines(self) -> int:
        return self._line_ends + (1 if self._open_line_bytes else 0)

    def _is_over_limits(self) -> bool:
        return self._bytes > DEFAULT_MAX_BYTES or self._total_lines() > DEFAULT_MAX_LINES

    def _write(self) -> None:
        """Write what has not been; what the disk has no room for is left out, and the command goes on."""
        data, self._unwritten = self._unwritten, bytearray()
        try:
            self._append(data[: self._room])
        except OSError as error:
            self._problem = error.strerror or str(error)
            return
        self._room -= len(data)
        if self._room < 0:
            self._problem = f"no more than {format_size(self._settings.max_file_bytes)} is kept"

    def _append(self, data: bytearray) -> None:
        # Opened each time: an open file could be closed under a thread that nobody waits for any longer.
        if self._path is None:
            descriptor, name = tempfile.mkstemp(".log", self._prefix, self._settings.output_folder)
            os.close(descriptor)
            self._path = Path(name)
        with self._path.open("ab", buffering=0) as file:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) :]


def _character_end(data: bytearray) -> int:
    """Return the last place where a UTF-8 character ends."""
    end = len(data)
    start = end - 1
    while start > 0 and data[start] & 0xC0 == 0x80:
        start -= 1
    try:
        data[start:].decode("utf-8")
    except UnicodeDecodeError:
        return start
    return end
