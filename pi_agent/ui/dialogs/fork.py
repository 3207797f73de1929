"""What the user has said, to fork the session before one of the messages."""

from __future__ import annotations

from pi_agent.session.entries import MessageEntry
from pi_agent.session.store import SessionManager
from pi_agent.ui.dialogs.picker import Choice
from pi_agent.ui.session_tree.entry_text import entry_text


def fork_choices(session: SessionManager) -> list[Choice]:
    """Return the user's messages of the active branch, the oldest first."""
    branch = session.get_branch() if session.get_leaf_id() is not None else []
    said = [entry for entry in branch if isinstance(entry, MessageEntry) and entry.role == "user"]
    return [
        Choice(entry.id, text, text, f"Message {number} of {len(said)}")
        for number, entry in enumerate(said, 1)
        if (text := entry_text(entry).text or "(no text)")
    ]
