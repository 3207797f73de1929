"""Change a saved session that is not open here: give it a name, or delete it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.session.in_use import Holder, hold
from pi_agent.session.index_file import index_path
from pi_agent.session.store import SessionManager

_TRASH_SECONDS: Final = 10


def rename_session(path: Path, name: str) -> None:
    """Name a session; an empty name takes its name away. Raises `PiError`."""
    if not path.exists():
        raise PiError(f"The session is gone: {path}")
    session = SessionManager.open(path)
    try:
        if session.holder is not None:
            raise _in_use(session.holder)
        session.append_session_info(name)
    finally:
        session.close()


def delete_session(path: Path, environ: Mapping[str, str]) -> bool:
    """Put a session into the trash, or remove it for good; tells whether it is in the trash. Raises `PiError`."""
    claim = hold(path, opened="")
    if isinstance(claim, Holder):
        raise _in_use(claim)
    try:
        index_path(path).unlink(missing_ok=True)
        if _trash(path, environ):
            return True
        path.unlink()
    except OSError as error:
        raise PiError(f"The session cannot be deleted: {error.strerror} ({path})") from error
    finally:
        if claim is not None:
            claim.release()  # until now nobody else could open it as theirs
    return False


def _in_use(holder: Holder) -> PiError:
    return PiError(f"The session is open in {holder}.", "Close it there first.")


def _trash(path: Path, environ: Mapping[str, str]) -> bool:
    program = shutil.which("trash", path=environ.get("PATH", ""))
    if program is None:
        return False
    try:
        subprocess.run(
            [program, str(path)],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TRASH_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return not path.exists()
