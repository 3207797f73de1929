"""Start a command in a process group of its own, stream what it prints, stop the whole group.

A command is over when it has exited *and* its output is at its end or has been silent for a moment:
children left in the background may hold the pipe for hours. They stay registered with their
`ProcessGroups`, which kills them when the program ends.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal as signals
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen

SILENCE_SECONDS = 0.1
# What an escaped child may still say after its group was killed.
DRAIN_SECONDS = 1.0
CHUNK_BYTES = 256 * 1024

_log = logging.getLogger("pi.process")

Ended = Literal["exited", "aborted", "timed_out"]
# Awaited before more is read: whoever is slow slows the command.
OutputReader = Callable[[bytes], Awaitable[None]]


@frozen
class CommandResult:
    """How a command ended. Death by signal n is exit code 128 + n.

    `exited_after` is when the command itself had exited, in seconds from its start; `None` if it had to
    be killed.
    """

    ended: Ended
    exit_code: int
    exited_after: float | None


class ProcessGroups:
    """The process groups that this program started; owns them to the end."""

    def __init__(self) -> None:
        self._alive: set[int] = set()

    def add(self, group: int) -> None:
        """Take responsibility for a group."""
        self._alive.add(group)

    def release(self, group: int) -> None:
        """Forget a group once none of its processes is left; keep it otherwise."""
        if not group_exists(group):
            self._alive.discard(group)

    def kill_all(self) -> None:
        """Kill what is still running. Safe to call at any time, also without a running loop."""
        groups, self._alive = self._alive, set()
        for group in groups:
            if _is_own_session(group):
                kill_group(group)


async def run_command(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    on_output: OutputReader,
    groups: ProcessGroups,
    signal: AbortSignal | None = None,
    timeout: float | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> CommandResult:
    """Run a command to its end, or to an abort or timeout, which kill its whole group.

    Input is empty; standard output and error are one stream in order of arrival. Raises `OSError` if it
    cannot be started.
    """
    command = _Command(groups, monotonic)
    await command.start(argv, cwd, env)
    unsubscribe = signal.on_abort(lambda: command.stop("aborted")) if signal else lambda: None
    loop = asyncio.get_running_loop()
    timer = None
    if timeout is not None:
        timer = loop.call_later(timeout, command.stop, "timed_out")
    try:
        return await command.read_to_end(on_output)
    finally:
        unsubscribe()
        if timer is not None:
            timer.cancel()
        command.close()


def kill_group(group: int) -> None:
    """Kill every process of a group; one that is gone already is no error."""
    try:
        os.killpg(group, signals.SIGKILL)
    except ProcessLookupError:
        pass
    except PermissionError:
        _log.warning("process group %d may not be killed", group)


def group_exists(group: int) -> bool:
    """Return whether a process group still has members."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class _Command:
    """One running command and the read end of its output."""

    def __init__(self, groups: ProcessGroups, monotonic: Callable[[], float]) -> None:
        self._groups = groups
        self._monotonic = monotonic
        self._ended: Ended = "exited"
        self._exited_after: float | None = None
        self._stopped = asyncio.Event()

    async def start(self, argv: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        loop = asyncio.get_running_loop()
        self._output = asyncio.StreamReader(limit=CHUNK_BYTES, loop=loop)
        read_end, write_end = os.pipe()
        self._pipe, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(self._output, loop=loop),
            os.fdopen(read_end, "rb", 0),
        )
        try:
            # Not `stdout=PIPE`: asyncio's `wait()` would then wait for the pipe as well.
            self._process = await asyncio.create_subprocess_exec(
                *argv,
                cwd=cwd,
                env=dict(env),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=write_end,
                stderr=write_end,
                start_new_session=True,
            )
        except BaseException:
            self._pipe.close()
            raise
        finally:
            os.close(write_end)
        self._started = self._monotonic()
        self._groups.add(self._process.pid)

    def stop(self, why: Ended) -> None:
        """Kill the group; the first reason counts."""
        if self._stopped.is_set():
            return
        self._ended = why
        self._stopped.set()
        kill_group(self._process.pid)

    async def read_to_end(self, on_output: OutputReader) -> CommandResult:
        exited = asyncio.ensure_future(self._wait())
        stopped = asyncio.ensure_future(self._stopped.wait())
        reading = asyncio.ensure_future(self._output.read(CHUNK_BYTES))
        draining = False
        try:
            while True:
                waiting = {reading, *(() if exited.done() else (exited,))}
                if not stopped.done():
                    waiting.add(stopped)
                elif not draining:
                    draining = True
                    deadline = asyncio.get_running_loop().time() + DRAIN_SECONDS
                quiet = SILENCE_SECONDS if exited.done() else None
                done, _ = await asyncio.wait(
                    waiting, timeout=quiet, return_when=asyncio.FIRST_COMPLETED
                )
                if not done:
                    break
                if reading in done:
                    chunk = reading.result()
                    if not chunk:
                        break
                    await on_output(chunk)
                    if draining and asyncio.get_running_loop().time() > deadline:
                        break
                    reading = asyncio.ensure_future(self._output.read(CHUNK_BYTES))
            # A command may close its output long before it ends.
            return CommandResult(self._ended, await exited, self._exited_after)
        finally:
            for task in (exited, stopped, reading):
                task.cancel()

    async def _wait(self) -> int:
        code = await self._process.wait()
        if not self._stopped.is_set():
            self._exited_after = self._monotonic() - self._started
        return code if code >= 0 else 128 - code

    def close(self) -> None:
        """Leave nothing of the command's own behind; background children stay with their owner."""
        self._pipe.close()
        if self._process.returncode is None:
            kill_group(self._process.pid)
        self._groups.release(self._process.pid)


def _is_own_session(group: int) -> bool:
    """Return whether a member of the group is in the session we made: numbers are used again."""
    processes = Path("/proc")
    if not processes.is_dir():
        return True
    for stat in processes.glob("[0-9]*/stat"):
        try:
            fields = stat.read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and int(fields[3]) == group:
            return True
    return False
