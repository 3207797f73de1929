"""Answers over a real socket are read the same however the bytes are cut, and whatever servers leave out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import pairwise

import pytest

from pi_agent.llm.messages import TextContent, ThinkingContent, ToolCall, text_of, tool_calls_of
from pi_agent.llm.stream import (
    BlockDelta,
    BlockEnd,
    BlockStart,
    StreamDone,
    StreamEvent,
    StreamOptions,
)
from pi_tui.abort import AbortController
from tests.pi_agent.llm.chat import ask, asking, chat, chat_model, final
from tests.wire_server import STALL, WireServer, chunked_reply, sse_bytes, sse_reply

pytestmark = pytest.mark.anyio

ENVELOPE = (
    '"created":1796037625,"id":"chatcmpl-hJjGlOwooyEe8BlBCNzrPDkTOhB6Mxu1","model":"smollm2",'
    '"system_fingerprint":"b0-unknown","object":"chat.completion.chunk"'
)


def llama_chunk(delta: str, finish_reason: str = "null", more: str = "") -> str:
    choice = f'{{"finish_reason":{finish_reason},"index":0,"delta":{delta}}}'
    return f'data: {{"choices":[{choice}],{ENVELOPE}{more}}}\n\n'


# As llama.cpp's server sends it, byte for byte.
LLAMA_TEXT = "".join(
    [
        llama_chunk('{"role":"assistant","content":null}'),
        llama_chunk('{"content":"Hello"}'),
        llama_chunk('{"content":"!"}'),
        llama_chunk("{}", '"stop"'),
        f'data: {{"choices":[],{ENVELOPE},"usage":{{"completion_tokens":10,"prompt_tokens":31,'
        '"total_tokens":41,"prompt_tokens_details":{"cached_tokens":30}},"timings":{"cache_n":30,'
        '"prompt_n":1,"prompt_ms":14.891,"predicted_per_second":171.1644890740001}}\n\n',
        "data: [DONE]\n\n",
    ]
).encode()

CALL_ID = "WvxTe4Ngty2Z3GAeVgVpNcl8xMzn2aow"
ARGUMENT_PIECES = ['\\"', "path", '\\":', '\\"', "README", ".md", '\\"', "}"]
LLAMA_CALL = "".join(
    [
        llama_chunk('{"role":"assistant","content":null}'),
        llama_chunk(
            f'{{"tool_calls":[{{"index":0,"id":"{CALL_ID}","type":"function",'
            '"function":{"name":"read_file","arguments":"{"}}]}'
        ),
        *(
            llama_chunk(f'{{"tool_calls":[{{"index":0,"function":{{"arguments":"{piece}"}}}}]}}')
            for piece in ARGUMENT_PIECES
        ),
        llama_chunk("{}", '"tool_calls"', ',"timings":{"cache_n":19,"prompt_n":312}'),
        "data: [DONE]\n\n",
    ]
).encode()

PIECE_BYTES = 31

HELLO = "你好👍"
GREETING = "".join(
    f": ping\n\ndata: {json.dumps({'choices': [choice]}, ensure_ascii=False)}\n\n"
    for choice in [
        *({"delta": {"content": letter}} for letter in HELLO),
        {"delta": {}, "finish_reason": "stop"},
    ]
)


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


def types(events: list[StreamEvent]) -> list[str]:
    return [event.type for event in events]


async def test_the_text_of_llama_cpp(server: WireServer) -> None:
    server.queue(sse_reply(LLAMA_TEXT))
    events = await ask(server)
    assert types(events) == [
        "start",
        "text_start",
        "text_delta",
        "text_delta",
        "text_end",
        "done",
    ]
    message = final(events)
    assert message.content == [TextContent(text="Hello!")]
    assert (message.stop_reason, message.raw_stop_reason) == ("stop", "stop")
    assert message.response_id == "chatcmpl-hJjGlOwooyEe8BlBCNzrPDkTOhB6Mxu1"
    usage = message.usage
    assert (usage.input, usage.cache_read, usage.output, usage.total_tokens) == (1, 30, 10, 41)


async def test_the_tool_call_of_llama_cpp(server: WireServer) -> None:
    server.queue(sse_reply(LLAMA_CALL))
    events = await ask(server)
    expected = ToolCall(id=CALL_ID, name="read_file", arguments={"path": "README.md"})
    deltas = [event.delta for event in events if isinstance(event, BlockDelta)]
    assert json.loads("".join(deltas)) == {"path": "README.md"}
    assert types(events) == [
        "start",
        "toolcall_start",
        *["toolcall_delta"] * 9,
        "toolcall_end",
        "done",
    ]
    ends = [event for event in events if isinstance(event, BlockEnd)]
    assert ends[0].tool_call == expected
    message = final(events)
    assert (message.content, message.stop_reason) == ([expected], "toolUse")


@pytest.mark.parametrize("stream", [LLAMA_TEXT, LLAMA_CALL])
async def test_a_cut_at_every_byte_changes_nothing(server: WireServer, stream: bytes) -> None:
    model, context = chat_model(server), asking()
    async with chat() as speak:

        async def answer(*pieces: bytes) -> list[StreamEvent]:
            server.queue(chunked_reply(*pieces))
            options = StreamOptions(timeout=20)
            return [event async for event in speak(model, context, options)]

        whole = await answer(stream)
        expected = final(whole).to_wire()
        all_at_once = await answer(*(stream[at : at + 1] for at in range(len(stream))))
        assert types(all_at_once) == types(whole)
        assert final(all_at_once).to_wire() == expected
        # Pieces of one length, begun at every offset: each byte is once the first of a piece.
        for offset in range(1, PIECE_BYTES + 1):
            starts = [0, *range(offset, len(stream), PIECE_BYTES), len(stream)]
            events = await answer(*(stream[a:b] for a, b in pairwise(starts)))
            assert (types(events), final(events).to_wire()) == (types(whole), expected), offset


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n"])
async def test_one_byte_at_a_time_with_any_line_end_and_comments(
    server: WireServer, line_end: str, last: str
) -> None:
    data = (GREETING.rstrip("\n") + last).replace("\n", line_end).encode()
    server.queue(chunked_reply(*(data[at : at + 1] for at in range(len(data)))))
    message = final(await ask(server))
    assert (text_of(message.content), message.stop_reason) == (HELLO, "stop")


async def test_the_partial_message_is_ahead_of_its_events(server: WireServer) -> None:
    server.queue(sse_reply(LLAMA_TEXT))
    seen = ""
    async with chat() as speak:
        async for event in speak(chat_model(server), asking(), StreamOptions()):
            if isinstance(event, BlockStart):
                assert event.partial.stop_reason == "pending"
                assert len(event.partial.content) == event.content_index + 1
            if isinstance(event, BlockDelta):
                seen += event.delta
                assert text_of(event.partial.content) == seen


async def test_arguments_can_be_watched_while_they_arrive(server: WireServer) -> None:
    server.queue(sse_reply(LLAMA_CALL))
    seen: list[object] = []
    async with chat() as speak:
        async for event in speak(chat_model(server), asking(), StreamOptions()):
            if isinstance(event, BlockDelta):
                seen.append(tool_calls_of(event.partial)[0].arguments.get("path"))
    assert seen == [None, None, None, None, "", "README", "README.md", "README.md", "README.md"]


def call(index: int | None, call_id: str | None, name: str | None, arguments: str) -> object:
    delta: dict[str, object] = {"function": {"name": name, "arguments": arguments}}
    if index is not None:
        delta["index"] = index
    if call_id is not None:
        delta["id"] = call_id
    return {"choices": [{"delta": {"tool_calls": [delta]}}]}


END_OF_CALLS = {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}


@pytest.mark.parametrize(
    "chunks",
    [
        # Joined by index, pieces of two calls in turn.
        [
            call(0, "a", "read", '{"n"'),
            call(1, "b", "ls", "{"),
            call(0, None, None, ":1}"),
            call(1, None, None, '"n":2}'),
        ],
        # Every piece repeats id and name.
        [
            call(0, "a", "read", '{"n"'),
            call(0, "a", "read", ":1}"),
            call(1, "b", "ls", '{"n":2}'),
        ],
        # Ids change at the same index: the first counts.
        [
            call(0, "a", "read", '{"n"'),
            call(0, "other", "x", ":1}"),
            call(1, "b", "ls", '{"n":2}'),
        ],
        # No index: joined by id.
        [
            call(None, "a", "read", '{"n":'),
            call(None, "b", "ls", '{"n":2}'),
            call(None, "a", None, "1}"),
        ],
        # Neither: the last call.
        [
            call(None, "a", "read", '{"n":'),
            call(None, None, None, "1}"),
            call(None, "b", "ls", ""),
            call(None, None, None, '{"n":2}'),
        ],
        # Id and name come late.
        [
            call(0, "", "", '{"n":'),
            call(0, "a", "read", "1}"),
            call(1, "b", "ls", '{"n":2}'),
        ],
    ],
)
async def test_pieces_of_parallel_calls_are_joined(
    server: WireServer, chunks: list[object]
) -> None:
    server.queue(sse_reply(sse_bytes(*chunks, END_OF_CALLS)))
    message = final(await ask(server))
    assert message.stop_reason == "toolUse"
    assert message.content == [
        ToolCall(id="a", name="read", arguments={"n": 1}),
        ToolCall(id="b", name="ls", arguments={"n": 2}),
    ]


async def test_a_call_without_an_id_gets_one_of_its_own(server: WireServer) -> None:
    server.queue(
        sse_reply(
            sse_bytes(call(0, None, "a", "{}"), call(1, None, "b", ""), END_OF_CALLS, done=False)
        )
    )
    first, second = tool_calls_of(final(await ask(server)))
    assert first.id
    assert second.id
    assert first.id != second.id
    assert second.arguments == {}
    assert second.arguments_error is None


async def test_arguments_cut_off_by_the_limit_are_an_error_of_the_call(server: WireServer) -> None:
    length = {"choices": [{"delta": {}, "finish_reason": "length"}]}
    server.queue(sse_reply(sse_bytes(call(0, "a", "read", '{"path": "REA'), length)))
    message = final(await ask(server))
    assert (message.stop_reason, message.error_message) == ("length", None)
    cut = tool_calls_of(message)[0]
    assert cut.arguments == {}
    assert '{"path": "REA' in (cut.arguments_error or "")


async def test_null_and_missing_parts_are_skipped(server: WireServer) -> None:
    chunks: list[object] = [
        None,
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"content": None, "tool_calls": None, "role": None}}]},
        {"choices": [{"delta": {"content": ""}}], "usage": None},
        {"choices": [{"delta": {"content": "ok"}, "usage": {"prompt_tokens": 3}}]},
        {"choices": [{"delta": {"tool_calls": [None, {"function": None}]}}]},
        {"choices": [{"finish_reason": "stop", "usage": {"prompt_tokens": 7}}]},
    ]
    server.queue(sse_reply(sse_bytes(*chunks)))
    message = final(await ask(server))
    assert text_of(message.content) == "ok"
    assert message.usage.input == 7
    assert message.usage.output == 0


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "reasoning_text"])
async def test_thinking_comes_under_any_of_its_names(server: WireServer, field: str) -> None:
    server.queue(
        sse_reply(
            sse_bytes(
                {"choices": [{"delta": {field: "let me "}}]},
                {"choices": [{"delta": {field: "see", "content": ""}}]},
                {"choices": [{"delta": {"content": "42"}}]},
                {"choices": [{"delta": {}, "finish_reason": "stop"}]},
            )
        )
    )
    events = await ask(server)
    assert final(events).content == [
        ThinkingContent(thinking="let me see", thinking_signature=field),
        TextContent(text="42"),
    ]
    ends = [event for event in events if isinstance(event, BlockEnd)]
    assert [(end.type, end.content_index, end.content) for end in ends] == [
        ("thinking_end", 0, "let me see"),
        ("text_end", 1, "42"),
    ]


async def test_usage_counts_cached_tokens_once_and_takes_the_providers_cost(
    server: WireServer,
) -> None:
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
        "completion_tokens_details": {"reasoning_tokens": 5},
        "cost": 0.25,
    }
    stop = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    server.queue(sse_reply(sse_bytes(stop, {"choices": [], "usage": usage})))
    found = final(await ask(server)).usage
    assert found.to_wire() == {
        "input": 30,
        "output": 20,
        "cacheRead": 60,
        "cacheWrite": 10,
        "reasoning": 5,
        "totalTokens": 120,
        "cost": {
            "input": 0,
            "output": 0,
            "cacheRead": 0,
            "cacheWrite": 0,
            "total": 0.25,
            "totalFromProvider": True,
        },
    }


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([{"choices": [{"delta": {"content": "x"}, "finish_reason": "end"}]}], "stop"),
        ([call(0, "a", "ls", "{}"), {"choices": [{"finish_reason": "stop"}]}], "toolUse"),
        ([call(0, "a", "ls", "{}"), {"choices": [{"finish_reason": "function_call"}]}], "toolUse"),
        ([{"choices": [{"finish_reason": "length"}]}], "length"),
    ],
)
async def test_reasons_to_stop(server: WireServer, chunks: list[object], expected: str) -> None:
    server.queue(sse_reply(sse_bytes(*chunks)))
    events = await ask(server)
    assert final(events).stop_reason == expected
    assert isinstance(events[-1], StreamDone)
    assert events[-1].reason == expected


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([{"choices": [{"delta": {"content": "x"}}]}], "stop"),
        ([call(0, "a", "ls", "{}")], "toolUse"),
    ],
)
async def test_a_server_that_never_says_why_it_stopped_can_be_declared(
    server: WireServer, chunks: list[object], expected: str
) -> None:
    server.queue(sse_reply(sse_bytes(*chunks)))
    model = chat_model(server, compat={"supportsFinishReason": False})
    assert final(await ask(server, model)).stop_reason == expected


async def test_halves_of_a_character_in_two_pieces_become_one(server: WireServer) -> None:
    stream = (
        'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n'
        'data: {"choices":[{"delta":{"content":"\\udc4db"}}]}\n\n'
        'data: {"choices":[{"delta":{"content":"\\udc4d!"},"finish_reason":"stop"}]}\n\n'
    )
    server.queue(sse_reply(stream.encode()))
    assert text_of(final(await ask(server)).content) == "a👍b\ufffd!"


async def test_the_connection_is_used_again_after_an_answer(server: WireServer) -> None:
    async with chat() as speak:
        for _ in range(3):
            server.queue(chunked_reply(LLAMA_TEXT))
            events = [e async for e in speak(chat_model(server), asking(), StreamOptions())]
            assert final(events).stop_reason == "stop"
    assert server.connections == 1


async def test_a_server_that_stays_silent_after_done_does_not_hold_the_answer_up(
    server: WireServer,
) -> None:
    server.queue(chunked_reply(LLAMA_TEXT, STALL))
    message = final(await ask(server, options=StreamOptions(timeout=None)))
    assert message.stop_reason == "stop"
    assert await asyncio.to_thread(server.hung_up.wait, 5)


@pytest.mark.parametrize(
    "pieces", [[], [sse_bytes({"choices": [{"delta": {"content": "so"}}]}, done=False)]]
)
async def test_an_abort_10_ms_after_the_request_closes_the_connection(
    server: WireServer, pieces: list[bytes]
) -> None:
    server.queue(chunked_reply(*pieces, STALL))
    controller = AbortController()

    async def stop_soon() -> None:
        await asyncio.to_thread(server.arrived.acquire, timeout=5)
        await asyncio.sleep(0.01)
        controller.abort()

    stopping = asyncio.create_task(stop_soon())
    events = await ask(server, options=StreamOptions(signal=controller.signal))
    await stopping
    message = final(events)
    assert (message.stop_reason, message.error_message) == ("aborted", "Request was aborted")
    assert text_of(message.content) in ("", "so")
    assert not any(isinstance(event, BlockEnd) for event in events)
    assert await asyncio.to_thread(server.hung_up.wait, 5)


async def test_a_fired_signal_makes_no_request(server: WireServer) -> None:
    controller = AbortController()
    controller.abort()
    events = await ask(server, options=StreamOptions(signal=controller.signal))
    assert types(events) == ["error"]
    assert final(events).stop_reason == "aborted"
    assert server.connections == 0
