"""Files in old formats: read as if they were new, rewritten once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pi_agent.llm.messages import UserMessage
from pi_agent.session.entries import CompactionEntry
from pi_agent.session.file import SessionWriteError
from pi_agent.session.store import SessionManager
from tests.pi_agent.session.killing import chance
from tests.rights import run_without_rights

VERSION_1: list[dict[str, Any]] = [
    {"type": "session", "id": "old", "timestamp": "2025-01-01T00:00:00.000Z", "cwd": "/srv"},
    {"type": "message", "timestamp": "t1", "message": {"role": "user", "content": "first"}},
    {"type": "message", "timestamp": "t2", "message": {"role": "assistant", "content": []}},
    {
        "type": "message",
        "timestamp": "t3",
        "message": {"role": "hookMessage", "customType": "note", "content": "hook"},
    },
    {
        "type": "compaction",
        "timestamp": "t4",
        "summary": "old",
        "firstKeptEntryIndex": 3,
        "tokensBefore": 100,
    },
]


def write_old(folder: Path) -> Path:
    path = folder / "old.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in VERSION_1))
    return path


def test_version_1_becomes_a_chain(tmp_path: Path) -> None:
    session = SessionManager.open(write_old(tmp_path))
    entries = session.get_entries()
    assert entries == session.get_branch()
    assert [entry.timestamp for entry in entries] == ["t1", "t2", "t3", "t4"]
    compaction = entries[-1]
    assert isinstance(compaction, CompactionEntry)
    assert compaction.first_kept_entry_id == entries[2].id
    assert [m.role for m in session.build_session_projection()] == ["compactionSummary", "custom"]


def test_an_old_file_is_rewritten_once_and_can_be_continued(tmp_path: Path) -> None:
    path = write_old(tmp_path)
    SessionManager.open(path).close()
    header, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert header == {**VERSION_1[0], "version": 3}
    assert all(line["id"] and "parentId" in line for line in lines)
    assert [p.name for p in tmp_path.iterdir()] == ["old.jsonl"]
    assert path.stat().st_mode & 0o777 == 0o600

    os.utime(path, (1000, 1000))
    session = SessionManager.open(path)
    assert path.stat().st_mtime == 1000
    session.append_message(UserMessage(content="more"))
    assert len(SessionManager.open(path).get_branch()) == 5


def test_an_old_file_in_use_elsewhere_can_be_read_but_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    holder = SessionManager.open(path)
    holder.append_message(UserMessage(content="x"))
    # The lock belongs to the file, whatever is in it.
    before = write_old(tmp_path).read_bytes()
    path.write_bytes(before)
    session = SessionManager.open(path)
    assert len(session.get_entries()) == 4
    assert any("old format" in notice for notice in session.notices)
    with pytest.raises(SessionWriteError, match="old format"):
        session.append_message(UserMessage(content="more"))
    assert path.read_bytes() == before
    holder.close()


def test_what_a_link_leads_to_is_rewritten_and_the_link_stays(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    target = write_old(folder)
    link = tmp_path / "link.jsonl"
    link.symlink_to(target)
    SessionManager.open(link).close()
    assert link.is_symlink()
    assert json.loads(target.read_text().splitlines()[0])["version"] == 3
    assert [each.name for each in folder.iterdir()] == ["old.jsonl"]


REWRITE_IN_VAIN = """
import sys
from pi_agent.llm.messages import UserMessage
from pi_agent.session.store import SessionManager
session = SessionManager.open(sys.argv[1])
print(len(session.get_branch()))
print(*session.notices)
try:
    session.append_message(UserMessage(content="more"))
except Exception as error:
    print(type(error).__name__)
"""


def test_an_old_file_in_a_folder_that_takes_no_file_can_be_read_only(tmp_path: Path) -> None:
    path = write_old(tmp_path)
    before = path.read_bytes()
    tmp_path.chmod(0o555)
    try:
        length, notice, error = run_without_rights(REWRITE_IN_VAIN, path).splitlines()
    finally:
        tmp_path.chmod(0o755)
    assert (length, error) == ("4", "SessionWriteError")
    assert "Permission denied. It can be read, but not continued." in notice
    assert path.read_bytes() == before


def test_a_killed_rewriting_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    """Old files are rewritten by a process that is killed in the middle; the next start finishes what it can."""
    paths = []
    for number in range(150):
        folder = tmp_path / str(number)
        folder.mkdir()
        paths.append(write_old(folder))
    before = paths[0].read_bytes()
    code = (
        "import sys\nfrom pi_agent.session.store import SessionManager\nfor path in sys.argv[1:]:\n"
    )
    code += "    SessionManager.open(path).close()\n    print(path, flush=True)\n"
    child = subprocess.Popen([sys.executable, "-c", code, *paths], stdout=subprocess.PIPE)
    assert child.stdout is not None
    for _ in range(chance().randint(1, 100)):
        child.stdout.readline()
    child.kill()
    child.communicate()
    contents = [path.read_bytes() for path in paths]
    new = contents[0]
    assert new != before
    assert set(contents) <= {before, new}
    for path in paths:
        SessionManager.open(path).close()
        os.utime(path, (1000, 1000))
        session = SessionManager.open(path)
        session.close()
        assert [entry.timestamp for entry in session.get_branch()] == ["t1", "t2", "t3", "t4"]
        assert (path.read_bytes(), path.stat().st_mtime) == (new, 1000)
