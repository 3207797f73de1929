"""The server of the small model as a child of this process: started when first needed, ended with it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import sys
import tempfile
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import BinaryIO, Final

from pi_agent.base.clock import within
from pi_agent.base.errors import PiError
from pi_agent.llm.local_model import LocalModel
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen

MODEL_ID: Final = "smollm2"
CONTEXT_TOKENS: Final = 8192

_PROGRAM: Final = Path(__file__).with_name("serve.py")
_START_SECONDS: Final = 120.0
_MOST_THREADS: Final = 4
_TAIL_BYTES: Final = 8192
# What stands before each line of llama.cpp's log: time since the start, and one letter.
_LOG_PREFIX: Final = re.compile(r"^[\d.]+ [A-Z] +")


@frozen
class LocalEndpoint:
    """Where the server answers, and the key it wants."""

    base_url: str
    api_key: str = field(repr=False)


class LocalServer:
    """Starts the server on a free port of this machine with a random key, and again if it has ended.

    `context` is how many tokens fit; `threads` how many cores it uses, by default all but one, up to four.
    """

    def __init__(
        self, model: LocalModel, *, context: int = CONTEXT_TOKENS, threads: int | None = None
    ) -> None:
        self._model = model
        self._context = context
        self._threads = threads or _sensible_threads()
        self._starting = asyncio.Lock()
        self._child: _Child | None = None
        self._endpoint: LocalEndpoint | None = None

    @property
    def is_running(self) -> bool:
        """Whether it answers requests."""
        return self._child is not None and self._child.process.returncode is None

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return self._child.process.pid if self._child is not None else None

    async def endpoint(self, signal: AbortSignal | None = None) -> LocalEndpoint:
        """Return where it answers; starts it if need be. Raises `PiError` and `AbortError`."""
        try:
            async with within(_START_SECONDS, signal), self._starting:
                if self._endpoint is None or not self.is_running:
                    await self.aclose()
                    self._endpoint = await self._start()
                return self._endpoint
        except TimeoutError:
            text = f"The local model did not start within {_START_SECONDS:g} seconds."
            raise PiError(text) from None

    async def why_ended(self, seconds: float) -> str | None:
        """Return the last it said if it ends within `seconds` or has ended already; else `None`."""
        child = self._child
        if child is None:
            return None
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await child.process.wait()
                return child.last_line()
        return None

    async def aclose(self) -> None:
        """End it."""
        child, self._child, self._endpoint = self._child, None, None
        if child is not None:
            await child.end()

    async def _start(self) -> LocalEndpoint:
        key = secrets.token_urlsafe(24)
        given = server_input(self._model, api_key=key, context=self._context, threads=self._threads)
        child = self._child = await self._spawn()
        try:
            address = await child.told_address(given)
        except BaseException:
            await asyncio.shield(self.aclose())
            raise
        return LocalEndpoint(f"{address}/v1", key)

    async def _spawn(self) -> _Child:
        log = tempfile.TemporaryFile()  # noqa: SIM115  # it is closed with the process
        try:
            process = await asyncio.create_subprocess_exec(
                *server_command(),
                cwd=self._model.folder,
                env=dict(self._model.server_environ()),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                # Ctrl+C is meant for the program that it belongs to, which ends it.
                start_new_session=True,
            )
        except OSError as error:
            log.close()
            raise PiError(f"The local model could not be started: {error.strerror}") from error
        return _Child(process, log)


def server_command() -> list[str]:
    """Return the command that serves; what it is to serve it reads from its input."""
    # Without -P what lies beside the program could be imported in place of other modules.
    return [sys.executable, "-P", str(_PROGRAM)]


def server_input(model: LocalModel, *, api_key: str, context: int, threads: int) -> str:
    """Return the line that the server reads first."""
    given = {
        "weights": str(model.weights),
        "model": MODEL_ID,
        "key": api_key,
        "context": context,
        "threads": threads,
    }
    return f"{json.dumps(given)}\n"


class _Child:
    """A process and its log, which no other program can read."""

    def __init__(self, process: asyncio.subprocess.Process, log: BinaryIO) -> None:
        self.process = process
        self._log = log

    async def told_address(self, given: str) -> str:
        """Tell it what it needs, and return where it answers."""
        assert self.process.stdin is not None and self.process.stdout is not None
        with suppress(ConnectionError):  # it has ended already: the log says why
            self.process.stdin.write(given.encode())
            await self.process.stdin.drain()
        line = await self.process.stdout.readline()
        if not line:
            await self.process.wait()
            raise PiError(f"The local model could not be started: {self.last_line()}")
        return line.decode().strip()

    def last_line(self) -> str:
        """Return the last line of the log, without what only a developer could read."""
        end = os.fstat(self._log.fileno()).st_size
        tail = os.pread(self._log.fileno(), _TAIL_BYTES, max(0, end - _TAIL_BYTES))
        lines = [line for line in tail.decode("utf-8", "replace").splitlines() if line.strip()]
        if lines:
            return _LOG_PREFIX.sub("", lines[-1]).strip()
        return f"it ended with status {self.process.returncode} and said nothing"

    async def end(self) -> None:
        """Kill it and wait until it is gone."""
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        self._log.close()


def _sensible_threads() -> int:
    """Leave a core to everything else: threads that wait for each other stand still when one has to wait."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, min(_MOST_THREADS, cores - 1))
