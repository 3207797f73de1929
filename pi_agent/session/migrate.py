"""Older formats of session files, brought to the present one."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from pi_agent.base.wire import JsonObject
from pi_agent.session.entries import VERSION


def migrate(header: JsonObject, lines: Sequence[JsonObject], *, version: int) -> None:
    """Change a header and the lines below it, read from a file of `version`, into the present format."""
    if version < 2:
        _chain(lines)
    if version < 3:
        _rename_hook_messages(lines)
    header["version"] = VERSION


def _chain(lines: Sequence[JsonObject]) -> None:
    """Version 1 had no tree: its lines followed each other, and compactions counted them, the header included."""
    parent: str | None = None
    taken: set[str] = set()
    for index, line in enumerate(lines):
        line["id"] = _stable_id(index, taken)
        line["parentId"] = parent
        taken.add(line["id"])
        parent = line["id"]
    for line in lines:
        kept = line.pop("firstKeptEntryIndex", None) if line.get("type") == "compaction" else None
        if isinstance(kept, int) and 0 < kept <= len(lines):
            line["firstKeptEntryId"] = lines[kept - 1]["id"]


def _rename_hook_messages(lines: Sequence[JsonObject]) -> None:
    for line in lines:
        message = line.get("message")
        if isinstance(message, dict) and message.get("role") == "hookMessage":
            message["role"] = "custom"


def _stable_id(index: int, taken: set[str]) -> str:
    """Return an id that is the same whenever the file is read, as long as it cannot be rewritten."""
    seed = f"line {index}"
    while (own_id := f"{zlib.crc32(seed.encode()):08x}") in taken:
        seed += "+"
    return own_id
