"""Make sessions out of sessions without end: forks, copies, names, branches. Each file is named when it is done.

`session_work FOLDER`: a line of output is `FILE ENTRIES`, with the number of entries that the file then has.
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from pi_agent.base.paths import SessionFolder
from pi_agent.llm.messages import UserMessage
from pi_agent.session.change import rename_session
from pi_agent.session.fork import copy_session, fork_session, import_session
from pi_agent.session.store import SessionManager

# A copy of this takes some moments to be written.
_LONG = "x" * 300_000


def main(folder: Path) -> None:
    """Work until somebody ends it."""
    sessions, inbox = SessionFolder(folder / "sessions"), folder / "inbox"
    for number in count():
        session = SessionManager.create(folder, folder=sessions)
        for part in range(3):
            session.append_message(UserMessage(content=f"{part} {_LONG}"))
        tell(session)
        last = session.get_leaf_id() or ""
        session.branch_with_summary(session.get_entries()[0].id, "tried something")
        tell(session)
        for other in (fork_session(session, last), fork_session(session, last, "at")):
            tell(other)
            other.close()
        path = session.get_session_file() or folder
        session.close()
        copy = copy_session(path, folder, sessions)
        tell(copy)
        copy.close()
        other_place = SessionManager.open(inbox / f"{number}.jsonl")
        other_place.append_message(UserMessage(content=_LONG))
        other_place.close()
        tell(SessionManager.open(import_session(inbox / f"{number}.jsonl", sessions)))
        rename_session(path, f"number {number}")
        tell(SessionManager.open(path))


def tell(session: SessionManager) -> None:
    """Say that a session is in its file."""
    print(session.get_session_file(), len(session.get_entries()), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
