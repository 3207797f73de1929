"""What people type finds the model they mean, or says what it could have meant."""

from __future__ import annotations

import pytest

from pi_agent.base.errors import PiError
from pi_agent.llm.model import Model
from pi_agent.llm.resolve import not_found, resolve_reference, split_level


def model(reference: str, name: str = "", **changes: bool) -> Model:
    provider, _, model_id = reference.partition("/")
    return Model.from_wire(
        {"id": model_id, "provider": provider, "api": "a", "name": name} | changes
    )


MODELS = [
    model("acme/fast-1"),
    model("acme/sonnet-4", reasoning=True),
    model("acme/sonnet-4-5", reasoning=True),
    model("acme/sonnet-4-5-20250929"),
    model("acme/sonnet-5-20991231"),
    model("ollama/llama3.2:3b", "Small Llama"),
    model("openai/gpt-5"),
    model("openrouter/openai/gpt-5"),
    model("openrouter/openai/gpt-5-mini"),
    model("other/fast-1"),
    model("twin/both"),
    model("double/both"),
    model("dated/x-20250101"),
    model("dated/x-20260101"),
]
USABLE = {"acme", "ollama", "openrouter", "twin", "double", "dated"}


def find(reference: str, usable: set[str] = USABLE) -> tuple[str, str | None] | None:
    choice = resolve_reference(reference, MODELS, lambda m: m.provider in usable)
    return (choice.model.reference, choice.thinking_level) if choice else None


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("acme/fast-1", ("acme/fast-1", None)),
        ("ACME/Fast-1", ("acme/fast-1", None)),
        (" acme/fast-1 ", ("acme/fast-1", None)),
        # The only usable one of two.
        ("fast-1", ("acme/fast-1", None)),
        # Aliases before dated ids, then the highest.
        ("sonnet", ("acme/sonnet-4-5", None)),
        ("sonnet:high", ("acme/sonnet-4-5", "high")),
        ("x-202", ("dated/x-20260101", None)),
        ("small llama", ("ollama/llama3.2:3b", None)),
        # An exact id beats its reading as a level.
        ("ollama/llama3.2:3b", ("ollama/llama3.2:3b", None)),
        ("llama3.2:3b", ("ollama/llama3.2:3b", None)),
        ("llama3.2:3b:low", ("ollama/llama3.2:3b", "low")),
        ("openrouter/openai/gpt-5", ("openrouter/openai/gpt-5", None)),
        ("openrouter/mini", ("openrouter/openai/gpt-5-mini", None)),
        # Provider openai has no key, the gateway's `openai/gpt-5` has.
        ("openai/gpt-5", ("openrouter/openai/gpt-5", None)),
        ("fast-1:banana", None),
        ("nothing", None),
        ("", None),
        (":high", None),
    ],
)
def test_references(reference: str, expected: tuple[str, str | None] | None) -> None:
    assert find(reference) == expected


def test_a_named_provider_with_a_key_wins_over_a_gateway() -> None:
    assert find("openai/gpt-5", {"openai", "openrouter"}) == ("openai/gpt-5", None)
    assert find("openai/gpt-5", set()) == ("openai/gpt-5", None)


@pytest.mark.parametrize("reference", ["both", "both:high", "bot"])
def test_the_same_id_at_two_usable_providers_is_ambiguous(reference: str) -> None:
    with pytest.raises(PiError, match="ambiguous") as caught:
        find(reference)
    assert caught.value.hint == "Say which one: twin/both, double/both"
    assert find(reference, {"twin"}) is not None


def test_a_level_makes_a_model_think_unless_it_is_known_not_to() -> None:
    unknown = resolve_reference("fast-1:high", MODELS[:1], lambda m: True)
    assert unknown is not None
    assert unknown.model.reasoning
    known = resolve_reference("m:high", [model("p/m", reasoning=False)], lambda m: True)
    assert known is not None
    assert not known.model.reasoning


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("a:high", ("a", "high")),
        ("a:HIGH", ("a", "high")),
        ("a:b", ("a:b", None)),
        ("a", ("a", None)),
    ],
)
def test_levels(reference: str, expected: tuple[str, str | None]) -> None:
    assert split_level(reference) == expected


def test_an_error_lists_what_is_near_or_what_there_is() -> None:
    near = not_found("acme/fats-1", MODELS)
    assert "acme/fast-1" in (near.hint or "")
    far = not_found("zzzzzzzzzzz", MODELS)
    assert "and 6 more" in (far.hint or "")
    assert "OPENAI_API_KEY" in (not_found("x", []).hint or "")
