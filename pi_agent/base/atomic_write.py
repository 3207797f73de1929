"""Write a file so that whoever reads it, now or after a crash, finds the old content or the new, never a half.

The content goes to a file beside it, which is then renamed over it. Where that would change more than the content
(several names, another owner) or is not possible (a device, a folder that takes no new file) it is written in
place: that can be seen half done, but a write that runs out of room elsewhere has not touched the old content.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_RENAME_IMPOSSIBLE = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV, errno.ENOTSUP}
)


def atomic_write(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Make `data` the content of a file; raises `OSError` if it cannot be.

    A link's target is written and the link stays. Owner and mode are kept, unless `mode` is given: then nobody
    gets to read the new content by another one. A file that may not be written is refused although its folder
    would allow to replace it.
    """
    target = Path(os.path.realpath(path))
    try:
        # Never waits for the other end of a pipe; the system itself says what may be written.
        descriptor = os.open(target, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        _replace(target, data, None, mode)
        return
    try:
        if not _replaced(target, data, os.fstat(descriptor), mode):
            _write_in_place(descriptor, data, mode)
    finally:
        os.close(descriptor)


def _replaced(target: Path, data: bytes, old: os.stat_result, mode: int | None) -> bool:
    """Replace an existing file, if its name is all that leads to it."""
    if not stat.S_ISREG(old.st_mode) or old.st_nlink > 1:
        return False
    try:
        _replace(target, data, old, mode)
    except OSError as error:
        if error.errno in _RENAME_IMPOSSIBLE:
            return False
        raise
    return True


def _replace(target: Path, data: bytes, old: os.stat_result | None, mode: int | None) -> None:
    # Short, whatever the length of the name, and hidden: it stays behind if the program is killed.
    beside = target.parent / f".pi-{os.urandom(6).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(beside, flags, 0o666 if old is None and mode is None else 0o600)
    try:
        try:
            if old is not None:
                _take_owner(descriptor, old)
                mode = stat.S_IMODE(old.st_mode) if mode is None else mode
            _write_all(descriptor, data)
            if mode is not None:
                # At the end: writing takes the bits away by which a file runs as its owner.
                os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.rename(beside, target)
    except BaseException:
        os.unlink(beside)
        raise


def _take_owner(descriptor: int, old: os.stat_result) -> None:
    """Give a new file the owner of the old one."""
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (old.st_uid, old.st_gid):
        os.fchown(descriptor, old.st_uid, old.st_gid)


def _write_in_place(descriptor: int, data: bytes, mode: int | None) -> None:
    is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
    if is_file and mode is not None:
        os.fchmod(descriptor, mode)
    _write_all(descriptor, data)
    if is_file:
        os.ftruncate(descriptor, len(data))
        os.fsync(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
