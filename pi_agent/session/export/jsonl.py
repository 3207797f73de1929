"""The active branch of a session as a file of its own, which loads as a session."""

from __future__ import annotations

from pathlib import Path

from pi_agent.base.jsonl import encode_line
from pi_agent.base.wire import JsonObject
from pi_agent.session.entries import VERSION
from pi_agent.session.export.new_file import new_file
from pi_agent.session.export.source import NOTHING_YET, ExportSource, has_conversation
from pi_agent.session.file import SessionError
from pi_agent.session.fork import copied_path


def export_jsonl(source: ExportSource, path: Path) -> None:
    """Write the active branch of a session, its entries one behind the other, its labels at the end.

    It keeps the session's id and directory. Raises `SessionError`.
    """
    if not has_conversation(source.branch):
        raise SessionError(NOTHING_YET)
    header: JsonObject = {**source.header.raw, "version": VERSION}
    with new_file(path) as file:
        for line in (header, *copied_path(source.branch, source.labels)):
            file.write(encode_line(line))
