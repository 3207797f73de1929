"""Why the system would not read or write a file, in words for a model."""

from __future__ import annotations

import errno

_REASONS = {
    errno.ENOENT: "No such file",
    errno.EISDIR: "Is a directory",
    errno.EEXIST: "Not a directory",
    errno.EACCES: "Permission denied",
}


def reason_of(error: OSError | ValueError) -> str:
    """Return the reason without the path. A `ValueError` is about the path: no file can have that name."""
    if isinstance(error, ValueError):
        return f"Not a possible path ({error})"
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)


def shown_path(path: str) -> str:
    """Return a path as a message names it."""
    return path or "(empty path)"
