"""What a server refuses for now is sent again, after the wait it asks for; the rest fails at once and says why."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import pytest

from pi_agent.base.clock import ManualClock
from pi_agent.base.http import USER_AGENT, HttpClient
from pi_agent.llm.messages import AssistantMessage, text_of
from pi_agent.llm.providers.openai_chat import OpenAiChat
from pi_agent.llm.providers.sending import OutgoingRequest, RefusedError, Sender, requested_delay
from pi_agent.llm.retry import is_retryable, requested_delay_ms
from pi_agent.llm.stream import StreamOptions
from pi_tui.abort import AbortController
from tests.pi_agent.llm.chat import asking, chat_model, final
from tests.wire_server import DROP, STALL, Reply, WireServer, reply, sse_bytes, sse_reply

pytestmark = pytest.mark.anyio

NOW = 1_767_225_600.0
FINE = sse_reply(sse_bytes({"choices": [{"delta": {"content": "fine"}, "finish_reason": "stop"}]}))


class Recorded(ManualClock):
    """A clock whose sleeps end at once and are written down."""

    def __init__(self) -> None:
        super().__init__(NOW)
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


async def ask(
    server: WireServer, clock: ManualClock | None = None, **options: Any
) -> AssistantMessage:
    """Return the final message of one answer."""
    http = HttpClient({})
    try:
        speak = OpenAiChat(http, clock or Recorded())
        given = StreamOptions(**{"timeout": 20} | options)
        return final([event async for event in speak(chat_model(server), asking(), given)])
    finally:
        await http.aclose()


def refusal(status: int, **headers: str) -> Reply:
    return reply(
        status, b"not now", {name.replace("_", "-"): value for name, value in headers.items()}
    )


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
async def test_a_request_is_sent_again_until_it_is_taken(server: WireServer, status: int) -> None:
    clock = Recorded()
    server.queue(refusal(status), refusal(status), FINE)
    message = await ask(server, clock, max_retries=2)
    assert text_of(message.content) == "fine"
    assert len({request.body for request in server.requests}) == 1
    assert len(server.requests) == 3
    first, second = clock.slept
    assert 0.375 <= first <= 0.5
    assert 0.75 <= second <= 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
async def test_what_is_wrong_with_the_request_is_not_sent_again(
    server: WireServer, status: int
) -> None:
    server.queue(refusal(status))
    message = await ask(server, max_retries=5)
    assert message.error_message == f"{status}: not now"
    assert len(server.requests) == 1


async def test_by_default_nothing_is_sent_again(server: WireServer) -> None:
    server.queue(refusal(503))
    assert (await ask(server)).error_message == "503: not now"
    assert len(server.requests) == 1


async def test_the_last_refusal_is_the_one_that_is_told(server: WireServer) -> None:
    server.queue(refusal(503), refusal(500))
    assert (await ask(server, max_retries=1)).error_message == "500: not now"


@pytest.mark.parametrize(("status", "said", "requests"), [(400, "true", 2), (503, "false", 1)])
async def test_a_server_that_knows_better_is_believed(
    server: WireServer, status: int, said: str, requests: int
) -> None:
    server.queue(refusal(status, x_should_retry=said), FINE)
    await ask(server, max_retries=1)
    assert len(server.requests) == requests


async def test_a_connection_that_breaks_before_the_answer_is_made_again(server: WireServer) -> None:
    clock = Recorded()
    server.queue(Reply([DROP]), FINE)
    assert text_of((await ask(server, clock, max_retries=1)).content) == "fine"
    assert len(clock.slept) == 1


async def test_a_server_that_does_not_begin_is_asked_again(server: WireServer) -> None:
    server.queue(Reply([STALL]), FINE)
    message = await ask(server, max_retries=1, header_timeout=0.8)
    assert text_of(message.content) == "fine"


async def test_the_limit_for_the_beginning_does_not_cut_the_answer(server: WireServer) -> None:
    half = sse_bytes({"choices": [{"delta": {"content": "half"}}]}, done=False)
    server.queue(sse_reply(half, STALL))
    message = await ask(server, header_timeout=5, timeout=0.8)
    assert message.error_message == "Request timed out: nothing came for 0.8 s"
    assert text_of(message.content) == "half"


async def test_an_answer_that_breaks_in_the_middle_is_not_asked_for_twice(
    server: WireServer,
) -> None:
    half = sse_bytes({"choices": [{"delta": {"content": "half"}}]}, done=False)
    server.queue(sse_reply(half))
    message = await ask(server, max_retries=3)
    assert (message.stop_reason, text_of(message.content)) == ("error", "half")
    assert len(server.requests) == 1


def date_in(seconds: int) -> str:
    return format_datetime(datetime.fromtimestamp(NOW + seconds, UTC), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "delay"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "0"}, 0),
        ({"retry-after": date_in(30)}, 30),
        ({"retry-after": date_in(-30)}, 0),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "7"}, 7),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_the_wait_is_read_in_every_form(headers: dict[str, str], delay: float | None) -> None:
    assert requested_delay(headers, NOW) == delay


async def test_the_wait_that_is_asked_for_is_kept(server: WireServer) -> None:
    clock = Recorded()
    server.queue(
        refusal(429, retry_after="7"),
        refusal(429, retry_after=date_in(30)),
        refusal(429, retry_after_ms="1500"),
        FINE,
    )
    await ask(server, clock, max_retries=3)
    assert clock.slept == [7, 30, 1.5]


async def test_a_wait_that_is_too_long_fails_at_once_and_may_be_tried_later(
    server: WireServer,
) -> None:
    clock = Recorded()
    server.queue(refusal(429, retry_after="120"))
    message = await ask(server, clock, max_retries=3)
    assert message.error_message == "Server requested 120s retry delay (max: 60s). 429: not now"
    assert clock.slept == []
    assert is_retryable(message)
    server.queue(refusal(429, retry_after="120"), FINE)
    assert text_of((await ask(server, clock, max_retries=1, max_retry_delay=0)).content) == "fine"
    assert clock.slept == [120]


async def test_a_failure_keeps_the_wait_for_whoever_asks_again(server: WireServer) -> None:
    server.queue(refusal(429, retry_after="7"), refusal(503))
    assert requested_delay_ms(await ask(server)) == 7000
    assert requested_delay_ms(await ask(server)) == 0


async def test_an_abort_ends_the_wait(server: WireServer) -> None:
    clock, controller = ManualClock(), AbortController()
    server.queue(refusal(429, retry_after="7"))
    asked = asyncio.create_task(ask(server, clock, max_retries=3, signal=controller.signal))
    await clock.until_sleeping()
    controller.abort()
    message = await asked
    assert (message.stop_reason, message.error_message) == ("aborted", "Request was aborted")
    assert len(server.requests) == 1
    assert clock.sleeping == 0


@pytest.mark.parametrize(("jitter", "delays"), [(0.0, [0.5, 1, 2, 4, 8, 8]), (1.0, [0.375, 0.75])])
async def test_own_waits_double_up_to_a_limit(
    server: WireServer, jitter: float, delays: list[float]
) -> None:
    clock = Recorded()
    server.answer = lambda request: refusal(503)
    http = HttpClient({})
    request = OutgoingRequest(f"{server.url}/", {}, b"")
    with pytest.raises(RefusedError, match="503"):
        async with Sender(http, clock, lambda: jitter).accepted(
            request, StreamOptions(max_retries=len(delays))
        ):
            pass
    await http.aclose()
    assert clock.slept == delays


async def test_every_request_says_who_asks(server: WireServer) -> None:
    server.queue(FINE)
    await ask(server)
    assert server.requests[0].headers["user-agent"] == USER_AGENT
    assert USER_AGENT.startswith("pi/")
