"""Real processes on real files: killed ones, several at once, full disks, missing permissions."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_agent.llm.messages import UserMessage
from pi_agent.session.in_use import sidecar_of
from pi_agent.session.store import SessionManager

ROOT = Path(__file__).parents[3]

PRELUDE = """
import os, resource, sys
from pathlib import Path
from pi_agent.base.paths import SessionFolder
from pi_agent.llm.messages import UserMessage
from pi_agent.session.file import SessionError, SessionWriteError
from pi_agent.session.store import SessionManager

def say(*words):
    print(*words, flush=True)
"""


def start(script: str, *arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + script, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(child: subprocess.Popen[str], text: str = "") -> str:
    output, _ = child.communicate(text)
    assert child.returncode == 0
    return output


def next_line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def kill(child: subprocess.Popen[str]) -> None:
    child.send_signal(signal.SIGKILL)
    child.communicate()


def values_of(path: Path) -> list[dict[str, Any] | None]:
    """Return the file's lines as JSON, with None for each that is none."""
    values: list[dict[str, Any] | None] = []
    for line in path.read_bytes().split(b"\n"):
        try:
            values.append(json.loads(line))
        except ValueError:
            values.append(None)
    return values


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


WRITE_FOREVER = """
session = SessionManager.open(sys.argv[1])
number = 0
while True:
    session.append_message(UserMessage(content=f"{number} " + "x" * (number * 7919 % 200_000)))
    say(number)
    number += 1
"""


@pytest.mark.parametrize("after", [0, 1, 9, 70, 180])
def test_a_killed_process_loses_at_most_the_line_it_was_writing(after: int, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    child = start(WRITE_FOREVER, path)
    while int(next_line(child)) < after:
        pass
    kill(child)
    before = path.read_bytes()

    session = SessionManager.open(path)
    numbers = [int(entry.raw["message"]["content"].split()[0]) for entry in session.get_entries()]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > after
    assert before.count(b"\n") == len(numbers) + 1

    session.append_message(UserMessage(content="after the crash"))
    assert path.read_bytes().startswith(before)
    *_, last, end = values_of(path)
    assert end is None
    assert last is not None
    assert last["message"]["content"] == "after the crash"
    assert last["parentId"] == session.get_entries()[-2].id
    session.close()
    assert len(SessionManager.open(path).get_entries()) == len(numbers) + 1


WRITE_500 = """
session = SessionManager.open(sys.argv[1])
say("ready")
sys.stdin.readline()
for number in range(500):
    session.append_message(UserMessage(content=f"{sys.argv[2]} {number} " + "y" * (number * 37)))
"""


def test_two_processes_on_one_file_never_mix_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    first = SessionManager.open(path)
    first.append_message(UserMessage(content="start"))
    first.close()
    children = [start(WRITE_500, path, name) for name in ("one", "two")]
    for child in children:
        assert next_line(child) == "ready"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    for child in children:
        finish(child)
    *values, end = values_of(path)
    assert end is None
    texts = [v["message"]["content"].split() for v in values if v is not None and "message" in v]
    assert len(values) == len(texts) + 1 == 1002
    for name in ("one", "two"):
        assert [int(text[1]) for text in texts if text[0] == name] == list(range(500))


def test_a_line_torn_by_another_process_takes_no_entry_with_it(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    session = SessionManager.open(path)
    session.append_message(UserMessage(content="first"))
    with path.open("ab") as other:
        other.write(b'{"type":"message","id":"1a2b')
    session.append_message(UserMessage(content="second"))
    session.append_message(UserMessage(content="third"))
    ids = [entry.id for entry in session.get_entries()]
    session.close()
    assert [entry.id for entry in SessionManager.open(path).get_entries()] == ids


FILL_THE_DISK = """
session = SessionManager.open(sys.argv[1])
session.append_message(UserMessage(content="first"))
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
limit = Path(sys.argv[1]).stat().st_size + 100
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
for _ in range(2):
    try:
        session.append_message(UserMessage(content="z" * 1000))
    except SessionWriteError as error:
        say(len(session.get_entries()), session.get_leaf_entry().message.content, error.message)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
session.append_message(UserMessage(content="second"))
"""


def test_a_full_disk_is_an_error_and_the_session_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    said = finish(start(FILL_THE_DISK, path)).splitlines()
    assert [line.split()[:2] for line in said] == [["1", "first"]] * 2
    assert all(str(path) in line for line in said)
    header, first, torn, second, end = values_of(path)
    assert header is not None and first is not None and second is not None
    assert torn is None and end is None
    assert second["message"]["content"] == "second"
    assert second["parentId"] == first["id"]
    assert len(SessionManager.open(path).get_entries()) == 2


NO_ROOM_TO_BEGIN = """
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (50, hard))
session = SessionManager.open(sys.argv[1])
try:
    session.append_message(UserMessage(content="first"))
except SessionWriteError:
    say(len(session.get_entries()), os.listdir(os.path.dirname(sys.argv[1])))
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
session.append_message(UserMessage(content="again"))
"""


def test_a_file_that_could_not_be_begun_can_be_begun_later(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    assert finish(start(NO_ROOM_TO_BEGIN, path)) == "0 []\n"
    _, first, end = values_of(path)
    assert first is not None
    assert end is None
    assert first["message"]["content"] == "again"


WITHOUT_RIGHTS = """
message = UserMessage(content="more")
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    session = SessionManager.open(sys.argv[1])
    session.append_message(message)
except SessionError as error:
    say(type(error).__name__, "Permission denied" in error.message, error.hint)
"""


@pytest.mark.parametrize(("mode", "error"), [(0o444, "SessionWriteError"), (0o000, "SessionError")])
def test_missing_permissions_are_told_and_nothing_changes(
    mode: int, error: str, open_folder: Path
) -> None:
    path = open_folder / "s.jsonl"
    session = SessionManager.open(path)
    session.append_message(UserMessage(content="first"))
    session.close()
    before = path.read_bytes()
    path.chmod(mode)
    said = finish(start(WITHOUT_RIGHTS, path)).split()
    path.chmod(0o600)  # for a test that has no more rights than that process
    assert said[:2] == [error, "True"]
    assert path.read_bytes() == before


def test_a_folder_without_permission_is_told(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    said = finish(start(WITHOUT_RIGHTS, open_folder / "sub" / "s.jsonl"))
    assert said.startswith("SessionWriteError True Check the permissions")
    assert list(open_folder.iterdir()) == []
    open_folder.chmod(0o755)


HOLD = """
session = SessionManager.open(sys.argv[1])
say(os.getpid(), session.notices)
sys.stdin.readline()
"""


def test_a_session_in_use_says_who_has_it_until_that_process_ends(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    session = SessionManager.open(path)
    session.append_message(UserMessage(content="first"))
    session.close()
    assert [p.name for p in tmp_path.iterdir()] == ["s.jsonl"]

    child = start(HOLD, path)
    pid, notices = next_line(child).split(maxsplit=1)
    assert notices == "[]"
    assert not sidecar_of(path).name.endswith(".jsonl")
    second = SessionManager.open(path)
    assert len(second.notices) == 1
    assert f"process {pid} on " in second.notices[0]
    second.append_message(UserMessage(content="second"))
    second.close()

    kill(child)
    third = SessionManager.open(path)
    assert third.notices == []
    assert len(third.get_entries()) == 2
    third.close()


def test_a_process_that_ends_well_leaves_no_trace_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    session = SessionManager.open(path)
    session.append_message(UserMessage(content="first"))
    session.close()
    finish(start(HOLD, path), "\n")
    assert [p.name for p in tmp_path.iterdir()] == ["s.jsonl"]
