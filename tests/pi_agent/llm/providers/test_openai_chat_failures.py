"""Whatever goes wrong, an answer ends with one `error` event that says what happened, without keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pi_agent.llm.messages import text_of
from pi_agent.llm.model import Model
from pi_agent.llm.stream import StreamError, StreamOptions
from tests.pi_agent.llm.chat import ask, chat_model, final
from tests.wire_server import (
    DROP,
    STALL,
    Piece,
    Reply,
    WireServer,
    chunked_reply,
    json_reply,
    reply,
    sse_bytes,
    sse_reply,
)

pytestmark = pytest.mark.anyio

KEY = "sk-very-secret-1234"
SO_FAR = sse_bytes({"choices": [{"delta": {"content": "so far"}}]}, done=False)


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


async def failure(server: WireServer, told: Reply, *, timeout: float = 20) -> str:
    """Return the error text of an answer that must fail."""
    server.queue(told)
    events = await ask(server, options=StreamOptions(api_key=KEY, timeout=timeout))
    message = final(events)
    assert isinstance(events[-1], StreamError)
    assert events[-1].reason == message.stop_reason == "error"
    assert message.error_message
    assert KEY not in message.error_message
    return message.error_message


@pytest.mark.parametrize(
    ("status", "body", "text"),
    [
        (500, b'{"error":{"message":"it broke","code":500}}', "500: it broke"),
        (400, b'{"error":"plain"}', "400: plain"),
        (400, b'{"message":"flat"}', "400: flat"),
        (422, b'{"detail":[{"msg":"field required"}]}', "422: field required"),
        (400, b'[{"error":{"message":"in a list"}}]', "400: in a list"),
        (
            502,
            b"<html><head><title>502 Bad\n Gateway</title></head></html>",
            "502: 502 Bad Gateway",
        ),
        (503, b"just text", "503: just text"),
        (500, b"", "500: Internal Server Error"),
        (529, b" ", "529: the body is empty"),
        (500, b'{"odd": 1}', '500: {"odd": 1}'),
        (
            429,
            b'{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}',
            "429: You exceeded your quota (insufficient_quota)",
        ),
        (
            400,
            b'{"error":{"code":400,"message":"request (20031 tokens) exceeds the available context '
            b'size (8192 tokens)","type":"exceed_context_size_error","n_ctx":8192}}',
            "400: request (20031 tokens) exceeds the available context size (8192 tokens) "
            "(exceed_context_size_error)",
        ),
        (
            502,
            b'{"error":{"message":"Provider returned error","metadata":{"raw":"upstream is busy"}}}',
            "502: Provider returned error (upstream is busy)",
        ),
    ],
)
async def test_a_refused_request_says_status_and_reason(
    server: WireServer, status: int, body: bytes, text: str
) -> None:
    assert await failure(server, reply(status, body)) == text


async def test_a_long_body_is_cut(server: WireServer) -> None:
    text = await failure(server, reply(500, b"x" * 1_000_000))
    assert len(text) < 4100


async def test_a_redirect_is_not_followed_with_the_key(server: WireServer) -> None:
    text = await failure(server, reply(307, b"", {"Location": "http://127.0.0.1:9/"}))
    assert text.startswith("307: ")


async def test_keys_that_a_server_repeats_are_removed(server: WireServer) -> None:
    body = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    assert await failure(server, json_reply(body, 401)) == "401: Incorrect API key provided: ***"


async def test_keys_in_headers_are_removed(server: WireServer) -> None:
    server.queue(reply(400, b"bad key my-other-secret"))
    options = StreamOptions(headers={"X-Api-Key": "my-other-secret"})
    assert final(await ask(server, options=options)).error_message == "400: bad key ***"


@pytest.mark.parametrize("resets", [True, False])
async def test_a_connection_that_drops_in_the_middle(server: WireServer, resets: bool) -> None:
    without_end = chunked_reply(SO_FAR, DROP).pieces
    server.queue(Reply(without_end if resets else without_end[:-1]))
    message = final(await ask(server))
    assert (message.error_message or "").startswith("Connection lost: ")
    # A reset may overtake what was sent before it.
    assert text_of(message.content) == "so far" or resets


async def test_a_server_that_is_not_there() -> None:
    with WireServer() as gone:
        pass
    text = final(await ask(gone)).error_message
    assert text == (
        f"Connection error: All connection attempts failed: connect ECONNREFUSED 127.0.0.1:{gone.port}"
    )


@pytest.mark.parametrize("pieces", [(), (SO_FAR,)])
async def test_a_server_that_says_nothing_for_too_long(
    server: WireServer, pieces: tuple[Piece, ...]
) -> None:
    told = sse_reply(*pieces, STALL) if pieces else Reply([STALL])
    text = await failure(server, told, timeout=0.05)
    assert text == "Request timed out: nothing came for 0.05 s"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"", "stream ended without any data: the body of the response is empty"),
        (b": ping\n\n", "stream ended without any data: the body of the response is empty"),
        (b"data: [DONE]\n\n", "stream ended without any data: the body of the response is empty"),
        (b'{"choices": [', 'The server sent no event stream: {"choices": ['),
        (
            b'{"error":{"message":"no such model"}}',
            "The server sent no event stream: no such model",
        ),
        (b"<html><title>Log in</title></html>", "The server sent no event stream: Log in"),
        (b'error: {"code":500,"message":"oops"}\n\n', "The server sent no event stream: oops"),
        (b"data: {nonsense\n\n", "The server sent an event that is not JSON: {nonsense"),
        (
            b"data: " + b"x" * 5000 + b"\n\n",
            "The server sent an event that is not JSON: " + "x" * 200,
        ),
        (b'data: {"error":{"message":"overloaded","code":503}}\n\n', "503: overloaded"),
        (b'data: {"error":"stopped"}\n\n', "stopped"),
        (b'event: error\ndata: {"message":"went away"}\n\n', "went away"),
        (SO_FAR, "stream ended without finish_reason"),
        (SO_FAR + b"data: [DONE]\n\n", "stream ended without finish_reason"),
        (SO_FAR + b'error: {"message":"oops"}\n', "stream ended without finish_reason: oops"),
        (SO_FAR + b"data: {cut", "The server sent an event that is not JSON: {cut"),
    ],
)
async def test_an_answer_that_is_none(server: WireServer, body: bytes, text: str) -> None:
    assert await failure(server, sse_reply(body)) == text


async def test_text_before_an_error_in_the_same_bytes_is_still_told(server: WireServer) -> None:
    server.queue(sse_reply(SO_FAR + b'data: {"error":"stopped"}\n\n'))
    events = await ask(server)
    assert [event.type for event in events] == ["start", "text_start", "text_delta", "error"]
    assert text_of(final(events).content) == "so far"


@pytest.mark.parametrize("reason", ["content_filter", "network_error", "whatever"])
async def test_other_reasons_to_stop_are_errors_that_name_them(
    server: WireServer, reason: str
) -> None:
    stream = sse_bytes({"choices": [{"delta": {"content": "x"}, "finish_reason": reason}]})
    server.queue(sse_reply(stream))
    message = final(await ask(server))
    assert message.error_message == f"The provider ended the answer with finish_reason {reason}"
    assert message.raw_stop_reason == reason


@pytest.mark.parametrize("end", [DROP, STALL])
async def test_an_answer_whose_end_has_come_is_complete_though_the_connection_breaks(
    server: WireServer, end: Piece
) -> None:
    stop = sse_bytes({"choices": [{"delta": {}, "finish_reason": "stop"}]}, done=False)
    told = chunked_reply(SO_FAR, stop, end)
    server.queue(told if end is STALL else Reply(told.pieces[:-1]))
    message = final(await ask(server, options=StreamOptions(timeout=0.8)))
    assert (message.stop_reason, text_of(message.content)) == ("stop", "so far")


async def test_a_hook_that_fails_ends_the_answer(server: WireServer) -> None:
    async def hook(payload: dict[str, Any], model: Model) -> None:
        raise RuntimeError(f"no idea about {KEY}")

    options = StreamOptions(api_key=KEY, on_payload=hook)
    message = final(await ask(server, options=options))
    assert message.error_message == "RuntimeError: no idea about ***"
    assert server.requests == []


async def test_a_wrong_compat_value_is_named(server: WireServer) -> None:
    model = chat_model(server, compat={"maxTokensField": "max"})
    text = final(await ask(server, model)).error_message or ""
    assert text.startswith("compat.maxTokensField of local/smollm2: ")
