"""A bad day of a server, seen by whoever runs pi: what is asked again, what is not, and what is said."""

from __future__ import annotations

import json
import signal

import pytest

from tests.pi_agent.modes.test_json import records
from tests.pi_agent.modes.test_text_wire import HALF, answer, asked
from tests.pi_process import Pi
from tests.wire_server import STALL, Reply, WireServer, json_reply, reply, sse_bytes, sse_reply

KEY = "sk-test-0123456789"
NOTHING_TO_COMPACT = (
    "Warning: Context overflow recovery failed: Nothing to compact (session too small)\n"
)
TOO_LONG = {
    "error": {
        "code": 400,
        "message": "request (20031 tokens) exceeds the available context size (8192 tokens)",
        "type": "exceed_context_size_error",
    }
}


def refusal(status: int, text: str, **headers: str) -> Reply:
    body = json.dumps({"error": {"message": text}}).encode()
    return reply(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (
            refusal(401, f"Incorrect API key provided: {KEY}"),
            "401: Incorrect API key provided: ***",
        ),
        (refusal(403, "not allowed"), "403: not allowed"),
        (json_reply(TOO_LONG, 400), "400: request (20031 tokens) exceeds"),
        (refusal(429, "You exceeded your current quota"), "429: You exceeded your current quota"),
    ],
    ids=["401", "403", "overflow", "quota"],
)
def test_what_no_waiting_mends_is_told_at_once(told: Reply, said: str, pi: Pi) -> None:
    with WireServer() as server:
        pi.knows_server(server.url, key=KEY)
        server.queue(told)
        ended = pi.run("-p", "hello")
        assert len(server.requests) == 1
    assert (ended.code, ended.out) == (1, "")
    # What was too long cannot be made shorter either, which a warning before it tells.
    assert ended.err.removeprefix(NOTHING_TO_COMPACT).startswith(f"Error: {said}")
    assert KEY not in ended.err
    refused = said.startswith(("401", "403"))
    assert ("refused the key from models.json: put a valid one there." in ended.err) is refused


def test_a_server_says_how_long_it_wants_to_be_left_alone(pi: Pi) -> None:
    pi.prefers(retry__baseDelayMs=1)
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(refusal(429, "slow down", Retry_After="0.02"), answer("fine"))
        ended = pi.run("-p", "hello")
    assert (ended.code, ended.out) == (0, "fine\n")
    assert ended.err == "429: slow down\nRetrying (1/3) in 0.02 s\n"


def test_a_request_is_repeated_without_a_word_when_the_settings_say_so(pi: Pi) -> None:
    pi.prefers(retry__provider__maxRetries=2)
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(refusal(503, "busy", Retry_After_Ms="1"), answer("fine"))
        ended = pi.run("-p", "hello")
        assert len(server.requests) == 2
    assert (ended.code, ended.out, ended.err) == (0, "fine\n", "")


def test_a_server_that_falls_silent_is_asked_again(pi: Pi) -> None:
    pi.prefers(httpIdleTimeoutMs=1000, retry__baseDelayMs=1)
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(sse_reply(HALF, STALL), answer("fine"))
        ended = pi.run("-p", "hello")
    assert (ended.code, ended.out) == (0, "fine\n")
    assert "timed out" in ended.err


def test_half_a_call_at_the_output_limit_is_not_run_but_asked_for_again(pi: Pi) -> None:
    function = {"name": "bash", "arguments": '{"command": "touch ran; ech'}
    delta = {"tool_calls": [{"index": 0, "id": "call_1", "function": function}]}
    half = sse_reply(sse_bytes({"choices": [{"delta": delta, "finish_reason": "length"}]}))
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(half, answer("I will be brief."))
        ended = pi.run("-p", "go")
        assert (ended.code, ended.out) == (0, "I will be brief.\n")
        *_, call, result = asked(server.requests[1])
    assert not (pi.project / "ran").exists()
    assert call["tool_calls"][0]["id"] == result["tool_call_id"] == "call_1"
    assert "token limit" in result["content"]
    assert pi.messages("toolResult")[0]["isError"] is True


def test_requests_go_through_the_proxy_of_the_settings(pi: Pi) -> None:
    with WireServer() as proxy:
        pi.prefers(httpProxy=proxy.url)
        pi.knows_server("http://name.invalid")
        proxy.queue(answer("by way of the proxy"))
        ended = pi.run("-p", "hello")
        (request,) = proxy.requests
    assert ended.out == "by way of the proxy\n"
    assert request.path == "http://name.invalid/v1/chat/completions"
    assert request.headers["user-agent"].startswith("pi/")


def test_a_signal_ends_the_wait(pi: Pi) -> None:
    pi.prefers(retry__baseDelayMs=60_000)
    pi.plays({"error": "503: upstream overloaded"})
    process = pi.start("--model", "demo/script", "-p", "go")
    assert process.stderr is not None
    assert process.stderr.readline() == b"503: upstream overloaded\n"
    assert process.stderr.readline() == b"Retrying (1/3) in 60 s\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143


def test_programs_read_the_attempts_as_records(pi: Pi) -> None:
    pi.prefers(retry__baseDelayMs=1)
    pi.plays({"error": "503: upstream overloaded"}, {"text": "fine"})
    told = records(pi.run("--mode", "json", "--model", "demo/script", "go").out)
    kinds = [record["type"] for record in told]
    first = kinds.index("agent_end")
    assert told[first]["willRetry"] is True
    assert kinds[first + 1 : first + 5] == [
        "auto_retry_start",
        "entry_appended",
        "agent_start",
        "turn_start",
    ]
    assert told[first + 1] == {
        "type": "auto_retry_start",
        "attempt": 1,
        "maxAttempts": 3,
        "delayMs": 1,
        "errorMessage": "503: upstream overloaded",
    }
    edit = told[first + 2]["entry"]
    assert (edit["type"], edit["replacement"]) == ("context_edit", None)
    end = told[kinds.index("auto_retry_end")]
    assert end == {"type": "auto_retry_end", "success": True, "attempt": 1}
