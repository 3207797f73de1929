"""What somebody sees when the file of a session is damaged, in use or cannot be written: in every mode."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_agent.session.store import SessionManager
from tests.pi_agent.session.killing import lines_of
from tests.pi_agent.session.saved import save_session
from tests.pi_agent.session.test_migrate import write_old
from tests.pi_agent.ui.support import interactive, script
from tests.pi_process import PATIENCE_SECONDS, Outcome, Pi, texts

pytestmark = pytest.mark.anyio

ECHO = ("--model", "demo/echo")
# What is asked for, besides the session.
MODES = {"text": ("-p",), "json": ("--mode", "json")}


def _as_it_was(path: Path) -> None:
    """Nothing is wrong with it."""


def _with_bad_lines(path: Path) -> None:
    header, *lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([header, b'{"type":\n', b"\0\0\0\n", *lines]))


def _torn(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"type":"message","id":"1')


def _newer(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"version": 3', b'"version": 4'))


DAMAGES = {
    "bad lines": (_with_bad_lines, "2 lines of the session file could not be read"),
    "torn": (_torn, "The last line of the session file is incomplete and was left out."),
    "newer": (_newer, "This session was written by a newer version of pi."),
    "in use": (_as_it_was, f"This session is in use by process {os.getpid()} on "),
}
Damage = Callable[[Path], None]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", DAMAGES)
def test_a_damaged_session_is_told_and_goes_on(case: str, mode: str, pi: Pi) -> None:
    damage, told = DAMAGES[case]
    path = save_session(pi.folder, "s", ["one"], cwd=str(pi.project))
    holder = SessionManager.open(path) if case == "in use" else None
    damage(path)
    before = path.read_bytes()
    ended = pi.run(*ECHO, "--session", path, *MODES[mode], "two")
    if holder is not None:
        holder.close()
    assert ended.code == 0
    assert ended.err.startswith(f"Warning: {told}")
    assert ended.err.count("\n") == 1
    assert path.read_bytes().startswith(before)
    if mode == "text":
        assert ended.out == "two\n"
    session = SessionManager.open(path)
    session.close()
    assert _said(session) == ["one", "two"]


@pytest.mark.parametrize("case", DAMAGES)
async def test_a_damaged_session_is_told_on_the_screen_and_goes_on(
    case: str, tmp_path: Path
) -> None:
    damage, told = DAMAGES[case]
    path = save_session(tmp_path, "s", ["one"], cwd=str(tmp_path))
    holder = SessionManager.open(path) if case == "in use" else None
    damage(path)
    async with interactive(tmp_path, *ECHO, "--session", str(path)) as program:
        await program.told(told)
        program.say("two")
        await program.settled("two")
    if holder is not None:
        holder.close()
    session = SessionManager.open(path)
    session.close()
    assert _said(session) == ["one", "two"]


@pytest.mark.parametrize("mode", MODES)
def test_what_is_no_session_is_refused_and_left_alone(mode: str, pi: Pi) -> None:
    path = pi.write("notes.jsonl", "notes\n")
    ended = pi.run(*ECHO, "--session", path, *MODES[mode], "two")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"Error: Session file is not a valid pi session: {path}\n"
    assert path.read_text() == "notes\n"


async def test_what_is_no_session_is_told_on_the_screen_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("notes\n")
    async with interactive(tmp_path, *ECHO, "--session", str(path)) as program:
        await program.told("Error: Session file is not a valid pi session:")
        program.say("two")
        await program.settled("two")
    assert path.read_text() == "notes\n"


def test_two_runs_on_one_session_each_keep_what_they_say(pi: Pi) -> None:
    path = save_session(pi.folder, "s", ["one"], cwd=str(pi.project))
    said = {name: [f"{name} {number}" for number in range(20)] for name in ("a", "b")}
    runs = [pi.start(*ECHO, "--session", path, "-p", *prompts) for prompts in said.values()]
    warned = [run.communicate(timeout=PATIENCE_SECONDS)[1].count(b"in use by") for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert sum(warned) <= 1  # none where one had ended before the other began
    *lines, end = path.read_bytes().split(b"\n")
    assert end == b""
    messages = [json.loads(line).get("message", {}) for line in lines]
    users = texts(message for message in messages if message.get("role") == "user")
    for name, expected in said.items():
        assert [text for text in users if text.startswith(f"{name} ")] == expected
    # Whatever the last line is: one of the two goes on from there, with all that it had said.
    session = SessionManager.open(path)
    session.close()
    assert _said(session)[-20:] in said.values()


# Disks


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KB with all but 12 KB of it in the file `filler`."""
    folder = tmp_path / "disk"
    folder.mkdir()
    argv = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(argv, capture_output=True).returncode:
        pytest.skip("only who may mount can make a small disk")
    try:
        (folder / "filler").write_bytes(b"x" * 52 * 1024)
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _full_disk_steps(disk: Path) -> list[dict[str, object]]:
    """Say more than there is room for, ask a tool to make some, and say something that fits."""
    make_room = {"name": "bash", "arguments": {"command": f"rm {disk}/filler && echo room"}}
    return [
        {"text": "long " * 4000},
        {"text": "longer " * 4000, "toolCalls": [make_room]},
        {"text": "It fits now."},
    ]


def _check_full_disk(disk: Path) -> None:
    """What did not fit is not there, nor does anything name it as what it follows."""
    (path,) = disk.glob("*.jsonl")
    entries = _entries(path)
    kept = [entry["message"] for entry in entries if "message" in entry]
    assert [message["role"] for message in kept] == ["system", "user", "toolResult", "assistant"]
    assert texts(kept[1:]) == ["first", "room\n", "It fits now."]
    ids = [None, *(entry["id"] for entry in entries)]
    assert [entry["parentId"] for entry in entries] == ids[:-1]


@pytest.mark.parametrize("mode", MODES)
def test_a_disk_that_fills_up_is_told_once_and_the_run_goes_on(
    mode: str, pi: Pi, small_disk: Path
) -> None:
    pi.plays(*_full_disk_steps(small_disk))
    words = ("--model", "demo/script", "--session-dir", str(small_disk), *MODES[mode])
    ended = pi.run(*words, "first", "second")
    assert ended.code == 0
    _check_told_once(ended, "first")
    _check_full_disk(small_disk)


def _check_told_once(ended: Outcome, text: str) -> None:
    assert "Warning: Cannot write the session file" in ended.err
    assert "No space left on device" in ended.err or "could be written" in ended.err
    assert "Free some space, then try again." in ended.err
    assert "the model will not remember what was said" in ended.err
    told = [line for line in ended.err.splitlines() if line.startswith("Warning:")]
    assert len(told) == len(set(told))


async def test_a_disk_that_fills_up_is_told_on_the_screen_and_the_run_goes_on(
    tmp_path: Path, small_disk: Path
) -> None:
    plays = script(tmp_path, *_full_disk_steps(small_disk))
    words = ("--model", "demo/script", "--session-dir", str(small_disk))
    async with interactive(tmp_path, *words, environ=plays, rows=60) as program:
        program.say("first")
        await program.settled("will not remember what was said")
        assert "Free some space, then try again." in program.flat()
        program.say("second")
        await program.settled("It fits now.")
    _check_full_disk(small_disk)


async def test_a_disk_that_becomes_read_only_is_told_once_and_the_session_goes_on_later(
    tmp_path: Path, small_disk: Path
) -> None:
    words = (*ECHO, "--session-dir", str(small_disk))
    async with interactive(tmp_path, *words, rows=40) as program:
        program.say("first")
        await program.settled("first")
        _remount(small_disk, "ro")
        for text in ("second", "third"):
            program.say(text)
            await program.settled(text)
        assert program.flat().count("Read-only file system") == 1
        assert "Choose another folder with --session-dir" in program.flat()
        _remount(small_disk, "rw")
        program.say("fourth")
        await program.settled("fourth")
    (path,) = small_disk.glob("*.jsonl")
    kept = [entry["message"] for entry in _entries(path) if "message" in entry]
    assert texts(kept[1:]) == ["first", "first", "fourth", "fourth"]


def test_an_old_file_waits_for_room_to_be_rewritten(pi: Pi, small_disk: Path) -> None:
    path = write_old(small_disk)
    with path.open("a") as old:
        old.write(json.dumps({"type": "custom", "customType": "x", "data": "y" * 8000}) + "\n")
    before = path.read_bytes()
    ended = pi.run(*ECHO, "--session", path, "-p", "two")
    assert (ended.code, ended.out) == (0, "two\n")
    assert "No space left on device. It can be read, but not continued." in ended.err
    assert "the model will not remember what was said" in ended.err
    assert path.read_bytes() == before
    assert sorted(os.listdir(small_disk)) == ["filler", "old.jsonl"]
    (small_disk / "filler").unlink()
    ended = pi.run(*ECHO, "--session", path, "-p", "three")
    assert (ended.code, ended.err) == (0, "")
    header, *_ = lines_of(path.read_bytes())
    assert header["version"] == 3
    assert texts(each["message"] for each in _entries(path)[-2:]) == ["three", "three"]


async def test_a_copy_that_has_no_room_is_told_and_the_session_stays(
    tmp_path: Path, small_disk: Path
) -> None:
    words = (*ECHO, "--session-dir", str(small_disk))
    async with interactive(tmp_path, *words) as program:
        program.say("first " * 600)
        await program.settled("first")
        program.say("/clone")
        await program.told("No space left on device")
        (small_disk / "filler").unlink()
        program.say("second")
        await program.settled("second")
    (path,) = small_disk.glob("*.jsonl")
    assert texts(each["message"] for each in _entries(path)[-2:]) == ["second", "second"]


def _remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


def _entries(path: Path) -> list[dict[str, Any]]:
    """Return the entries of a file that can be read."""
    return lines_of(path.read_bytes())[1:]


def _said(session: SessionManager) -> list[str]:
    """Return what the user said, on the branch that the conversation goes on with."""
    raws = [entry.raw["message"] for entry in session.get_branch() if "message" in entry.raw]
    return texts(message for message in raws if message["role"] == "user")
