"""Who has a session open: an advisory lock on its file, and a small file beside it that names the holder.

The lock ends with the process, however it ends, so a file that a killed process left behind holds nothing up.
Programs that know nothing of the lock can still append.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import weakref
from collections.abc import Callable
from pathlib import Path

from pi_agent.base.paths import open_private
from pi_tui.frozen import frozen


@frozen
class Holder:
    """The process that has a session open, as far as it could say so."""

    pid: int | None = None
    host: str = ""
    opened: str = ""

    def __str__(self) -> str:
        if self.pid is None:
            return "another process"
        return f"process {self.pid} on {self.host} since {self.opened}"

    @property
    def has_ended(self) -> bool:
        """Whether the process is known to run no more; those of other hosts are not known."""
        if self.pid is None or self.host != socket.gethostname():
            return False
        try:
            os.kill(self.pid, 0)
        except (ProcessLookupError, OverflowError):
            return True
        except OSError:
            pass  # it is somebody else's
        return False


class SessionHold:
    """The claim of this process on a session file, until `release` or its end."""

    def __init__(self, descriptor: int, sidecar: Path) -> None:
        self._finalizer = weakref.finalize(self, _let_go, descriptor, sidecar, os.getpid())

    def release(self) -> None:
        """Give the session free."""
        self._finalizer()


def hold(
    session_file: Path, *, opened: str, lock: Callable[[int, int], None] = fcntl.flock
) -> SessionHold | Holder | None:
    """Claim a session file, or return who has it. None where the file system knows no locks."""
    try:
        descriptor = os.open(session_file, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        # A name that a killed process left behind is not that of the one that has come after it.
        return holder_of(session_file) or Holder()
    except OSError:
        os.close(descriptor)
        return None
    sidecar = sidecar_of(session_file)
    _write_holder(sidecar, Holder(os.getpid(), socket.gethostname(), opened))
    return SessionHold(descriptor, sidecar)


def holder_of(session_file: Path) -> Holder | None:
    """Return who says to have a session open, without claiming it."""
    holder = _read_holder(sidecar_of(session_file))
    return None if holder.pid is None or holder.has_ended else holder


def sidecar_of(session_file: Path) -> Path:
    """Return the file that names the holder of a session."""
    return session_file.with_name(f"{session_file.name}.holder")


def _read_holder(sidecar: Path) -> Holder:
    try:
        data = json.loads(sidecar.read_bytes())
        return Holder(int(data["pid"]), str(data["host"]), str(data["openedAt"]))
    except (OSError, ValueError, TypeError, KeyError):
        return Holder()


def _write_holder(sidecar: Path, holder: Holder) -> None:
    text = json.dumps({"pid": holder.pid, "host": holder.host, "openedAt": holder.opened})
    try:
        descriptor = open_private(sidecar, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    except OSError:
        pass  # the lock holds without the name


def _let_go(descriptor: int, sidecar: Path, owner_pid: int) -> None:
    # A forked child has a copy of the descriptor, but the session is not its own.
    if os.getpid() == owner_pid:
        try:
            sidecar.unlink(missing_ok=True)
        except OSError:
            pass
    os.close(descriptor)
