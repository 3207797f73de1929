"""Where an export goes, in which form, and what may be there already."""

from __future__ import annotations

import os
from pathlib import Path

from pi_agent.base.text_paths import resolve_text_path
from pi_agent.session.entries import iso_timestamp
from pi_agent.session.export.html import is_page_of, refuse_export
from pi_agent.session.export.source import ExportSource
from pi_agent.session.file import SessionError
from pi_tui.frozen import frozen

_JSONL = ".jsonl"


@frozen
class ExportTarget:
    """A file to write; one that `is_session` holds the active branch, others are pages."""

    path: Path
    is_session: bool
    replaces_something: bool


def export_target(
    source: ExportSource, text: str, cwd: Path, *, now: float, home: Path | None = None
) -> ExportTarget:
    """Return where `text` says that an export goes; without one it is a page in `cwd`, named after the session.

    A path that ends in `.jsonl` makes a session file, the suffix alone one with a name of its own. In a folder the
    page has its usual name. Raises `SessionError` where nothing can be written, whatever the user says.
    """
    path = resolve_text_path(text, cwd, home)
    is_session = path.suffix == _JSONL or path.name == _JSONL
    if path.name == _JSONL:
        stamp = iso_timestamp(now).replace(":", "-").replace(".", "-")
        path = path.with_name(f"session-{stamp}{_JSONL}")
    elif not is_session:
        refuse_export(source)
        if not text or text.endswith(os.sep) or path.is_dir():
            path /= _page_name(source)
    _refuse_path(path, source.file)
    replaces = os.path.lexists(path) and (is_session or not is_page_of(path, source.header.id))
    return ExportTarget(path, is_session, replaces)


def _page_name(source: ExportSource) -> str:
    stem = source.file.stem if source.file is not None else source.header.id
    return f"pi-session-{stem}.html"


def _refuse_path(path: Path, session_file: Path | None) -> None:
    if path.is_dir():
        raise SessionError(f"{path} is a folder.", "Name a file in it.")
    if path.exists() and not path.is_file():
        raise SessionError(f"{path} is a device or a pipe.", "Name another file for the export.")
    if not path.parent.is_dir():
        raise SessionError(f"There is no folder {path.parent}.", "Make it, or name another one.")
    if session_file is not None and _is_same(path, session_file):
        raise SessionError(f"{path} is the session itself.", "Name another file for the export.")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
