"""Change a text file that other programs change too: read, change and write under its lock, so that nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from pi_agent.base.atomic_write import atomic_write
from pi_agent.base.errors import PiError
from pi_agent.base.locks import locked
from pi_agent.base.paths import make_private_folder

_BOM: Final = "\ufeff"


def read_shared(path: Path) -> str:
    """Return the text of a file; one that is not there is empty. Raises `PiError`."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise PiError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise PiError(f"{path}: not valid UTF-8 at byte {error.start}") from error


def change_shared(
    path: Path, change: Callable[[str], str], *, stale_seconds: float, mode: int | None = None
) -> None:
    """Replace the text of a file by what `change` makes of it; may wait for another program.

    A byte order mark stays, and `change` sees nothing of it. A `PiError` of `change` leaves the file as it is.
    Raises `PiError`, too, if the file cannot be written.
    """
    try:
        make_private_folder(path.parent)
        with locked(path, stale_seconds=stale_seconds):
            text = read_shared(path)
            mark = _BOM if text.startswith(_BOM) else ""
            new = mark + change(text.removeprefix(mark))
            if new != text:
                atomic_write(path, new.encode(), mode=mode)
            elif mode is not None and path.exists():
                path.chmod(mode)
    except OSError as error:
        raise PiError(f"{path}: cannot be written: {error.strerror}") from error
