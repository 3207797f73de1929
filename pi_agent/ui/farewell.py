"""What is printed last: what was never sent, what did not end in time, and how to go on with the session."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pi_agent.host.options import RunOptions
from pi_agent.session.store import SessionManager
from pi_agent.ui.plain import plain_line

_MOST_CHARACTERS: Final = 500


def farewell(
    options: RunOptions,
    session: SessionManager,
    left_behind: Sequence[str],
    unsent: Sequence[str] = (),
    queued: Sequence[str] = (),
) -> str | None:
    """Return the lines, if there are any; a session without a file cannot be gone on with."""
    lines = [f"Not sent, for want of a model: {_cut(plain_line(text))}" for text in unsent]
    lines += [f"Not sent, as it was queued: {_cut(plain_line(text))}" for text in queued]
    lines += [plain_line(text) for text in left_behind]
    file = session.get_session_file()
    if file is not None and file.exists():
        reference = session_reference(options, session.get_session_id(), file)
        lines.append(f"Go on with: pi --session {reference}")
    return "\n".join(lines) or None


def session_reference(options: RunOptions, session_id: str, file: Path) -> str:
    """Return what a shell may call the session: its id, or the file where an id would not be found."""
    usual = options.paths.sessions_of(options.cwd).path
    is_found = options.session_dir is None and file.parent == usual
    return shlex.quote(plain_line(session_id if is_found else str(file)))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "…"
