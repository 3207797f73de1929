"""The built-in model in the whole program: its server, its tools, the question before a command.

Its server's package is played, so that nothing has to be waited for; `test_real_model` has the real one.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pi_tui.emulator import GridTerminal
from tests.fake_llama import FakeLlama
from tests.pi_process import texts
from tests.pi_screen import ScreenPi, editor_rows, shows
from tests.pty_session import PtySession, has_ended

QUESTION = "Run this command?"
# Enter alone may have been meant for the editor.
CHOOSE_RUN = b"\x1b[B\x1b[A\r"
LOCAL = "local/smollm2"


@pytest.fixture
def llama(tmp_path: Path) -> FakeLlama:
    return FakeLlama(tmp_path)


@pytest.fixture
def pi(tmp_path: Path, llama: FakeLlama) -> Iterator[ScreenPi]:
    pi = ScreenPi(tmp_path)
    pi.environ |= llama.environ
    try:
        yield pi
    finally:
        pi.close()


def show(pi: ScreenPi, *words: str, columns: int = 100, rows: int = 30) -> PtySession:
    session = pi.show(*words, model=LOCAL, columns=columns, rows=rows)
    session.wait_for("smollm2")
    return session


def say(session: PtySession, text: str) -> None:
    session.send(text.encode() + b"\r")


def is_settled(terminal: GridTerminal) -> bool:
    return not any("(esc to" in row for row in terminal.lines())


def shows_and_is_settled(*rows: str) -> Callable[[GridTerminal], bool]:
    return lambda terminal: shows(*rows)(terminal) and is_settled(terminal)


def server_of(pid: int) -> int:
    """Return the process of the server that a pi has started."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            command = (path.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == pid and b"local/serve.py" in command:
            return int(path.parent.name)
    raise AssertionError(f"{pid} has no server")


def test_it_is_given_two_tools_and_a_short_prompt(pi: ScreenPi, llama: FakeLlama) -> None:
    pi.write("AGENTS.md", "Always answer in verse. " * 100)
    llama.answers({"text": "Hello."})
    outcome = pi.run("--local", "-p", "Hello")
    assert (outcome.code, outcome.out, outcome.err) == (0, "Hello.\n", "")
    (request,) = llama.requests
    assert [tool["function"]["name"] for tool in request["tools"]] == ["read", "bash"]
    system = request["messages"][0]
    assert system["role"] == "system"
    assert len(system["content"].replace(str(pi.project), "")) < 400
    assert request["return_progress"] is True


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--tools", "read,write"), ["read", "write"]),
        (("--tools", "+edit"), ["read", "bash", "edit"]),
        (("--no-tools",), []),
    ],
)
def test_other_tools_are_given_when_they_are_named(
    pi: ScreenPi, llama: FakeLlama, words: tuple[str, ...], names: list[str]
) -> None:
    llama.answers({"text": "Hello."})
    pi.run("--local", *words, "-p", "Hello")
    (request,) = llama.requests
    assert [tool["function"]["name"] for tool in request.get("tools", [])] == names


def test_with_another_model_tools_and_prompt_are_the_usual_ones_again(
    pi: ScreenPi, llama: FakeLlama
) -> None:
    llama.answers({"text": "Here I am."})
    with show(pi) as session:
        say(session, "Hello")
        session.wait_until(shows_and_is_settled("Here I am."))
        say(session, "/model demo/echo")
        session.wait_for("(demo) echo")
        say(session, "and now?")
        session.wait_until(
            lambda terminal: (
                sum("and now?" in row for row in terminal.lines()) == 2 and is_settled(terminal)
            )
        )
        session.send(b"\x04")
        assert session.wait_exit() == 0
    first, second, *_ = pi.messages("system")
    assert len(first["sections"]["preamble"]) < 400
    told = json.dumps(second)
    assert "edit" in told
    assert "write" in told
    assert second["sections"]["preamble"] != first["sections"]["preamble"]


def test_each_command_is_asked_for_until_the_answer_is_always(
    pi: ScreenPi, llama: FakeLlama
) -> None:
    llama.answers(
        {"command": "echo one; touch one"},
        {"command": "echo two; touch two"},
        {"text": "Both are done."},
        {"command": "touch three"},
        {"text": "So is the third."},
    )
    with show(pi) as session:
        say(session, "go on")
        session.wait_until(shows(QUESTION, "echo one; touch one", "→ Run"))
        assert not (pi.project / "one").exists()
        session.send(CHOOSE_RUN)
        session.wait_until(shows(QUESTION, "echo two; touch two", "→ Run"))
        assert (pi.project / "one").exists()
        assert not (pi.project / "two").exists()
        session.send(b"\x1b[B")
        session.wait_until(shows("→ Always, until pi ends"))
        session.send(b"\r")
        session.wait_until(shows_and_is_settled("Both are done."))
        assert (pi.project / "two").exists()
        say(session, "once more")
        session.wait_until(shows_and_is_settled("So is the third."))
        assert (pi.project / "three").exists()
    assert not (pi.agent_dir / "settings.json").exists()


@pytest.mark.parametrize("keys", [b"\x1b[B\x1b[B\r", b"\x1b"], ids=["no", "escape"])
def test_a_refused_command_does_not_run_and_ends_the_run(
    pi: ScreenPi, llama: FakeLlama, keys: bytes
) -> None:
    llama.answers({"command": "touch made"}, {"text": "again"})
    with show(pi) as session:
        say(session, "go on")
        session.wait_until(shows(QUESTION))
        session.send(keys)
        session.wait_until(lambda terminal: not shows(QUESTION)(terminal) and is_settled(terminal))
        assert editor_rows(session.terminal) == [""]
        session.send(b"\x04")
        assert session.wait_exit() == 0
    assert not (pi.project / "made").exists()
    assert len(llama.requests) == 1
    (result,) = pi.messages("toolResult")
    assert "not" in texts([result])[0]


def test_where_nobody_can_be_asked_commands_need_the_setting(
    pi: ScreenPi, llama: FakeLlama
) -> None:
    llama.answers({"command": "touch made"}, {"command": "touch made"}, {"text": "Done."})
    refused = pi.run("--local", "-p", "go on")
    assert '"localModel.commands": "always"' in refused.err
    assert not (pi.project / "made").exists()
    pi.prefers(localModel__commands="always")
    allowed = pi.run("--local", "-p", "go on")
    assert (allowed.out, allowed.err) == ("Done.\n", "")
    assert (pi.project / "made").exists()


@pytest.mark.parametrize(("columns", "rows"), [(40, 15), (20, 10)])
def test_the_question_fits_small_terminals(
    pi: ScreenPi, llama: FakeLlama, columns: int, rows: int
) -> None:
    llama.answers({"command": "ls -la"}, {"text": "Done."})
    with show(pi, columns=columns, rows=rows) as session:
        say(session, "go on")
        session.wait_until(shows(QUESTION, "ls -la", "→ Run"))
        session.send(CHOOSE_RUN)
        session.wait_until(shows_and_is_settled("Done."))


def test_the_start_is_shown_and_escape_ends_it_at_once(pi: ScreenPi, llama: FakeLlama) -> None:
    llama.starts("wait")
    llama.answers({"text": "Hello."})
    with show(pi) as session:
        say(session, "Hello")
        session.wait_until(shows("Starting the local model... (esc to cancel)"))
        session.send(b"\x1b")
        session.wait_until(shows_and_is_settled("Operation aborted"))
        llama.starts("as usual")
        say(session, "Hello again")
        session.wait_until(shows_and_is_settled("Hello."))


def test_reading_the_prompt_shows_a_percentage_and_escape_ends_it(
    pi: ScreenPi, llama: FakeLlama
) -> None:
    llama.answers({"progress": 38}, {"text": "Hello."})
    with show(pi, columns=20, rows=10) as session:
        say(session, "Hello")
        session.wait_until(shows("Prompt 38%"))
        session.resize(100, 30)
        session.wait_until(shows("Reading the prompt: 38% (esc to interrupt)"))
        session.send(b"\x1b")
        session.wait_until(shows_and_is_settled("Operation aborted"))
        session.wait_until(lambda terminal: llama.hung_up, what="the end of the connection")
        say(session, "Hello again")
        session.wait_until(shows_and_is_settled("Hello."))


def test_a_start_that_fails_is_told_with_the_last_line_of_the_log(
    pi: ScreenPi, llama: FakeLlama
) -> None:
    llama.starts("fail")
    outcome = pi.run("--local", "-p", "Hello")
    assert outcome.code == 1
    assert "The local model could not be started" in outcome.err
    assert "load_model: this file is no model" in outcome.err
    assert "0.00.010" not in outcome.err


def test_the_next_message_starts_a_server_that_broke_down(pi: ScreenPi, llama: FakeLlama) -> None:
    llama.answers({"text": "Half an ", "die": True}, {"text": "A whole answer."})
    with show(pi) as session:
        say(session, "Hello")
        session.wait_until(shows_and_is_settled("The local model broke down", "the ground opened"))
        say(session, "and now?")
        session.wait_until(shows_and_is_settled("A whole answer."))


def test_the_server_ends_with_pi_however_that_ends(pi: ScreenPi, llama: FakeLlama) -> None:
    llama.answers({"text": "One."}, {"text": "Two."})
    with show(pi) as session, show(pi) as other:
        servers = []
        for each, answer in ((session, "One."), (other, "Two.")):
            say(each, "Hello")
            each.wait_until(shows_and_is_settled(answer))
            servers.append(server_of(each.pid))
        mine, others = map(os.pidfd_open, servers)
        session.signal(signal.SIGKILL)
        assert has_ended(mine)
        assert server_of(other.pid) == servers[1], "the other one has its own"
        other.send(b"\x04")
        assert other.wait_exit() == 0
        assert has_ended(others)


def test_the_key_of_the_server_is_nowhere_to_be_seen(pi: ScreenPi, llama: FakeLlama) -> None:
    llama.answers({"progress": 1})
    with show(pi) as session:
        say(session, "Hello")
        session.wait_until(shows("Reading the prompt"))
        process = Path("/proc", str(server_of(session.pid)))
        key = (llama.folder / "key").read_bytes()
        assert len(key) > 20
        assert key not in (process / "cmdline").read_bytes() + (process / "environ").read_bytes()


def test_without_it_the_command_that_fetches_it_is_named(pi: ScreenPi, llama: FakeLlama) -> None:
    (llama.folder / "cache" / "models").rename(llama.folder / "elsewhere")
    outcome = pi.run("--local", "-p", "Hello")
    assert outcome.code == 1
    assert "`pi local install` fetches the model SmolLM2 135M (93 MB)" in outcome.err
    assert LOCAL not in pi.run("--list-models").out


def test_it_is_never_chosen_on_its_own(pi: ScreenPi) -> None:
    outcome = pi.run("-p", "Hello")
    assert outcome.code == 1
    assert "no model yet" in outcome.err
    assert [line.split()[:2] for line in pi.run("--list-models", "smol").out.splitlines()[1:]] == [
        ["local", "smollm2"]
    ]


def test_it_cannot_be_combined_with_another_model(pi: ScreenPi) -> None:
    outcome = pi.run("--local", "--model", "demo/echo", "-p", "Hello")
    assert "--local cannot be combined with --model" in outcome.err


def test_progress_is_an_event_in_json_mode(pi: ScreenPi, llama: FakeLlama) -> None:
    llama.answers({"text": "Hello."})
    events = [
        json.loads(line) for line in pi.run("--local", "--mode", "json", "Hi").out.splitlines()
    ]
    progress = [event for event in events if event["type"] == "prompt_progress"]
    assert progress == [{"type": "prompt_progress", "activity": "starting", "done": 0, "total": 0}]
