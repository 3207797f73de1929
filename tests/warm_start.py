"""Start programs without waiting for their imports, which are the same each time.

Importing pi costs more than most of what a test asks of it. So one process (`tests/programs/warm_python.py`) has
done it, and forks into each program that is asked for. What runs then has an id, a status, streams and signals of
its own, as any process has. Only who looks at the start itself sees a difference: what it loads, what Python reads
from its environment, what a signal does in the middle of it. Such tests carry the mark `cold_start`, and `make soak`
starts everything cold.

What a fork cannot do (another interpreter, `preexec_fn`, streams as text) starts cold without being told, and so does
all where the system has no descriptors of processes.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar

from tests.programs.warm_python import LENGTH, NUMBER
from tests.warm_process import Pipe, WarmProcess, can_watch_processes

ROOT = Path(__file__).resolve().parents[1]

_OPTIONS = {"cwd", "env", "stdin", "stdout", "stderr"}
_LOCALE_VARIABLES = ("LC_ALL", "LC_CTYPE", "LANG")

Process = subprocess.Popen[bytes] | WarmProcess
# What `subprocess.Popen` takes for a stream.
Stream = int | IO[bytes]


class WarmStarts:
    """Whether processes may start warm from now on; `tests/conftest.py` decides for each test."""

    allowed = True


def start_process(argv: Sequence[str | Path], **options: Any) -> Process:
    """Start a command as `subprocess.Popen` with these options does, warm if that can be."""
    if can_start_warm(argv, options["env"], options):
        return start_warm(argv, **options)
    return subprocess.Popen(argv, **options)


def can_start_warm(
    argv: Sequence[str | Path], env: Mapping[str, str], options: Collection[str] = ()
) -> bool:
    """Return whether a fork can be what `subprocess.Popen` would start with these options."""
    return (
        WarmStarts.allowed
        and tuple(argv[:2]) == (sys.executable, "-m")
        and _OPTIONS.issuperset(options)
        and not any(name.startswith("PYTHON") for name in env.keys() - {"PYTHONPATH"})
        and _has_utf8(env)
        and can_watch_processes()
    )


def start_warm(
    argv: Sequence[str | Path],
    *,
    cwd: Path | None,
    env: Mapping[str, str],
    stdin: Stream,
    stdout: Stream,
    stderr: Stream,
    has_terminal: bool = False,
) -> WarmProcess:
    """Start `python -m MODULE WORDS…`; with `has_terminal` it leads a session on the terminal that is its input."""
    _, _, module, *words = map(str, argv)
    request = {
        "module": module,
        "words": words,
        "cwd": str(cwd or Path.cwd()),
        "environ": dict(env),
        "has_terminal": has_terminal,
    }
    python = WarmPython.running()
    ends = [_ends(stdin, is_input=True), _ends(stdout), _ends(stderr)]
    try:
        pid = python.ask(request, [theirs for theirs, _ in ends])
    finally:
        for theirs, _ in ends:
            os.close(theirs)
    return WarmProcess(pid, [ours for _, ours in ends], lambda pid: python.ask({"reap": pid}))


class WarmPython:
    """The process that has imported pi, and the socket to ask it on."""

    _running: ClassVar[WarmPython | None] = None

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.programs.warm_python"],
                cwd=ROOT,
                env={},
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
            )

    @classmethod
    def running(cls) -> WarmPython:
        """Return the one that serves all tests of this process; it ends with it."""
        if cls._running is None:
            cls._running = cls()
            atexit.register(cls._running.close)
        return cls._running

    def ask(self, message: Mapping[str, Any], streams: Sequence[int] = ()) -> int:
        """Send a message with descriptors beside it, and return the answer."""
        data = json.dumps(message).encode()
        with self._lock:
            try:
                socket.send_fds(self._socket, [LENGTH.pack(len(data))], streams)
                self._socket.sendall(data)
                answer = self._socket.recv(NUMBER.size, socket.MSG_WAITALL)
            except BaseException:
                self.close()  # what comes next on the socket would be the answer to this
                raise
        if not answer:
            raise RuntimeError("The process that starts others has ended; stderr says why.")
        number: int = NUMBER.unpack(answer)[0]
        return number

    def close(self) -> None:
        """End it, and all that it has started."""
        self._socket.close()
        self._process.wait()
        WarmPython._running = None


def _ends(stream: Stream, *, is_input: bool = False) -> tuple[int, Pipe]:
    """Return the descriptor for the process, and for a pipe its other end."""
    if stream == subprocess.DEVNULL:
        return os.open(os.devnull, os.O_RDWR), None
    if stream != subprocess.PIPE:
        return os.dup(stream if isinstance(stream, int) else stream.fileno()), None
    reading, writing = os.pipe()
    if is_input:
        return reading, open(writing, "wb")
    return writing, open(reading, "rb")


def _has_utf8(env: Mapping[str, str]) -> bool:
    names = (env[name] for name in _LOCALE_VARIABLES if env.get(name))
    encoding = next(names, "utf-8").rpartition(".")[2]
    return encoding.lower() in ("utf-8", "utf8")
