"""Who has a session open, as far as the file system can say it."""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pi_agent.llm.messages import UserMessage
from pi_agent.session.in_use import Holder, SessionHold, hold, holder_of, sidecar_of
from pi_agent.session.store import SessionManager


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.touch()
    return path


def ended_process() -> int:
    """Return the id of a process that runs no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left_behind(path: Path, pid: int, host: str) -> None:
    """Name a holder, as a process does that is killed then."""
    text = json.dumps({"pid": pid, "host": host, "openedAt": "then"})
    sidecar_of(path).write_text(text)


def test_the_holder_is_named_with_process_host_and_time(path: Path) -> None:
    claim = hold(path, opened="2026-03-04T05:06:07.089Z")
    assert isinstance(claim, SessionHold)
    other = hold(path, opened="later")
    expected = Holder(os.getpid(), socket.gethostname(), "2026-03-04T05:06:07.089Z")
    assert other == holder_of(path) == expected
    assert (
        str(other)
        == f"process {os.getpid()} on {socket.gethostname()} since 2026-03-04T05:06:07.089Z"
    )
    claim.release()
    assert holder_of(path) is None
    assert os.listdir(path.parent) == ["s.jsonl"]


def test_what_a_killed_process_left_behind_holds_nobody_up(path: Path) -> None:
    left_behind(path, ended_process(), socket.gethostname())
    assert holder_of(path) is None
    claim = hold(path, opened="now")
    assert isinstance(claim, SessionHold)
    assert holder_of(path) == Holder(os.getpid(), socket.gethostname(), "now")
    claim.release()


def test_the_name_of_a_killed_process_is_not_given_to_the_one_that_holds_it_now(path: Path) -> None:
    claim = hold(path, opened="now")
    assert isinstance(claim, SessionHold)
    left_behind(path, ended_process(), socket.gethostname())
    assert str(hold(path, opened="now")) == "another process"
    claim.release()


def test_a_process_of_another_host_is_believed(path: Path) -> None:
    left_behind(path, ended_process(), "elsewhere")
    assert str(holder_of(path)).endswith("on elsewhere since then")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "5", "null", '{"pid": "x"}', '{"pid": 1}', "\0" * 9]
)
def test_a_name_that_cannot_be_read_is_none(text: str, path: Path) -> None:
    sidecar_of(path).write_text(text)
    assert holder_of(path) is None
    claim = hold(path, opened="now")
    assert isinstance(claim, SessionHold)
    sidecar_of(path).write_text(text)
    assert str(hold(path, opened="now")) == "another process"
    claim.release()


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF, errno.EIO])
def test_a_file_system_without_locks_is_no_obstacle(code: int, path: Path) -> None:
    def lock(descriptor: int, operation: int) -> None:
        raise OSError(code, os.strerror(code))

    descriptors = len(os.listdir("/dev/fd"))
    assert hold(path, opened="now", lock=lock) is None
    assert os.listdir(path.parent) == ["s.jsonl"]
    assert len(os.listdir("/dev/fd")) == descriptors


def test_who_goes_on_alone_is_the_one_that_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    first = SessionManager.open(path)
    first.append_message(UserMessage(content="one"))
    second = SessionManager.open(path)
    assert "in use" in second.notices[0]
    second.append_message(UserMessage(content="two"))
    first.close()
    assert holder_of(path) is None
    second.append_message(UserMessage(content="three"))
    assert holder_of(path) is not None
    third = SessionManager.open(path)
    assert "in use" in third.notices[0]
    second.close()
    for session in (first, second):
        session.append_message(UserMessage(content="four"))
    assert holder_of(path) is None
    third.append_message(UserMessage(content="five"))
    assert holder_of(path) is not None
    third.close()
    assert os.listdir(tmp_path) == ["s.jsonl"]
