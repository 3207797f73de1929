"""Lock a file against other programs: a folder beside it, `settings.json.lock`, which only one can make.

Its time is renewed while it is held. One whose time stands still was left by a program that died.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError

_POLL_SECONDS: Final = 0.02


class LockTimeoutError(PiError):
    """Another program kept a lock for too long, or left one that cannot be removed."""


@contextmanager
def locked(
    path: Path, *, stale_seconds: float, now: Callable[[], float] = time.time
) -> Iterator[None]:
    """Hold the lock of `path`. Waits for it, so it does not belong on an event loop.

    Raises `LockTimeoutError`, and `OSError` if the lock cannot be made at all.
    """
    folder = path.with_name(f"{path.name}.lock")
    _take(folder, stale_seconds, now)
    released = threading.Event()
    renewing = threading.Thread(
        target=_renew, args=(folder, released, stale_seconds / 2), daemon=True
    )
    renewing.start()
    try:
        yield
    finally:
        released.set()
        renewing.join()
        _remove(folder)


def _take(folder: Path, stale_seconds: float, now: Callable[[], float]) -> None:
    """Make the folder; one that is stale may be removed. A lock that is renewed is not waited for in vain."""
    deadline = time.monotonic() + 1.5 * stale_seconds
    while True:
        try:
            folder.mkdir()
            return
        except FileExistsError:
            pass
        if _is_stale(folder, stale_seconds, now()):
            _remove_stale(folder, stale_seconds, now)
        elif time.monotonic() > deadline:
            raise LockTimeoutError(
                f"Another program is writing to {folder.with_suffix('').name}.",
                f"If none is, remove {folder}.",
            )
        else:
            time.sleep(_POLL_SECONDS)


def _remove_stale(folder: Path, stale_seconds: float, now: Callable[[], float]) -> None:
    """Remove a lock that was left. One program after the other: two would remove each other's new locks."""
    with _one_at_a_time(folder.parent):
        if not _is_stale(folder, stale_seconds, now()):
            return
        try:
            folder.rmdir()
        except FileNotFoundError:
            pass
        except OSError as error:
            raise LockTimeoutError(
                f"{folder} was left by a program that died, and cannot be removed: {error.strerror}.",
                "Remove it.",
            ) from error


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Let programs that know of this follow each other, as far as the file system can do that."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _is_stale(folder: Path, stale_seconds: float, now: float) -> bool:
    try:
        return now - folder.stat().st_mtime > stale_seconds
    except OSError:
        return False  # it has just been released


def _renew(folder: Path, released: threading.Event, interval: float) -> None:
    while not released.wait(interval):
        try:
            os.utime(folder)
        except OSError:
            return  # somebody took it away


def _remove(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        pass  # somebody else was faster
