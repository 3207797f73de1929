"""Log files in a folder that others may write to as well, such as the one for temporary files."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

# A pipe that somebody has put there would wait for a reader, and with it the screen.
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK


def append_to_log(path: Path) -> BinaryIO:
    """Open a file of this user at its end, if need be a new one. Raises `OSError` for a link, a pipe and the like."""
    descriptor = os.open(path, _FLAGS, 0o600)
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
        os.close(descriptor)
        raise OSError(f"{path} is no file of this user")
    return os.fdopen(descriptor, "ab")
