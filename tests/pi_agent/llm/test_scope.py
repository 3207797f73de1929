"""Patterns name the models that are cycled through, in their order."""

from __future__ import annotations

import pytest

from pi_agent.llm.model import Model
from pi_agent.llm.scope import resolve_scope


def model(reference: str, **changes: object) -> Model:
    provider, _, model_id = reference.partition("/")
    wire = {"id": model_id, "provider": provider, "api": "a", "name": model_id.upper()}
    return Model.from_wire(wire | changes)


MODELS = [
    model("acme/fast-1"),
    model("acme/odd[1]"),
    model("acme/sonnet-4", reasoning=True),
    model("acme/sonnet-4-20250101", reasoning=True),
    model("ollama/llama3.2:3b"),
    model("openai/gpt-5"),
    model("openrouter/openai/gpt-5"),
    model("other/fast-1"),
]


def scope(*patterns: str) -> tuple[list[str], list[str]]:
    """Return the models, with the levels that were named, and the warnings."""
    found = resolve_scope(patterns, MODELS)
    names = [
        f"{choice.model.reference} {choice.thinking_level or ''}".rstrip()
        for choice in found.choices
    ]
    return names, list(found.warnings)


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["acme/sonnet-4", "ACME/Fast-1"], ["acme/sonnet-4", "acme/fast-1"]),
        (["sonnet:high"], ["acme/sonnet-4 high"]),
        (["openai/gpt-5"], ["openai/gpt-5"]),
        (["acme/odd[1]"], ["acme/odd[1]"]),
        (["*/fast-?"], ["acme/fast-1", "other/fast-1"]),
        (["OPEN*"], ["openai/gpt-5", "openrouter/openai/gpt-5"]),
        (
            ["sonnet*:low", "acme/fast-[12]"],
            ["acme/sonnet-4 low", "acme/sonnet-4-20250101 low", "acme/fast-1"],
        ),
        (["llama3.2:3b", "llama*:off"], ["ollama/llama3.2:3b"]),
        (["acme/fast-1:high", "acme/*"], None),
        ([" ", ""], []),
    ],
)
def test_patterns_mean_models_in_their_order(patterns: list[str], names: list[str] | None) -> None:
    found, warnings = scope(*patterns)
    if names is None:  # the first mention decides about place and level, none comes twice
        assert found[0] == "acme/fast-1 high"
        assert len(found) == 4
    else:
        assert found == names
    assert warnings == []


def test_an_id_that_several_providers_have_means_all_of_them() -> None:
    names, (warning,) = scope("fast-1")
    assert names == ["acme/fast-1", "other/fast-1"]
    assert "acme, other" in warning


@pytest.mark.parametrize(
    ("pattern", "names", "said"),
    [
        ("nothing", [], '"nothing"'),
        ("nothing*:high", [], '"nothing*:high"'),
        ("acme/fast-1:banana", ["acme/fast-1"], '"banana"'),
    ],
)
def test_what_cannot_be_done_is_told(pattern: str, names: list[str], said: str) -> None:
    found, (warning,) = scope(pattern)
    assert found == names
    assert said in warning
