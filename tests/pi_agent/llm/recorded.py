"""Streams as servers sent them, event by event, for whoever plays them with faults."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

_ORIGIN = {
    "id": "chatcmpl-hJjGlOwooyEe8BlBCNzrPDkTOhB6Mxu1",
    "model": "smollm2",
    "created": 1796037625,
}


def _event(**fields: Any) -> bytes:
    chunk = {"object": "chat.completion.chunk", **_ORIGIN, **fields}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _delta(finish: str | None = None, /, **delta: Any) -> bytes:
    return _event(choices=[{"finish_reason": finish, "index": 0, "delta": delta}])


def _call(**fields: Any) -> bytes:
    return _delta(tool_calls=[{"index": 0, **fields}])


def _arguments(piece: str) -> bytes:
    return _call(function={"arguments": piece})


_USAGE = _event(
    choices=[],
    usage={
        "completion_tokens": 10,
        "prompt_tokens": 31,
        "total_tokens": 41,
        "prompt_tokens_details": {"cached_tokens": 30},
    },
    timings={"cache_n": 30, "prompt_n": 1, "predicted_per_second": 171.2},
)
_DONE = b"data: [DONE]\n\n"

# llama.cpp: a first chunk without content, the reason in a chunk of its own, usage in one more.
TEXT: Sequence[bytes] = (
    _delta(role="assistant", content=None),
    _delta(content="Hello"),
    b": ping\n\n",
    _delta(content=", how"),
    _delta(content=" are you 👍?"),
    _delta("stop"),
    _USAGE,
    _DONE,
)
# The first piece of a call has the beginning of its arguments; later ones have nothing but more of them.
CALL: Sequence[bytes] = (
    _delta(role="assistant", content=None),
    _call(
        id="WvxTe4Ngty2Z3GAeVgVpNcl8xMzn2aow",
        type="function",
        function={"name": "read", "arguments": "{"},
    ),
    _arguments('"path'),
    _arguments('": "'),
    _arguments("README.md"),
    _arguments('"}'),
    _delta("tool_calls"),
    _DONE,
)
# A model that thinks first.
THOUGHT: Sequence[bytes] = (
    _delta(role="assistant", reasoning_content="Hm"),
    _delta(reasoning_content=", let me see."),
    _delta(content="Four"),
    _delta("stop", content="."),
    _USAGE,
    _DONE,
)
STREAMS = {"text": TEXT, "call": CALL, "thought": THOUGHT}


def text_in(events: Sequence[bytes], field: str = "content") -> str:
    """Return what these events say in one field of their deltas, read without the code under test."""
    deltas = [choice["delta"] for chunk in _chunks(events) for choice in chunk["choices"]]
    return "".join(delta.get(field) or "" for delta in deltas)


def is_over(events: Sequence[bytes]) -> bool:
    """Return whether the model has said why it stopped."""
    choices = [choice for chunk in _chunks(events) for choice in chunk["choices"]]
    return any(choice["finish_reason"] for choice in choices)


def _chunks(events: Sequence[bytes]) -> list[Any]:
    data = [event.decode().removeprefix("data: ") for event in events if event.startswith(b"data")]
    return [json.loads(each) for each in data if not each.startswith("[DONE]")]
