"""Searches with `fd`, where it is installed: a program that finds files by name, quickly, and knows ignore files."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from contextlib import suppress
from functools import partial

from pi_tui.abort import AbortSignal
from pi_tui.files.typed_path import is_typable, with_slash
from pi_tui.threads import run_in_thread

MAX_RESULTS = 100
_NAMES = ("fd", "fdfind")  # Debian has another program called fd
_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$#&~-]")
_OPTIONS = (
    *("--type", "f", "--type", "d", "--hidden", "--follow", "--exclude", ".git"),
    *("--ignore-case", "--color", "never", "--print0", "--max-results", str(MAX_RESULTS)),
)


def find_fd() -> str | None:
    """Return the path of `fd` if it is installed."""
    return next((path for path in map(shutil.which, _NAMES) if path), None)


async def search(fd: str, folder: str, query: str, *, signal: AbortSignal) -> list[str]:
    """Return relative paths that `query` is in, those in the folder itself first; raises `OSError` without a search.

    Folders end in a slash.
    """
    near, far = await asyncio.gather(
        _run([fd, "--max-depth", "1", *arguments_for(folder, query)], folder, signal),
        _run([fd, *arguments_for(folder, query)], folder, signal),
    )
    return list(dict.fromkeys([*near, *far]))


def arguments_for(folder: str, query: str) -> list[str]:
    """Return what `fd` is called with: a query with a slash is looked for in whole paths, which it has absolute."""
    if "/" not in query:
        return [*_OPTIONS, "--fixed-strings", "--", query]
    top, part = (_SPECIAL.sub(r"\\\g<0>", text) for text in (os.path.realpath(folder), query))
    return [*_OPTIONS, "--full-path", "--", f"^{top}/.*{part}"]


async def _run(command: list[str], folder: str, signal: AbortSignal) -> list[str]:
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    forget = signal.on_abort(partial(_kill, process))
    try:
        output, _ = await process.communicate()
    finally:
        forget()
        _kill(process)
    if process.returncode and not output and not signal.aborted:
        raise OSError(f"{command[0]} ended with {process.returncode}")
    return await run_in_thread(partial(_read, folder, output))


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()


def _read(folder: str, output: bytes) -> list[str]:
    names = (os.fsdecode(name).removeprefix("./") for name in output.split(b"\0"))
    return [with_slash(folder, name) for name in names if name and is_typable(name)]
