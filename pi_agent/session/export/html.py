"""A session as a page that stands alone: it opens without a network, and runs no script but its own.

What was said reaches the page as base64 and becomes text there, by an allow-list of elements (`page/dom.js`). The
policy in its head lets only its own script and style run, by their hashes, and forbids every connection. Markdown
and code are read here, not in the page: by the same grammars as in the terminal, and the page needs none of its own.
Entries are written one after another: of the page no more is in memory than one of them.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import BinaryIO

from pi_agent.base.jsonl import encode_line
from pi_agent.base.wire import JsonObject
from pi_agent.llm.system_state import render_system
from pi_agent.session.entries import Entry
from pi_agent.session.export.colors import color_rules
from pi_agent.session.export.new_file import new_file
from pi_agent.session.export.nodes import plain
from pi_agent.session.export.progress import ENTRIES_A_STEP, Progress
from pi_agent.session.export.source import NOTHING_YET, ExportSource, has_conversation
from pi_agent.session.export.views import EntryViews
from pi_agent.session.file import SessionError
from pi_tui.theme import Theme

_FOLDER = Path(__file__).parent / "page"
_SCRIPTS = ("dom", "session", "text", "calls", "messages", "flow", "tree", "page")
_MARK = re.compile(r"\{\{(\w+)\}\}")
_TITLE_CHARACTERS = 80
_HEAD_BYTES = 4096


def export_html(
    source: ExportSource, path: Path, theme: Theme, *, progress: Progress = lambda done, total: None
) -> None:
    """Write the page of a session to `path`. Raises `SessionError`.

    `progress` is told how many of all entries are done; what it raises ends the export, and leaves no file.
    """
    refuse_export(source)
    parts = _parts(source, theme)
    with new_file(path) as file:
        for text, name in _pieces((_FOLDER / "page.html").read_text(encoding="utf-8")):
            file.write(text.encode())
            if name == "data":
                _write_data(file, source, progress)
            elif name:
                file.write(parts[name].encode())


def refuse_export(source: ExportSource) -> None:
    """Raise `SessionError` if there is no page to be made of a session."""
    if source.file is None:
        raise SessionError("Cannot export in-memory session to HTML")
    if not source.file.exists() or not has_conversation(source.entries):
        raise SessionError(NOTHING_YET)


def is_page_of(path: Path, session_id: str) -> bool:
    """Whether a file is an earlier page of a session."""
    try:
        with path.open("rb") as file:
            return _session_mark(session_id).encode() in file.read(_HEAD_BYTES)
    except OSError:
        return False


def _pieces(template: str) -> Iterator[tuple[str, str]]:
    """Return the texts of the template, each with the name of what follows it."""
    start = 0
    for mark in _MARK.finditer(template):
        yield template[start : mark.start()], mark[1]
        start = mark.end()
    yield template[start:], ""


def _parts(source: ExportSource, theme: Theme) -> dict[str, str]:
    """Return what goes into the template, by name; the data is written piece by piece."""
    script, style = _script(), _style(theme)
    return {
        "session": _session_mark(source.header.id),
        "policy": _policy(script, style),
        "title": escape(_title(source)),
        "style": style,
        "script": script,
    }


def _session_mark(session_id: str) -> str:
    return f'<meta name="pi-session" content="{escape(plain(session_id))}">'


def _title(source: ExportSource) -> str:
    said = source.name or next(filter(None, map(_said, source.entries)), "") or "Session"
    line = " ".join(plain(said).split())
    return line if len(line) <= _TITLE_CHARACTERS else f"{line[: _TITLE_CHARACTERS - 1]}…"


def _said(entry: Entry) -> str:
    """Return the text of what the user said, or nothing."""
    message = entry.raw.get("message")
    if not isinstance(message, dict) or message.get("role") != "user":
        return ""
    content = message.get("content")
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return " ".join(text for text in texts if isinstance(text, str))


def _script() -> str:
    return "".join((_FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)


def _style(theme: Theme) -> str:
    return color_rules(theme) + (_FOLDER / "page.css").read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)};"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _write_data(file: BinaryIO, source: ExportSource, progress: Progress) -> None:
    """Write the session as JSON in base64: header, name, prompt and tools, entries, their views, the leaf."""
    out, system = _Base64(file), source.system()
    head: JsonObject = {
        "header": source.header.raw,
        "name": source.name,
        "leafId": source.leaf_id,
        "systemPrompt": render_system(system),
        "tools": [tool.to_wire() for tool in system.tools],
    }
    out.write(encode_line(head).rstrip().removesuffix(b"}") + b',"entries":[')
    for number, entry in enumerate(source.entries):
        out.write((b"," if number else b"") + encode_line({**entry.raw, "id": entry.id}))
    out.write(b'],"views":{')
    views, separator, total = EntryViews(), b"", len(source.entries)
    for number, entry in enumerate(source.entries):
        if number % ENTRIES_A_STEP == 0:
            progress(number, total)
        view = views.of(entry)
        if view is not None:
            out.write(separator + encode_line({entry.id: list(view)}).strip()[1:-1])
            separator = b","
    out.write(b"}}")
    out.end()
    progress(total, total)


class _Base64:
    """Encodes what is written piece by piece as one text."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._rest = b""

    def write(self, data: bytes) -> None:
        """Write what makes whole groups of characters, and keep the rest for later."""
        data = self._rest + data
        end = len(data) - len(data) % 3
        self._file.write(b64encode(data[:end]))
        self._rest = data[end:]

    def end(self) -> None:
        """Write the rest."""
        self._file.write(b64encode(self._rest))
