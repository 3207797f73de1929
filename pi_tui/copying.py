"""Handing out what was selected: to the program, or to the terminal's clipboard, with a word about it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from pi_tui.clipboard import clipboard_sequence

_log = logging.getLogger("pi.tui")

COPIED = "Copied!"
_COPY_FAILED = "Copy failed"
_TOO_LONG = "Too long for the terminal's clipboard"
_WORD_SECONDS = 1.0
_PROBLEM_SECONDS = 5.0

# Takes a text; `True` if a clipboard has it, else what to say, or `False`.
CopySelection = Callable[[str], Awaitable[bool | str]]


class SelectionCopy:
    """Copies texts. Without `copy` of the program's the terminal is asked to."""

    def __init__(
        self,
        write: Callable[[str], None],
        flash: Callable[[str, float], None],
        environ: Mapping[str, str],
        copy: CopySelection | None,
    ) -> None:
        self.copy = copy
        self._write = write
        self._flash = flash
        self._environ = environ
        self._tasks: set[asyncio.Task[bool]] = set()

    def start(self, text: str) -> None:
        """Copy beside what else goes on: a helper program may take its time."""
        task = asyncio.get_running_loop().create_task(self.run(text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def run(self, text: str) -> bool:
        """Copy, and say how it went; returns whether it did."""
        try:
            result = (
                await self.copy(text) if self.copy is not None else self._copy_to_terminal(text)
            )
        except Exception:
            _log.exception("copying a selection failed")
            result = False
        if result is True:
            self._flash(COPIED, _WORD_SECONDS)
        else:
            self._flash(result or _COPY_FAILED, _PROBLEM_SECONDS)
        return result is True

    def _copy_to_terminal(self, text: str) -> bool | str:
        sequence = clipboard_sequence(text, self._environ)
        if sequence is None:
            return _TOO_LONG
        self._write(sequence)
        return True
