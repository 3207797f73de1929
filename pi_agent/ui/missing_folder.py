"""What to do about a session whose folder does not exist any more: the question, and what follows from the answer."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Final

from pi_agent.host.options import RunOptions
from pi_agent.host.start_session import missing_folder
from pi_agent.session.store import SessionManager
from pi_agent.ui import dialogs
from pi_agent.ui.asking import ask
from pi_agent.ui.plain import plain_line
from pi_agent.ui.screen import AgentScreen

_HERE, _FORK = 0, 1
_ANSWERS: Final = ("Continue here", "Fork into the current directory", "Cancel")


async def settle_folder(
    session: SessionManager, options: RunOptions, screen: AgentScreen
) -> SessionManager | None:
    """Return the session to go on with: this one, a copy for the current folder, or `None` to leave it."""
    folder = missing_folder(session)
    if folder is None or Path(folder) == options.cwd:
        return session
    title = f"The folder of this session is gone: {plain_line(folder)}"
    answer = await ask(screen, partial(dialogs.SelectDialog, title, _ANSWERS, screen.theme), None)
    if answer == _HERE:
        return session
    file = session.get_session_file()
    if answer != _FORK or file is None:
        return None
    from pi_agent.host.session_folder import copied_here

    return await asyncio.to_thread(copied_here, file, options)
