"""A failure is worth another try if it says that it will pass; a quota, a wrong key or a long prompt does not."""

from __future__ import annotations

import pytest

from pi_agent.llm.messages import AssistantMessage
from pi_agent.llm.retry import is_retryable, requested_delay_ms

PASSING = [
    "429: Too Many Requests",
    "500: Internal Server Error",
    "502: 502 Bad Gateway",
    "503: the body is empty",
    "504: Gateway Time-out",
    "520: ",
    "524: ",
    "529: the body is empty",
    "HTTP 503 from the gateway",
    "Error (status 500).",
    "The model is overloaded, try another one",
    "model is BUSY",
    "We are experiencing high demand",
    "The engine is currently at capacity",
    "Rate limit reached for requests",
    "rate_limit_exceeded",
    "400: Provider returned error (upstream is busy)",
    "The server had an error while processing your request. Please retry.",
    "Connection error: All connection attempts failed: connect ECONNREFUSED 127.0.0.1:9",
    "Connection lost: peer closed connection without sending complete message body",
    "Connection error: getaddrinfo ENOTFOUND no.such.host",
    "getaddrinfo EAI_AGAIN api.example.com",
    "Request timed out: nothing came for 300 s",
    "fetch failed",
    "terminated",
    "socket hang up",
    "write EPIPE",
    "websocket closed 1006",
    "stream ended without finish_reason",
    "stream ended before message_stop",
    "stream disconnected",
    "The provider ended the answer with finish_reason network_error",
    "Server requested 120s retry delay (max: 60s). 429: slow down",
]
LASTING = [
    "429: You exceeded your current quota (insufficient_quota)",
    "429: quota has been exceeded for this month",
    "429: please check your plan and billing details",
    "503: you are out of budget",
    "429: insufficient available balance",
    "429: monthly usage limit reached",
    "429: FreeUsageLimitError",
    "500: code 1308",
    "400: bad request",
    "401: Incorrect API key provided",
    "403: forbidden",
    "404: no such model",
    "400: max_tokens must be at least 500",
    "401: wrong key (request 7c-503-1f, req_500)",
    "the request 429f-500-ab was refused",
    "no model v1.503.2",
    "429: request (20031 tokens) exceeds the available context size (8192 tokens)",
    "500: prompt is too long: 210000 tokens",
    "The server sent an event that is not JSON: {oops",
    "",
]


def failed(text: str) -> AssistantMessage:
    return AssistantMessage(stop_reason="error", error_message=text)


@pytest.mark.parametrize("text", PASSING)
def test_what_passes_is_tried_again(text: str) -> None:
    assert is_retryable(failed(text))


@pytest.mark.parametrize("text", LASTING)
def test_what_stays_is_not(text: str) -> None:
    assert not is_retryable(failed(text))


def test_only_failures_are_tried_again() -> None:
    for reason in ("stop", "length", "toolUse", "aborted"):
        message = AssistantMessage.from_wire({"stopReason": reason, "errorMessage": "overloaded"})
        assert not is_retryable(message)


@pytest.mark.parametrize(
    ("noted", "delay"),
    [({"retryAfterMs": 1500}, 1500), ({"retryAfterMs": "soon"}, 0), ({}, 0), (None, 0), ([1], 0)],
)
def test_the_wait_that_a_server_asked_for_is_read_from_the_message(
    noted: object, delay: int
) -> None:
    message = AssistantMessage(stop_reason="error", diagnostics=noted)
    assert requested_delay_ms(message) == delay
