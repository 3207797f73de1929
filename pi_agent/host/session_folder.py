"""Sessions of other folders, copied into this one."""

from __future__ import annotations

from pathlib import Path

from pi_agent.host.options import RunOptions
from pi_agent.session.fork import copy_session
from pi_agent.session.listing import find_to_read
from pi_agent.session.store import SessionManager


def forked_here(reference: str, options: RunOptions) -> SessionManager:
    """Begin a session for the current folder with all of the one that is named. Raises `PiError`."""
    return copied_here(find_to_read(reference, cwd=options.cwd, paths=options.paths), options)


def copied_here(path: Path, options: RunOptions) -> SessionManager:
    """Begin a session for the current folder with every entry of a file. Raises `PiError`."""
    return copy_session(
        path,
        options.cwd,
        options.paths.sessions_of(options.cwd),
        session_id=options.session_id,
    )
