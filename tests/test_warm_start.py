"""A process that starts warm finds what one finds that starts cold, and ends as that one does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pi_process import PATIENCE_SECONDS, Pi
from tests.pty_session import PtySession, has_ended
from tests.warm_process import WarmProcess, can_watch_processes
from tests.warm_start import WarmPython, WarmStarts, can_start_warm, start_process

pytestmark = pytest.mark.skipif(
    not can_watch_processes(), reason="the system has no descriptors of processes"
)

FACTS = (sys.executable, "-m", "tests.programs.facts", "one", "--two", "drei ☕")
PROGRAM = (sys.executable, "-m", "program")


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


@pytest.fixture(params=["cold", "warm"])
def running(request: pytest.FixtureRequest, pi: Pi) -> Running:
    return Running(pi, is_warm=request.param == "warm")


class Running:
    """Somebody who starts programs of their project one way."""

    def __init__(self, pi: Pi, *, is_warm: bool) -> None:
        WarmStarts.allowed = is_warm
        self.pi = pi
        self.is_warm = is_warm

    def start(self, *argv: str, **options: Any) -> Any:
        """Start a command; what nobody said of its streams is a pipe."""
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        settings = {"cwd": self.pi.project, "env": self.pi.full_environ(), **streams, **options}
        process = start_process(argv, **settings)
        assert isinstance(process, WarmProcess) is self.is_warm
        return process

    def program(self, code: str, **options: Any) -> Any:
        """Start a program with this code."""
        self.pi.write("program.py", code)
        return self.start(*PROGRAM, **options)


def facts_on_pipes(pi: Pi, *, is_warm: bool) -> Any:
    out, err = Running(pi, is_warm=is_warm).start(*FACTS).communicate(timeout=PATIENCE_SECONDS)
    assert err == b""
    return json.loads(out)


def facts_on_a_terminal(pi: Pi, *, is_warm: bool) -> Any:
    WarmStarts.allowed = is_warm
    with PtySession(FACTS, cwd=pi.project, env=pi.full_environ()) as session:
        assert session.wait_exit() == 0
        return json.loads(session.output)


@pytest.mark.parametrize("facts", [facts_on_pipes, facts_on_a_terminal])
def test_it_finds_the_same(facts: Any, pi: Pi) -> None:
    pi.environ |= {"TZ": "Asia/Kolkata", "NAME": "val\udcffue"}
    warm = facts(pi, is_warm=True)
    assert warm == facts(pi, is_warm=False)
    assert warm["leads a session"] is warm["is in the foreground"] is warm["terminals"][0]
    assert warm["folder"] == str(pi.project)


def test_each_has_randomness_of_its_own(pi: Pi) -> None:
    running = Running(pi, is_warm=True)
    code = "import random, tempfile; print(random.random(), tempfile.mktemp())"
    said = {running.program(code).communicate(timeout=PATIENCE_SECONDS)[0] for _ in range(2)}
    assert len(said) == 2


@pytest.mark.parametrize(
    ("code", "status", "out", "err"),
    [
        ("print('done')", 0, "done\n", ""),
        ("import sys; print('done'); sys.exit(7)", 7, "done\n", ""),
        ("import sys; sys.exit('what went wrong')", 1, "", "what went wrong\n"),
        ("raise ValueError('what went wrong')", 1, "", "ValueError: what went wrong\n"),
        ("import os; os._exit(9)", 9, "", ""),
        ("import os; os.abort()", -signal.SIGABRT, "", ""),
        ("import atexit; atexit.register(print, 'last'); print('first')", 0, "first\nlast\n", ""),
        (
            "import threading, time\n"
            "threading.Thread(target=lambda: (time.sleep(0.1), print('thread'))).start()\n"
            "print('main')",
            0,
            "main\nthread\n",
            "",
        ),
    ],
)
def test_it_ends_the_same(code: str, status: int, out: str, err: str, running: Running) -> None:
    process = running.program(code)
    said, failed = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, said.decode()) == (status, out)
    assert failed.decode().endswith(err) and bool(failed) is bool(err)


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGKILL, -signal.SIGKILL),
        (signal.SIGTERM, -signal.SIGTERM),
        (signal.SIGINT, -signal.SIGINT),
    ],
)
def test_signals_end_it(number: int, status: int, running: Running) -> None:
    process = running.program("import time; print('ready', flush=True); time.sleep(60)")
    assert process.stdout.readline() == b"ready\n"
    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    process.send_signal(number)
    assert process.wait(PATIENCE_SECONDS) == process.poll() == status
    process.kill()  # it is late, and nobody else is hit


def test_much_goes_both_ways_at_once(running: Running) -> None:
    code = "import shutil, sys; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer, 1000)"
    data = bytes(range(256)) * 4000
    assert running.program(code).communicate(data, PATIENCE_SECONDS) == (data, b"")


def test_what_nobody_reads_is_no_failure(running: Running) -> None:
    process = running.program("import os; os.close(0); print('bye')")
    assert process.communicate(b"x" * 1_000_000, PATIENCE_SECONDS) == (b"bye\n", b"")


def test_files_are_streams_too(running: Running) -> None:
    source = running.pi.write("in.txt", "from a file")
    code = "import sys; print(sys.stdin.read()); print('beside', file=sys.stderr)"
    target = running.pi.project / "out.txt"
    with source.open("rb") as stdin, target.open("wb") as stdout:
        process = running.program(
            code, stdin=stdin, stdout=stdout.fileno(), stderr=subprocess.DEVNULL
        )
        assert process.communicate(timeout=PATIENCE_SECONDS)[1] in (None, b"")
    assert target.read_text() == "from a file\n"


@pytest.mark.parametrize(
    ("argv", "env", "options"),
    [
        (["/bin/echo", "-m"], {}, ()),
        ([sys.executable, "-X", "utf8", "-m", "pi_agent"], {}, ()),
        ([sys.executable, "-c", "pass"], {}, ()),
        (PROGRAM, {"PYTHONUNBUFFERED": ""}, ()),
        (PROGRAM, {"LC_ALL": "de_DE.ISO-8859-1"}, ()),
        (PROGRAM, {}, ["preexec_fn"]),
    ],
)
def test_what_a_fork_cannot_do_starts_cold(argv: Any, env: Any, options: Any) -> None:
    assert can_start_warm(PROGRAM, {"PYTHONPATH": "x", "LANG": "en_US.UTF-8"}, ["cwd"])
    assert not can_start_warm(argv, env, options)


@pytest.mark.parametrize("call", [(os, "pidfd_open"), (signal, "pidfd_send_signal")])
def test_where_processes_cannot_be_watched_all_starts_cold(
    call: tuple[Any, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: int) -> None:
        raise PermissionError("not in this container")

    can_watch_processes.cache_clear()
    monkeypatch.setattr(*call, forbidden)
    allowed = can_start_warm(PROGRAM, {})
    can_watch_processes.cache_clear()
    assert not allowed


@pytest.mark.cold_start
def test_a_test_may_ask_for_cold_starts() -> None:
    assert not can_start_warm(PROGRAM, {})


def test_nothing_is_left_when_the_tests_end(pi: Pi) -> None:
    pi.write("program.py", "import time; print('ready', flush=True); time.sleep(60)")
    python = WarmPython()
    request = {"module": "program", "words": [], "cwd": str(pi.project)}
    reading, writing = os.pipe()
    with open(os.devnull) as null, open(reading) as said:
        pid = python.ask(
            request | {"environ": {}, "has_terminal": False},
            [null.fileno(), writing, null.fileno()],
        )
        os.close(writing)
        assert said.readline() == "ready\n"
        watched = os.pidfd_open(pid)
        python.close()
        assert has_ended(watched)
