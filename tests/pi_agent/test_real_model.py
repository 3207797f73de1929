"""The whole program with a real small model behind a real server.

The model has no judgement, so what it says is not looked at: that it calls the tool it is asked for, and answers.
One file has all such tests, so that one worker runs them (`--dist loadfile`): two servers would share two cores.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_agent.base.http import HttpClient
from pi_agent.llm.local_servers import FoundServer, find_local_servers
from pi_tui.emulator import GridTerminal
from tests.pi_process import ROOT, texts
from tests.pi_screen import ScreenPi, editor_rows, editor_shows, is_idle, is_working, shows
from tests.pty_session import PtySession, has_ended
from tests.real_model import ModelServer, installed_model, model_server

# Less than a minute in all on two cores; where they have much other work it takes several times as long.
pytestmark = [pytest.mark.model, pytest.mark.timeout(180)]

# A small prompt is read in a second; the default one takes the model many.
BRIEF = ("--system-prompt", "You are a helpful assistant.", "-nc")
MODEL = "openai/smollm2"
LOCAL = "local/smollm2"
READY = "(openai) smollm2"
PATIENCE = 90.0
README = "# Tide\n\nTide is a small library that computes the tides of the North Sea.\n"
STORY = "Tell me a long story about a fox."


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    """Serve the model to all tests of a worker."""
    with model_server() as running:
        yield running


@pytest.fixture(scope="module")
def strict_server() -> Iterator[ModelServer]:
    """Serve it with room for little."""
    with model_server(context=512) as running:
        yield running


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small repository. Its path is in every prompt: a new one would have to be read anew."""
    folder = tmp_path_factory.mktemp("tide")
    subprocess.run(["git", "init", "-q", folder], check=True)
    (folder / "README.md").write_text(README)
    (folder / "tide.py").write_text("def height(hour):\n    return 2.5\n")
    (folder / "Makefile").write_text("test:\n\tpython -m pytest\n")
    return folder


@pytest.fixture
def pi(tmp_path: Path, server: ModelServer, repository: Path) -> ScreenPi:
    """Return a fresh installation that knows the server."""
    pi = ScreenPi(tmp_path)
    pi.project = repository
    pi.environ |= {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": server.api_key}
    return pi


def show(pi: ScreenPi, *words: str) -> PtySession:
    """Start on a terminal and wait until the model is known."""
    session = pi.show(*BRIEF, *words, model=MODEL)
    session.wait_for(READY)
    return session


def be_brief(pi: ScreenPi) -> None:
    """Let answers end early: what they say does not matter."""
    limits = {"providers": {"openai": {"modelOverrides": {"smollm2": {"maxTokens": 64}}}}}
    (pi.agent_dir / "models.json").write_text(json.dumps(limits))


def ask(session: PtySession, text: str) -> None:
    """Say something and wait until the run is over."""
    session.send(text.encode() + b"\r")
    session.wait_until(is_working, what="the start of the run")
    session.wait_until(is_idle, PATIENCE, what="the end of the run")


def document(terminal: GridTerminal) -> list[str]:
    """Return the rows above the status row that are not empty."""
    lines = terminal.lines()
    first_rule = next(row for row, line in enumerate(lines) if line.startswith("───"))
    return [line for line in lines[: first_rule - 1] if line.strip()]


@pytest.mark.soak  # the built-in model does both below
def test_a_file_is_read_and_a_command_is_run_when_the_session_is_gone_on_with(
    pi: ScreenPi, repository: Path
) -> None:
    be_brief(pi)
    with show(pi) as session:
        ask(session, "Read the file README.md")
        session.wait_until(shows("read README.md"))
        assert "read README.md" not in document(session.terminal)[-1], "the result is answered"
        end = session.lines()
        session.send(b"\x04")
        assert session.wait_exit() == 0
    with show(pi, "-c") as session:
        session.wait_until(
            lambda terminal: terminal.lines() == end, what="the screen as it was left"
        )
        ask(session, "Run the command ls -la")
        session.wait_until(shows("$ ls -la", *os.listdir(repository)))
        end = session.lines()
        session.resize(100, 15)
        session.send(b"\x1b[1;5H")
        session.wait_until(shows("pi 0.", "Read the file README.md"))
        session.resize(100, 30)
        session.send(b"\x1b[1;5F")
        session.wait_until(lambda terminal: terminal.lines() == end, what="the end again")
    assert texts(pi.messages("user")) == ["Read the file README.md", "Run the command ls -la"]
    results = texts(pi.messages("toolResult"))
    assert results[0].startswith("# Tide")
    assert all(name in results[1] for name in os.listdir(repository))
    assert sum(bool(text) for text in texts(pi.messages("assistant"))) >= 2, "results are answered"


@pytest.mark.soak
def test_an_answer_goes_on_while_the_screen_changes_and_ends_with_escape(
    pi: ScreenPi, server: ModelServer
) -> None:
    with show(pi, "-nt") as session:
        session.send(STORY.encode() + b"\r")
        for columns, rows in ((100, 30), (40, 15), (20, 10), (100, 30)):
            session.resize(columns, rows)
            session.wait_until(
                lambda terminal: terminal.lines()[-1].endswith("smollm2") and is_working(terminal),
                what=f"the screen at {columns}x{rows}",
            )
            seen = document(session.terminal)
            session.wait_until(
                lambda terminal, seen=seen: document(terminal) != seen,  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
                PATIENCE,
                what="more of the answer",
            )
        session.send(b"\x1b")
        session.wait_until(
            lambda terminal: shows("Operation aborted")(terminal) and is_idle(terminal)
        )
        wait_until_idle(server)
        session.send(b"half a thought")
        session.wait_until(editor_shows("half a thought"))
        session.send(b"\x03")
        session.wait_until(editor_shows(""))
        ask(session, "Hello")
        session.send(b"\x04")
        assert session.wait_exit() == 0
    story, hello = pi.messages("assistant")
    assert story["stopReason"] == "aborted"
    assert hello["stopReason"] in ("stop", "length")


def wait_until_idle(server: ModelServer) -> None:
    """Wait until the server works on nothing."""
    deadline = time.monotonic() + PATIENCE
    while server.requests_in_progress():
        assert time.monotonic() < deadline, "the server still works on an answer nobody waits for"


def test_print_mode_takes_what_is_piped_and_a_file(pi: ScreenPi) -> None:
    be_brief(pi)
    outcome = pi.run(
        *("--model", MODEL, *BRIEF, "-nt", "-p", "@README.md", "What is this?"), stdin="Be brief.\n"
    )
    (message,) = pi.messages("assistant")
    was_cut = message["stopReason"] == "length"
    assert (outcome.code, "output limit" in outcome.err) == (int(was_cut), was_cut)
    assert outcome.out == "".join(texts([message])) + "\n"
    assert outcome.out.strip()
    (prompt,) = texts(pi.messages("user"))
    assert "Be brief." in prompt
    assert README.strip() in prompt
    assert prompt.endswith("What is this?")


def test_the_models_of_the_server_are_listed(pi: ScreenPi) -> None:
    outcome = pi.run("--list-models", "smol")
    heading, row = outcome.out.splitlines()
    assert dict(zip(heading.split(), row.split(), strict=True)) == {
        "provider": "openai",
        "model": "smollm2",
        "context": "8k",
        "max-out": "?",
        "thinking": "no",
        "images": "no",
    }


def test_a_wrong_key_is_told_with_where_it_comes_from(
    pi: ScreenPi, strict_server: ModelServer
) -> None:
    pi.environ |= {"OPENAI_BASE_URL": strict_server.base_url, "OPENAI_API_KEY": "the wrong key"}
    with show(pi, "-nt") as session:
        session.send(b"Hello\r")
        session.wait_until(shows("401: Invalid API Key", "OPENAI_API_KEY"))
        session.wait_until(lambda terminal: is_idle(terminal) and editor_rows(terminal) == [""])
        assert "the wrong key" not in "\n".join(session.lines())


@pytest.mark.soak
def test_a_context_that_overflows_is_told_and_the_session_goes_on_where_there_is_room(
    pi: ScreenPi, server: ModelServer, strict_server: ModelServer
) -> None:
    pi.environ |= {
        "OPENAI_BASE_URL": strict_server.base_url,
        "OPENAI_API_KEY": strict_server.api_key,
    }
    with show(pi, "-nt") as session:
        ask(session, "Hello")
        session.send(b"\x1b[200~" + b"more and more " * 200 + b"\x1b[201~\r")
        session.wait_until(shows("exceeds the available context size"), PATIENCE)
        session.wait_until(lambda terminal: is_idle(terminal) and editor_rows(terminal) == [""])
        session.send(b"\x04")
        assert session.wait_exit() == 0
    pi.environ["OPENAI_BASE_URL"] = server.base_url
    be_brief(pi)
    with show(pi, "-nt", "-c") as session:
        session.wait_until(shows("exceeds the available context size"))
        ask(session, "Hello again")
    reasons = [message["stopReason"] for message in pi.messages("assistant")]
    assert reasons[:2] == ["stop", "error"]
    assert reasons[2] in ("stop", "length")


def test_the_built_in_model_reads_a_file_and_asks_before_a_command(
    tmp_path: Path, repository: Path
) -> None:
    pi = built_in(tmp_path, repository)
    with pi.show(model=LOCAL) as session:
        session.wait_for("(local) smollm2")
        session.send(b"Read the file README.md\r")
        session.wait_until(shows("read README.md"), PATIENCE)
        session.wait_until(is_settled, PATIENCE, what="the end of the run")
        session.send(b"Run the command ls -la\r")
        session.wait_until(shows("Run this command?", "ls -la", "→ Run"), PATIENCE)
        session.send(b"\x1b[B\x1b[A\r")
        session.wait_until(shows("$ ls -la", *os.listdir(repository)))
    results = texts(pi.messages("toolResult"))
    assert results[0].startswith("# Tide")


def test_escape_ends_the_reading_of_a_long_prompt_and_the_built_in_model_answers_the_next(
    tmp_path: Path, repository: Path
) -> None:
    pi = built_in(tmp_path, repository)
    with pi.show("-nt", model=LOCAL) as session:
        session.wait_for("(local) smollm2")
        session.send(b"\x1b[200~" + b"more and more " * 1000 + b"\x1b[201~\r")
        session.wait_until(shows("Reading the prompt: "), PATIENCE)
        session.send(b"\x1b")
        session.wait_until(shows("Operation aborted"))
        session.wait_until(is_settled, what="the end of the run")
        session.send(b"\x04")
        assert session.wait_exit() == 0
    outcome = pi.run("--local", "-nt", "-p", "Hello")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.strip()


def built_in(folder: Path, repository: Path) -> ScreenPi:
    """Return a fresh installation that has the model."""
    pi = ScreenPi(folder)
    pi.project = repository
    pi.environ["PI_CODING_AGENT_CACHE_DIR"] = str(installed_model().folder.parent)
    return pi


def is_settled(terminal: GridTerminal) -> bool:
    """Whether the screen says that nothing goes on."""
    return not any("(esc to" in row for row in terminal.lines())


def test_the_server_ends_with_whoever_started_it(server: ModelServer) -> None:
    program = (
        "import sys\n"
        "from tests.real_model import model_server\n"
        "with model_server() as server:\n"
        "    print(server.pid, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        pid = parent.stdout.readline()
        watched = os.pidfd_open(int(pid))
        parent.send_signal(signal.SIGKILL)
    assert has_ended(watched)


def test_the_server_is_known_by_how_it_refuses_whoever_has_no_key(server: ModelServer) -> None:
    async def look() -> list[FoundServer]:
        http = HttpClient({})
        urls = {"llama.cpp": server.address}
        found = [each async for each in find_local_servers(http, urls, seconds=PATIENCE)]
        await http.aclose()
        return found

    (found,) = asyncio.run(look())
    assert found.reading.wants_key
