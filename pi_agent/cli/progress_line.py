"""One line on a terminal that says how far something is; where nobody watches, one line for each thing."""

from __future__ import annotations

import asyncio
import os
import shutil
from types import TracebackType
from typing import Final, Self, TextIO

from pi_tui.components.loader import DEFAULT_FRAMES, DEFAULT_INTERVAL
from pi_tui.width import truncate_to_width

_START_OF_LINE: Final = "\r\x1b[K"


class ProgressLine:
    """Turns while the block runs, and is gone after it."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._is_terminal = out.isatty() and os.environ.get("TERM") != "dumb"
        self._text = ""
        self._share = ""
        self._turning: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._is_terminal:
            self._turning = asyncio.create_task(self._turn())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._turning is not None:
            self._turning.cancel()
            self._write(_START_OF_LINE)

    def show(self, text: str, fraction: float | None = None) -> None:
        """Say what goes on, and how much of it is done if that is known."""
        if text != self._text and not self._is_terminal:
            self._write(f"{text}...\n")
        self._text = text
        self._share = "" if fraction is None else f" {int(fraction * 100)}%"

    async def _turn(self) -> None:
        number = 0
        while True:
            if self._text:
                frame = DEFAULT_FRAMES[number % len(DEFAULT_FRAMES)]
                width = max(1, shutil.get_terminal_size().columns - 1)
                row = truncate_to_width(f"{frame} {self._text}{self._share}", width, "…")
                self._write(f"{_START_OF_LINE}{row}")
                number += 1
            await asyncio.sleep(DEFAULT_INTERVAL)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
