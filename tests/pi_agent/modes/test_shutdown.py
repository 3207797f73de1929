"""Signals end print mode in order, and whatever it is busy with they end it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pi_process import PATIENCE_SECONDS, Pi
from tests.warm_start import Process
from tests.wire_server import Reply, Request, WireServer, sse_bytes, sse_reply

SCRIPT = ("--model", "demo/script")

SAYS_WHEN_IT_ENDS = """
def setup(pi):
    @pi.on("session_shutdown")
    def ended(event):
        print("shut down:", event.reason)
"""

HANGS = """
import asyncio

def setup(pi):
    @pi.on("EVENT")
    async def hang(event):
        print("hanging", flush=True)
        await asyncio.sleep(3600)
"""
HANGS_AT_THE_END = HANGS.replace("EVENT", "session_shutdown")
HANGS_AT_THE_START = HANGS.replace("EVENT", "session_start")

BLOCKS_THE_LOOP = """
import time

def setup(pi):
    @pi.on("session_start")
    def started(event):
        print("hanging", flush=True)
        time.sleep(3600)
"""


def next_line(process: Process) -> str:
    """Return the next line on stderr; empty when the process has ended."""
    assert process.stderr is not None
    return process.stderr.readline().decode().strip()


def finish(process: Process) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    return process.returncode, out.decode(), err.decode()


def wait_for(condition: Callable[[], bool]) -> None:
    """Look again and again, as nothing tells when another process has done something."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Return whether a process exists and is no zombie that nobody has collected yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def running_a_command(pi: Pi) -> tuple[Process, list[int]]:
    """Start a run whose bash tool waits, with a child in the background; returns both of their ids."""
    command = "sleep 3600 & echo $$ $! > pids.tmp; mv pids.tmp pids; sleep 3600"
    pi.plays(
        {"text": "Waiting.", "toolCalls": [{"name": "bash", "arguments": {"command": command}}]},
        {"text": "never said"},
    )
    pi.write("ends.py", SAYS_WHEN_IT_ENDS)
    process = pi.start(*SCRIPT, "-e", "ends.py", "-p", "one", "two")
    wait_for((pi.project / "pids").exists)
    return process, [int(pid) for pid in (pi.project / "pids").read_text().split()]


@pytest.mark.cold_start
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_ends_tools_and_their_children_in_order(number: int, status: int, pi: Pi) -> None:
    process, pids = running_a_command(pi)
    assert all(is_running(pid) for pid in pids)
    process.send_signal(number)
    assert finish(process) == (status, "", "shut down: quit\n")
    wait_for(lambda: not any(is_running(pid) for pid in pids))
    # Nothing that was said or done is missing, and no call is without its result.
    user, asked, result, answer = pi.messages("user", "assistant", "toolResult")
    assert user["content"][0]["text"] == "one"
    assert asked["content"][1]["id"] == result["toolCallId"]
    assert result["isError"] is True
    assert answer["stopReason"] == "aborted"


def test_a_signal_breaks_an_answer_off(pi: Pi) -> None:
    pi.plays({"text": "word " * 400, "tokensPerSecond": 40})
    process = pi.start(*SCRIPT, "-p", "go")
    wait_for(lambda: bool(pi.session_files()))
    wait_for(lambda: len(pi.entries()) == 4)
    process.send_signal(signal.SIGTERM)
    assert finish(process) == (143, "", "")
    assert pi.messages("assistant")[0]["stopReason"] == "aborted"


@pytest.mark.parametrize("source", [HANGS_AT_THE_START, HANGS_AT_THE_END, BLOCKS_THE_LOOP])
def test_a_second_signal_ends_it_at_once(source: str, pi: Pi) -> None:
    pi.write("hangs.py", source)
    process = pi.start("--model", "demo/echo", "-e", "hangs.py", "-p", "hello")
    assert next_line(process) == "hanging"
    if source is not HANGS_AT_THE_START:
        process.send_signal(signal.SIGHUP)
        wait_for(lambda: _has_taken(process, signal.SIGHUP))
    process.send_signal(signal.SIGTERM)
    code, _, err = finish(process)
    assert code == 143
    # Whoever waits until a handler's time is up says so.
    assert err == ""


def test_a_second_signal_leaves_no_children_behind(pi: Pi) -> None:
    pi.write("hangs.py", HANGS_AT_THE_END)
    command = "sleep 3600 & echo $! > pid"
    pi.plays({"toolCalls": [{"name": "bash", "arguments": {"command": command}}]}, {"text": "done"})
    process = pi.start(*SCRIPT, "-e", "hangs.py", "-p", "go")
    assert next_line(process) == "hanging"
    child = int((pi.project / "pid").read_text())
    assert is_running(child)
    process.send_signal(signal.SIGHUP)
    wait_for(lambda: _has_taken(process, signal.SIGHUP))
    process.send_signal(signal.SIGTERM)
    code, out, _ = finish(process)
    assert (code, out) == (143, "done\n")
    wait_for(lambda: not is_running(child))


def test_a_hangup_that_is_to_be_ignored_is_ignored(pi: Pi) -> None:
    arrived, go_on = threading.Event(), threading.Event()

    def answer(request: Request) -> Reply:
        arrived.set()
        go_on.wait(PATIENCE_SECONDS)
        chunk = {"choices": [{"delta": {"content": "still here"}, "finish_reason": "stop"}]}
        return sse_reply(sse_bytes(chunk))

    with WireServer(answer=answer) as server:
        pi.knows_server(server.url)
        process = pi.start("-p", "hello", preexec_fn=_ignore_hangups)
        assert arrived.wait(PATIENCE_SECONDS)
        process.send_signal(signal.SIGHUP)
        go_on.set()
        assert finish(process) == (0, "still here\n", "")


def _ignore_hangups() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def _has_taken(process: Process, number: int) -> bool:
    """Return whether a signal is no longer waiting to be delivered."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    waiting = [line.split()[1] for line in status.splitlines() if line.startswith("ShdPnd")]
    return not int(waiting[0], 16) >> (number - 1) & 1
