"""The active branch of a session as a file of its own, which loads as a session."""

from __future__ import annotations

from pathlib import Path

from pi_agent.base.jsonl import encode_line
from pi_agent.base.wire import JsonObject
from pi_agent.session.entries import VERSION
from pi_agent.session.export.new_file import new_file
from pi_agent.session.export.progress import ENTRIES_A_STEP, Progress
from pi_agent.session.export.source import NOTHING_YET, ExportSource, has_conversation
from pi_agent.session.file import SessionError
from pi_agent.session.fork import copied_path


def export_jsonl(
    source: ExportSource, path: Path, *, progress: Progress = lambda done, total: None
) -> None:
    """Write the active branch of a session, its entries one behind the other, its labels at the end.

    It keeps the session's id and directory. Raises `SessionError`. `progress` is told how many entries are done; what
    it raises ends the export, and leaves no file.
    """
    if not has_conversation(source.branch):
        raise SessionError(NOTHING_YET)
    header: JsonObject = {**source.header.raw, "version": VERSION}
    total = len(source.branch)
    with new_file(path) as file:
        file.write(encode_line(header))
        for number, line in enumerate(copied_path(source.branch, source.labels)):
            if number % ENTRIES_A_STEP == 0:
                progress(min(number, total), total)
            file.write(encode_line(line))
        progress(total, total)
