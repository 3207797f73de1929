"""Session files as they would be after a conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pi_agent.session.entries import iso_timestamp

START = datetime(2026, 1, 1, tzinfo=UTC).timestamp()


def save_session(
    folder: Path,
    session_id: str,
    said: Sequence[str] = (),
    *,
    cwd: str = "/srv/app",
    name: str | None = None,
    at: float = 0,
    long_result: int = 0,
) -> Path:
    """Write a session: what the user said, each answered with `re: …` a minute later, from START + `at` on.

    `long_result` characters of a tool's output stand between the first message and its answer.
    """
    folder.mkdir(parents=True, exist_ok=True)
    header = {"type": "session", "version": 3, "id": session_id, "cwd": cwd}
    lines: list[dict[str, object]] = [{**header, "timestamp": iso_timestamp(START + at)}]
    for number, text in enumerate(said):
        lines.append(_message("user", text, at + 60 * number))
        if long_result and not number:
            lines.append(_message("toolResult", "x" * long_result, at + 60 * number))
        lines.append(_message("assistant", f"re: {text}", at + 60 * (number + 1)))
    if name is not None:
        lines.append({"type": "session_info", "name": name, "timestamp": iso_timestamp(START)})
    parent: str | None = None
    for number, line in enumerate(lines[1:]):
        line |= {"id": f"{number:08x}", "parentId": parent}
        parent = f"{number:08x}"
    path = folder / f"{session_id}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def _message(role: str, text: str, at: float) -> dict[str, object]:
    content = [{"type": "text", "text": text}]
    return {
        "type": "message",
        "timestamp": iso_timestamp(START + at),
        "message": {"role": role, "content": content},
    }
