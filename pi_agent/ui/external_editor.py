"""What is typed, in the editor of one's choice: the screen is given to it until it ends."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_tui.app import TUI
from pi_tui.frozen import frozen

_DEFAULT = "nano"
_WHERE = "Name another one with externalEditor in settings.json, or in $VISUAL or $EDITOR."


@frozen
class ExternalEditor:
    """The editor that `command` starts: a program and its options, to which a file's path is added."""

    command: str

    @classmethod
    def chosen(cls, setting: str | None, environ: Mapping[str, str]) -> ExternalEditor:
        """Return the one of the settings, else `$VISUAL`, else `$EDITOR`, else nano."""
        return cls(setting or environ.get("VISUAL") or environ.get("EDITOR") or _DEFAULT)

    async def edit(self, text: str, tui: TUI) -> str:
        """Lend the terminal to the editor, and return what it has saved.

        Raises `PiError` if it cannot be started or ends with an error; `text` is what counts then.
        """
        argv = self._argv()
        file = await asyncio.to_thread(_write, text)
        try:
            with tui.terminal_lent():
                status = await self._run([*argv, str(file)])
            if status:
                name = Path(argv[0]).name
                raise PiError(f"{name} ended with {_told(status)}: the text is as it was.")
            return await asyncio.to_thread(_read, file)
        finally:
            await asyncio.to_thread(file.unlink, True)

    def _argv(self) -> list[str]:
        try:
            argv = shlex.split(self.command)
        except ValueError as error:
            raise PiError(f"The editor's command {self.command!r}: {error}.", _WHERE) from None
        if not argv:
            raise PiError("The editor's command is empty.", _WHERE)
        return argv

    async def _run(self, argv: list[str]) -> int:
        # What is printed past the screen is caught; the editor is to have the terminal itself.
        terminal = os.open("/dev/tty", os.O_RDWR)
        try:
            process = await asyncio.create_subprocess_exec(
                *argv, stdin=terminal, stdout=terminal, stderr=terminal
            )
        except OSError as error:
            raise PiError(f"{argv[0]} cannot be started: {error.strerror}.", _WHERE) from None
        finally:
            os.close(terminal)
        try:
            return await process.wait()
        except asyncio.CancelledError:
            process.terminate()
            raise


def _write(text: str) -> Path:
    """Return a new file with `text` as whole lines in it, which only its owner can read."""
    descriptor, path = tempfile.mkstemp(prefix="pi-", suffix=".md")
    with open(descriptor, "w", encoding="utf-8", newline="") as file:
        file.write(f"{text}\n" if text else "")
    return Path(path)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace").removesuffix("\n")


def _told(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"status {status}"
