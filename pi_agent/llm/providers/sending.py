"""Sending a request until a server takes it: what is sent again, after which wait, and what a refusal says."""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from pi_agent.base.clock import Clock, within
from pi_agent.base.errors import PiError
from pi_agent.base.http import HttpClient, HttpResponse, NetworkError
from pi_agent.llm.providers.failures import status_text
from pi_agent.llm.stream import StreamOptions
from pi_tui.frozen import frozen

_MAX_ERROR_BYTES = 65_536
_RETRYABLE = frozenset({408, 409, 429})
_FIRST_DELAY = 0.5
_LONGEST_DELAY = 8.0
_JITTER = 0.25


class RefusedError(PiError):
    """The server answered with a status of failure. `delay` is how many seconds it asked to be left alone."""

    def __init__(self, message: str, delay: float | None = None) -> None:
        super().__init__(message)
        self.delay = delay


@frozen
class OutgoingRequest:
    """A request as it goes out."""

    url: str
    headers: Mapping[str, str]
    body: bytes


class Sender:
    """Posts requests. `jitter` gives numbers from 0 to 1, so that many clients do not come back at once."""

    def __init__(
        self, http: HttpClient, clock: Clock, jitter: Callable[[], float] = random.random
    ) -> None:
        self._http = http
        self._clock = clock
        self._jitter = jitter

    @asynccontextmanager
    async def accepted(
        self, request: OutgoingRequest, options: StreamOptions
    ) -> AsyncIterator[HttpResponse]:
        """Give the response of a server that took the request.

        Raises `RefusedError`, `NetworkError` and `AbortError`. What breaks later is not sent again: part of the
        answer has been seen.
        """
        attempt = 0
        while True:
            is_accepted = False
            delay: float | None = None
            try:
                async with self._http.stream(
                    "POST",
                    request.url,
                    headers=request.headers,
                    body=request.body,
                    idle_timeout=options.timeout or None,
                    header_timeout=options.header_timeout or None,
                    signal=options.signal,
                ) as response:
                    if 200 <= response.status < 300:
                        is_accepted = True
                        yield response
                        return
                    delay = await self._delay_after_refusal(response, options, attempt)
            except NetworkError:
                if is_accepted or attempt >= options.max_retries:
                    raise
            async with within(None, options.signal):
                await self._clock.sleep(self._backoff(attempt) if delay is None else delay)
            attempt += 1

    async def _delay_after_refusal(
        self, response: HttpResponse, options: StreamOptions, attempt: int
    ) -> float | None:
        """Return the wait that the server asked for; raises `RefusedError` if it is not to be asked again."""
        text = status_text(response.status, await response.read(_MAX_ERROR_BYTES))
        if not _may_be_sent_again(response):
            raise RefusedError(text)
        delay = requested_delay(response.headers, self._clock.now())
        most = options.max_retry_delay
        if delay is not None and most and delay > most:
            raise RefusedError(f"Server requested {delay:g}s retry delay (max: {most:g}s). {text}")
        if attempt >= options.max_retries:
            raise RefusedError(text, delay)
        return delay

    def _backoff(self, attempt: int) -> float:
        delay = min(math.ldexp(_FIRST_DELAY, attempt), _LONGEST_DELAY)
        return delay * (1 - _JITTER * self._jitter())


def requested_delay(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that a server asks to be left alone; `None` if it does not, or not readably."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or value is None:
        return seconds
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, round(parsedate_to_datetime(value).timestamp() - now, 3))
    except (ValueError, OverflowError):
        return None


def _may_be_sent_again(response: HttpResponse) -> bool:
    said = response.headers.get("x-should-retry")
    if said in ("true", "false"):
        return said == "true"
    return response.status in _RETRYABLE or response.status >= 500


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None
