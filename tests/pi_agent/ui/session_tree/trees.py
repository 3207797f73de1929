"""Sessions as trees, written down in a few words."""

from __future__ import annotations

from typing import Any

from pi_agent.session.entries import Header
from pi_agent.session.store import SessionManager
from pi_agent.session.tree import EntryTree


def message(role: str, text: str = "", **more: Any) -> dict[str, Any]:
    """Return a line with a message."""
    content = [{"type": "text", "text": text}] if text else []
    return {"type": "message", "message": {"role": role, "content": content, **more}}


def session_of(*lines: tuple[str, str | None, dict[str, Any]]) -> SessionManager:
    """Return a session of lines, each with its id and its parent's."""
    raw = [
        {
            **fields,
            "id": own,
            "parentId": parent,
            "timestamp": f"2026-03-04T05:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
        }
        for number, (own, parent, fields) in enumerate(lines)
    ]
    header = Header.new("tree", cwd="/srv/app", timestamp="2026-03-04T05:00:00.000Z")
    tree = EntryTree(raw)
    return SessionManager(header, file=None, tree=tree, cwd="/srv/app", now=lambda: 1_772_600_767)


def two_ways() -> SessionManager:
    """Return a conversation that was gone on with in two ways; the leaf is at the end of the first one."""
    call = {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a.py"}}
    return session_of(
        ("m", None, {"type": "model_change", "provider": "acme", "modelId": "fast-1"}),
        ("u1", "m", message("user", "find the bug")),
        ("a1", "u1", message("assistant", "I look.")),
        ("u2", "a1", message("user", "in the lexer")),
        ("a2", "u2", message("assistant", content=[call], stopReason="toolUse")),
        ("r2", "a2", message("toolResult", "…", toolCallId="c1", toolName="read")),
        ("a3", "r2", message("assistant", "There it is.")),
        ("u3", "a1", message("user", "in the parser")),
        ("a4", "u3", message("assistant", "", stopReason="aborted")),
        ("l1", "a3", {"type": "label", "targetId": "a3", "label": "found"}),
    )
