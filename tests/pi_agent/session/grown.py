"""Sessions that grow by steps, into any tree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pi_agent.base.paths import SessionFolder
from pi_agent.llm.messages import AssistantMessage, TextContent, UserMessage
from pi_agent.session.store import SessionManager

STEPS = ("user", "answer", "label", "no label", "edit", "hide", "compact", "name", "jump", "root")


def said(text: str) -> UserMessage:
    return UserMessage(content=[TextContent(text=text)])


def answered(text: str) -> AssistantMessage:
    return AssistantMessage(content=[TextContent(text=text)], provider="acme", model="fast-1")


def begun(folder: Path, **more: Any) -> SessionManager:
    return SessionManager.create(folder, folder=SessionFolder(folder / "sessions"), **more)


def grow(session: SessionManager, steps: Sequence[tuple[str, int]]) -> None:
    """Do something with the session again and again; the numbers choose entries."""
    for number, (step, choice) in enumerate(steps):
        entries, branch = session.get_entries(), session.get_branch()
        target = entries[choice % len(entries)].id
        on_branch = branch[choice % len(branch)].id if branch else target
        if step == "user":
            session.append_message(said(f"u{number}"))
        elif step == "answer":
            session.append_message(answered(f"a{number}"))
        elif step == "label":
            session.append_label(target, f"l{number}")
        elif step == "no label":
            session.append_label(target, None)
        elif step == "compact":
            session.append_compaction(
                f"c{number}", first_kept_entry_id=on_branch, tokens_before=number
            )
        elif step == "name":
            session.append_session_info(f"n{number}")
        elif step == "jump":
            session.branch(target)
        elif step == "root":
            session.reset_leaf()
        elif branch and session.get_entry(on_branch).type == "message":
            session.append_context_edit(on_branch, f"e{number}" if step == "edit" else None)
