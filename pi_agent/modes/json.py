"""JSON mode: the session's header, then every event, one JSON object a line on standard output."""

from __future__ import annotations

import asyncio
import json
import os
import select
from typing import Final, TextIO

from pi_agent.base.jsonl import encode_line
from pi_agent.base.wire import JsonObject
from pi_agent.extensions.context import Mode
from pi_agent.host.services import Services
from pi_agent.loop.events import AgentEvent
from pi_agent.modes.stderr import Stderr
from pi_agent.modes.wire_events import event_to_wire

# So long a slow reader has to take what is left once the process has been asked to end.
_GRACE_SECONDS: Final = 2.0


class JsonOutput:
    """Writes a line for each event; a slow reader slows the run down. Failures are told in events."""

    mode: Mode = "json"

    def __init__(self, out: TextIO, err: Stderr) -> None:
        self.is_closed = False
        self._descriptor = out.fileno()
        self._is_terminal = out.isatty()
        self._err = err
        self._status = 0
        self._services: Services | None = None
        self._writing = asyncio.Lock()
        self._given_up = asyncio.Event()

    async def begin(self, services: Services) -> None:
        """Write the header."""
        self._services = services
        await self._write(services.conversation.session.get_header().raw)

    async def take(self, event: AgentEvent) -> None:
        """Write an event."""
        wire = event_to_wire(event)
        if wire is not None:
            await self._write(wire)

    def prompt_done(self, number: int, count: int) -> None:
        """Say nothing: the events have told it."""

    def signalled(self) -> None:
        """Wait for the reader a little longer, and then no more."""
        asyncio.get_running_loop().call_later(_GRACE_SECONDS, self._given_up.set)

    def finish(self) -> int:
        """Return 0 unless something could not be written."""
        return self._status

    async def _write(self, wire: JsonObject) -> None:
        async with self._writing:
            if self.is_closed:
                return
            try:
                await self._put(self._line(wire))
            except BrokenPipeError:
                self._close()  # whoever reads it has seen enough
            except OSError as error:
                self._status = 1
                self._err.error(
                    f"The events could not be written to standard output: {error.strerror}"
                )
                self._close()

    def _line(self, wire: JsonObject) -> bytes:
        if self._is_terminal:  # which may act on some characters that JSON leaves as they are
            return json.dumps(wire, separators=(",", ":")).encode() + b"\n"
        return encode_line(wire)

    async def _put(self, line: bytes) -> None:
        """Write a line, on another thread if it may have to wait for the reader."""
        if len(line) <= select.PIPE_BUF and select.select([], [self._descriptor], [], 0)[1]:
            _write_all(self._descriptor, line)
            return
        writing = asyncio.create_task(asyncio.to_thread(_write_all, self._descriptor, line))
        giving_up = asyncio.create_task(self._given_up.wait())
        try:
            await asyncio.wait({writing, giving_up}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            giving_up.cancel()
        if writing.done():
            writing.result()
        else:
            self._close()

    def _close(self) -> None:
        """Nobody reads: what is asked now is asked for nobody."""
        self.is_closed = True
        if self._services is not None:
            self._services.conversation.request_abort()


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
