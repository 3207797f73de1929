"""A file that is written piece by piece, and is there only once it is complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pi_agent.session.file import SessionError

_HINT = "Name another file, or a folder that you may write to."


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Write `path` anew. Whatever ends the block too early leaves what was there. Raises `SessionError`."""
    # Of a link the target is written. The name is short, whatever the length of the other.
    target = Path(os.path.realpath(path))
    beside = target.parent / f".pi-export-{os.urandom(6).hex()}.tmp"
    try:
        with beside.open("xb") as file:
            yield file
        beside.replace(target)
    except OSError as error:
        reason = error.strerror or error
        raise SessionError(f"The export cannot be written to {path}: {reason}", _HINT) from error
    finally:
        beside.unlink(missing_ok=True)
