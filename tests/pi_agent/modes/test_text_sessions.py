"""Which session print mode goes on with, and what happens when its file is damaged or cannot be written."""

from __future__ import annotations

import json
import resource

from tests.pi_process import Pi, texts

ECHO = ("--model", "demo/echo")


def test_a_session_begins_with_model_and_level_and_keeps_all_that_was_said(pi: Pi) -> None:
    pi.plays(
        {"toolCalls": [{"name": "bash", "arguments": {"command": "echo hi"}}]},
        {"text": "done"},
    )
    assert pi.run("--model", "demo/script", "-p", "go").code == 0
    (path,) = pi.session_files()
    header = json.loads(path.read_text().splitlines()[0])
    assert (header["type"], header["version"], header["cwd"]) == ("session", 3, str(pi.project))
    model, level, *messages = pi.entries()
    assert (model["type"], model["provider"], model["modelId"]) == (
        "model_change",
        "demo",
        "script",
    )
    assert (level["type"], level["thinkingLevel"]) == ("thinking_level_change", "off")
    roles = [entry["message"]["role"] for entry in messages]
    assert roles == ["system", "user", "assistant", "toolResult", "assistant"]
    assert texts(pi.messages("toolResult", "assistant")) == ["", "hi\n", "done"]
    # One chain, from the first line to the last.
    entries = pi.entries()
    assert [entry["parentId"] for entry in entries] == [None, *(e["id"] for e in entries[:-1])]


def test_a_torn_last_line_is_told_and_the_session_goes_on(pi: Pi) -> None:
    assert pi.run(*ECHO, "-p", "one", "two").code == 0
    (path,) = pi.session_files()
    whole = path.read_bytes()
    torn = whole[:-40]
    path.write_bytes(torn)
    ended = pi.run("-c", *ECHO, "-p", "three")
    assert (ended.code, ended.out) == (0, "three\n")
    assert ended.err == (
        "Warning: The last line of the session file is incomplete and was left out."
        " It was being written when pi was stopped.\n"
    )
    assert path.read_bytes().startswith(torn + b"\n")
    lines = path.read_bytes().removeprefix(torn).split()
    assert len(lines) == 2
    kept = [json.loads(line) for line in torn.splitlines()[:-1]]
    assert json.loads(lines[0])["parentId"] == kept[-1]["id"]
    ended = pi.run("-c", *ECHO, "-p", "four")
    assert "could not be read" in ended.err


def test_a_session_is_named_by_file_or_id_and_a_file_that_is_none_is_left_alone(pi: Pi) -> None:
    assert pi.run(*ECHO, "-p", "one").code == 0
    (path,) = pi.session_files()
    session_id = path.stem.partition("_")[2]
    assert pi.run(*ECHO, "--session", session_id[:-4], "-p", "two").code == 0
    assert pi.run(*ECHO, "--session", path, "-p", "three").code == 0
    assert texts(pi.messages("user")) == ["one", "two", "three"]

    unknown = pi.run(*ECHO, "--session", "0000", "-p", "four")
    assert (unknown.code, unknown.out) == (1, "")
    assert unknown.err.startswith("Error: No session found for 0000\n")
    notes = pi.write("notes.jsonl", '{"type": "note"}\n')
    no_session = pi.run(*ECHO, "--session", notes, "-p", "four")
    assert (no_session.code, no_session.out) == (1, "")
    assert no_session.err == f"Error: Session file is not a valid pi session: {notes}\n"
    assert notes.read_text() == '{"type": "note"}\n'
    assert texts(pi.messages("user")) == ["one", "two", "three"]


def test_without_a_session_nothing_is_kept(pi: Pi) -> None:
    assert pi.run(*ECHO, "--no-session", "-p", "one", "two").out == "two\n"
    assert pi.session_files() == []


def test_going_on_where_there_is_nothing_begins_a_session(pi: Pi) -> None:
    assert pi.run(*ECHO, "-c", "-p", "one").out == "one\n"
    assert texts(pi.messages("user")) == ["one"]


def test_sessions_can_be_kept_in_one_folder(pi: Pi) -> None:
    folder = pi.folder / "elsewhere"
    assert pi.run(*ECHO, "--session-dir", folder, "-p", "one").code == 0
    assert pi.session_files() == []
    (path,) = folder.glob("*.jsonl")
    pi.environ["PI_CODING_AGENT_SESSION_DIR"] = str(folder)
    assert pi.run(*ECHO, "-c", "-p", "two").code == 0
    assert list(folder.glob("*.jsonl")) == [path]


def _no_file_may_grow() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))


def test_a_full_disk_is_told_once_and_costs_no_answer(pi: Pi) -> None:
    ended = pi.run(*ECHO, "-p", "one", "two", preexec_fn=_no_file_may_grow)
    assert (ended.code, ended.out) == (0, "two\n")
    assert ended.err.count("Cannot write the session file") == 1
    assert "File too large" in ended.err
    assert "will not remember" in ended.err
    assert pi.session_files() == []


def test_a_session_is_named_and_goes_on_by_an_id_of_ones_own(pi: Pi) -> None:
    assert pi.run(*ECHO, "--session-id", "my.task-1", "-n", "My\ntask ", "-p", "one").code == 0
    assert pi.run(*ECHO, "--session-id", "my.task-1", "-p", "two").code == 0
    (path,) = pi.session_files()
    assert path.name.endswith("_my.task-1.jsonl")
    assert texts(pi.messages("user")) == ["one", "two"]
    assert [entry["name"] for entry in pi.entries() if entry["type"] == "session_info"] == [
        "My task"
    ]


def test_an_id_that_cannot_be_is_refused(pi: Pi) -> None:
    outcome = pi.run(*ECHO, "--session-id", "../x", "-p", "one")
    assert outcome.code == 1
    assert outcome.err.startswith("Error: Invalid session id: ../x\nIt may hold letters")
    assert pi.session_files() == []


def test_a_fork_has_everything_of_another_session_which_stays_as_it_is(pi: Pi) -> None:
    assert pi.run(*ECHO, "-p", "one").code == 0
    (path,) = pi.session_files()
    before = path.read_bytes()
    assert pi.run(*ECHO, "--fork", path.stem.partition("_")[2], "-p", "two").code == 0
    assert path.read_bytes() == before
    (fork,) = set(pi.session_files()) - {path}
    header, *lines = map(json.loads, fork.read_text().splitlines())
    assert header["parentSession"] == str(path)
    assert lines[: before.count(b"\n") - 1] == [
        json.loads(line) for line in before.splitlines()[1:]
    ]
    assert texts([line["message"] for line in lines if line["type"] == "message"])[-1] == "two"

    unknown = pi.run(*ECHO, "--fork", "0000", "-p", "three")
    assert (unknown.code, unknown.out) == (1, "")
    assert unknown.err.startswith("Error: No session found for 0000\n")
    both = pi.run(*ECHO, "--fork", path, "-c", "-p", "three")
    assert "--fork cannot be combined with --continue" in both.err
