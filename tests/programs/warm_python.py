"""A Python that has imported pi and waits to be asked for processes: each is a fork that runs one module.

A process made so is what `python -m MODULE WORDS…` would be, but for its imports, which are done. Its id, its exit
status, its streams, its terminal, its environment and what signals do to it are its own. This one has a single
thread, because others do not survive a fork.

Standard input is the socket that `tests/warm_start.py` writes to. What is still running when it closes is killed.
"""

from __future__ import annotations

import atexit
import dataclasses
import fcntl
import gc
import importlib
import json
import locale
import os
import pkgutil
import runpy
import signal
import socket
import struct
import sys
import termios
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import pydantic

import pi_agent
import pi_tui

# Before each message its length, beside that the standard streams of the process that is asked for.
LENGTH: Final = struct.Struct("!I")
NUMBER: Final = struct.Struct("!q")

# What pi imports inside of functions.
_LATE: Final = ("httpx", "importlib.metadata", "jsonschema.validators", "pygments.lexers.python")
# For tests in this process, not for programs; and the server of the built-in model, which pi starts by itself, with a
# library that a small system lacks.
_UNUSED: Final = ("pi_tui.pytest_plugin", "pi_agent.llm.local.serve")
_LOCALE_VARIABLES: Final = ("LC_ALL", "LC_CTYPE", "LANG")


@dataclass(frozen=True)
class Start:
    """What a process is to be."""

    module: str
    words: Sequence[str]
    cwd: str
    environ: Mapping[str, str]
    has_terminal: bool


def main() -> None:
    """Serve, and be the process that was asked for in each fork."""
    # Whoever interrupts the tests ends this process by closing its socket.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in [*_modules_of(pi_tui), *_modules_of(pi_agent), *_LATE]:
        importlib.import_module(name)
    _complete_classes()
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]  # a process that is started has not imported it
    gc.collect()
    gc.freeze()  # what is shared with the forks stays so while nobody looks for garbage in it
    asked = _serve(socket.socket(fileno=0))
    if asked is not None:
        _become(*asked)


def _modules_of(package: ModuleType) -> Iterator[str]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__") and found.name not in _UNUSED:
            yield found.name


def _complete_classes() -> None:
    """Let classes make at once what they would make in each process when they are first used."""
    for each in gc.get_objects():
        if isinstance(each, type) and str(each.__module__).startswith(("pi_agent.", "pi_tui.")):
            dataclasses.is_dataclass(each)  # to ask is enough: `pi_tui.frozen`
            if issubclass(each, pydantic.BaseModel):
                each.model_rebuild()


def _serve(control: socket.socket) -> tuple[Start, Sequence[int]] | None:
    """Answer until the socket closes; returns in each fork, with what it is to be and its streams."""
    children: set[int] = set()
    while (request := _receive(control)) is not None:
        message, streams = request
        if "reap" in message:
            children.remove(message["reap"])
            answer = _status_of(message["reap"])
        elif (answer := os.fork()) == 0:
            control.close()
            return Start(**message), streams
        else:
            children.add(answer)
        for descriptor in streams:
            os.close(descriptor)
        control.sendall(NUMBER.pack(answer))
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    return None


def _receive(control: socket.socket) -> tuple[dict[str, Any], Sequence[int]] | None:
    head, streams, _, _ = socket.recv_fds(control, LENGTH.size, 3)
    if not head:
        return None
    (length,) = LENGTH.unpack(head)
    return json.loads(control.recv(length, socket.MSG_WAITALL)), streams


def _status_of(pid: int) -> int:
    """Return the exit status of a child that has ended; negative if a signal ended it."""
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def _become(start: Start, streams: Sequence[int]) -> None:
    """Do what the kernel and the interpreter do between the start of a process and its first line of Python."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    if start.has_terminal:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(start.cwd)
    _set_environ(start.environ)
    _open_streams()
    _set_path()
    importlib.invalidate_caches()
    sys.argv[1:] = start.words
    _run(start.module)


def _run(module: str) -> None:
    """Run a module and end as the interpreter does, but for taking the modules apart.

    That would copy all memory that is shared with the other forks.
    """
    status = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        status = end.code or 0
    threading._shutdown()  # type: ignore[attr-defined]  # as `multiprocessing` does
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _set_environ(environ: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environ)
    if not any(os.environ.get(name) for name in _LOCALE_VARIABLES):
        os.environ["LC_CTYPE"] = "C.UTF-8"  # https://peps.python.org/pep-0538/
    locale.setlocale(locale.LC_CTYPE, "")
    time.tzset()


def _set_path() -> None:
    named = [name for name in os.environ.get("PYTHONPATH", "").split(os.pathsep) if name]
    sys.path[:] = [os.getcwd(), *named, *(name for name in sys.path[1:] if name not in named)]


def _open_streams() -> None:
    """Open the streams anew, because how they buffer depends on what they are."""
    sys.stdin = os.fdopen(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))


if __name__ == "__main__":
    main()
