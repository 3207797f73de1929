"""Lists of models are read in the shapes of many servers."""

from __future__ import annotations

from typing import Any

import pytest

from pi_agent.llm.model_list import read_model_list
from pi_agent.llm.provider import Provider

PROVIDER = Provider("p", "P", "http://h/v1", compat={"supportsStore": False})


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({}, {}),
        ({"context_length": 1000, "name": "Nice"}, {"contextWindow": 1000, "name": "Nice"}),
        (
            {"context_window": 1000, "max_completion_tokens": 50},
            {"contextWindow": 1000, "maxTokens": 50},
        ),
        ({"max_model_len": 1000}, {"contextWindow": 1000}),
        ({"meta": {"n_ctx_train": 32768}}, {"contextWindow": 32768}),
        ({"meta": {"n_ctx": 4096, "n_ctx_train": 32768}}, {"contextWindow": 4096}),
        ({"meta": None, "context_length": "big"}, {}),
        (
            {
                "context_length": 2000,
                "top_provider": {"max_completion_tokens": 70},
                "architecture": {"input_modalities": ["text", "image", "file"]},
                "supported_parameters": ["tools", "reasoning"],
                "pricing": {"prompt": "0.01"},
            },
            {
                "contextWindow": 2000,
                "maxTokens": 70,
                "input": ["text", "image"],
                "reasoning": True,
            },
        ),
        (
            {
                "max_context_length": 3000,
                "capabilities": {"vision": False, "completion_chat": True},
            },
            {"contextWindow": 3000, "input": ["text"]},
        ),
    ],
)
def test_what_a_server_says_of_a_model(entry: dict[str, Any], expected: dict[str, Any]) -> None:
    [model] = read_model_list({"data": [{"id": "m"} | entry]}, PROVIDER)
    said = model.model_dump(by_alias=True, exclude_unset=True)
    fixed = {
        "id": "m",
        "provider": "p",
        "api": "openai-completions",
        "baseUrl": "http://h/v1",
        "name": "m",
        "compat": {"supportsStore": False},
    }
    assert said == fixed | expected
    assert model.cost.input == 0


@pytest.mark.parametrize(
    "entry",
    [
        None,
        "m",
        {},
        {"id": ""},
        {"id": 7},
        {"id": "text-embedding-3-small"},
        {"id": "whisper-1"},
        {"id": "tts-1"},
        {"id": "openai/gpt-image-1"},
        {"id": "x", "type": "embedding"},
        {"id": "x", "capabilities": {"completion_chat": False}},
    ],
)
def test_what_cannot_be_talked_to_is_left_out(entry: Any) -> None:
    assert read_model_list([entry, {"id": "ok"}], PROVIDER)[0].id == "ok"


def test_models_are_in_order_and_unique() -> None:
    listed = {"models": [{"id": "b"}, {"id": "A"}, {"id": "b"}]}
    assert [model.id for model in read_model_list(listed, PROVIDER)] == ["A", "b"]
