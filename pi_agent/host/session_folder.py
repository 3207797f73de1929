"""The folder that a session belongs to, where it is gone or another one than this."""

from __future__ import annotations

from pathlib import Path

from pi_agent.base.errors import PiError
from pi_agent.host.options import RunOptions
from pi_agent.session.fork import copy_session
from pi_agent.session.listing import find_to_read
from pi_agent.session.store import SessionManager


class MissingFolderError(PiError):
    """The folder that a session works in does not exist any more."""

    def __init__(self, folder: str, options: RunOptions, file: Path | None) -> None:
        super().__init__(
            f"The folder of this session does not exist: {folder}\nThe current one is: {options.cwd}",
            f"pi --fork {file} copies the session into the current folder." if file else None,
        )


def missing_folder(session: SessionManager) -> str | None:
    """Return the folder of a session if it does not exist."""
    folder = session.get_header().cwd
    return folder if folder and not Path(folder).is_dir() else None


def require_folder(session: SessionManager, options: RunOptions) -> None:
    """Let go of a session and raise `MissingFolderError` if its folder does not exist."""
    folder = missing_folder(session)
    if folder is not None:
        session.close()
        raise MissingFolderError(folder, options, session.get_session_file())


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
