"""Which session a run begins with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_agent.host.options import RunOptions
from pi_agent.host.problems import Problem
from pi_agent.session.listing import find_session, newest_session, session_with_id
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


async def start_session(
    options: RunOptions,
    problems: list[Problem],
    *,
    asks: bool,
    opening: Callable[[Path], None] = lambda path: None,
) -> SessionManager:
    """Open or begin what the command line asks for, and name it. What cannot be had is noted, and a new one begins.

    A session whose folder is gone cannot be had where nobody `asks` what to do about it. `opening` is called in
    another thread before a file is read.
    """
    try:
        session = await asyncio.to_thread(_wanted_session, options, opening)
        if not asks:
            require_folder(session, options)
    except PiError as error:
        problems.append(Problem("choice", error.with_hint()))
        session = new_session(options)
    problems += [Problem("warning", text) for text in session.notices]
    if options.name is not None:
        try:
            session.append_session_info(options.name)
        except PiError as error:
            problems.append(Problem("warning", error.with_hint()))
    return session


def new_session(options: RunOptions) -> SessionManager:
    """Begin a session where the options want it kept."""
    if options.no_session:
        return SessionManager.in_memory(options.cwd)
    return SessionManager.create(options.cwd, folder=options.paths.sessions_of(options.cwd))


def _wanted_session(options: RunOptions, opening: Callable[[Path], None]) -> SessionManager:
    folder = options.paths.sessions_of(options.cwd)
    if options.no_session:
        return SessionManager.in_memory(options.cwd, session_id=options.session_id)
    if options.session is not None:
        path = find_session(options.session, cwd=options.cwd, paths=options.paths)
        opening(path)
        return SessionManager.open(path, cwd=options.cwd)
    if options.fork is not None:
        from pi_agent.host.session_folder import forked_here

        return forked_here(options.fork, options)
    if options.session_id is not None:
        known = session_with_id(options.session_id, folder, cwd=options.cwd)
        if known is not None:
            opening(known)
            return SessionManager.open(known, cwd=options.cwd)
        return SessionManager.create(options.cwd, folder=folder, session_id=options.session_id)
    if options.continue_recent:
        newest = newest_session(folder, cwd=options.cwd)
        if newest is not None:
            opening(newest)
            return SessionManager.open(newest, cwd=options.cwd)
    return new_session(options)
