"""`models.json` may have comments; a mistake costs one provider and is named by file, place and expectation."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.resources.models_file import load_models_file, read_models_text

GOOD = '"good": {"baseUrl": "http://localhost:1/v1", "models": [{"id": "m"}]}'


def test_comments_trailing_commas_and_unknown_keys_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    path.write_text(
        """// mine
        {"providers": {
            "ollama": {"api": "openai-completions", "baseUrl": "http://localhost:11434/v1",
                       "apiKey": "unused", "new": 1, "models": [{"id": "llama3.2:3b"},],},
            "anthropic": {"baseUrl": "https://proxy.example.com"},
            "openai": {"modelOverrides": {"fast-1": {"contextWindow": 64000, "cost": {"output": 5}}}},
        }}"""
    )
    file = load_models_file(path)
    assert file.problems == ()
    assert list(file.providers) == ["ollama", "anthropic", "openai"]
    ollama = file.providers["ollama"]
    assert ollama.api_key == "unused"
    assert [model.id for model in ollama.models or ()] == ["llama3.2:3b"]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("1", "providers.bad: expected an object"),
        ("{}", "providers.bad.baseUrl: required for a provider that pi does not know"),
        (
            '{"models": [{"id": "m"}]}',
            "providers.bad.baseUrl: required for a provider that pi does not know",
        ),
        ('{"baseUrl": 1}', "providers.bad.baseUrl: expected a string"),
        ('{"baseUrl": "u", "models": {}}', "providers.bad.models: expected a list"),
        ('{"baseUrl": "u", "models": [{}]}', "providers.bad.models[0].id: required, but not there"),
        (
            '{"baseUrl": "u", "models": [{"id": "a"}, {"id": ""}]}',
            "providers.bad.models[1].id: expected a text that is not empty",
        ),
        (
            '{"baseUrl": "u", "models": [{"id": "m", "contextWindow": "many"}]}',
            "providers.bad.models[0].contextWindow: expected a whole number",
        ),
        (
            '{"baseUrl": "u", "models": [{"id": "m", "maxTokens": 0}]}',
            "providers.bad.models[0].maxTokens: expected a number above 0",
        ),
        (
            '{"baseUrl": "u", "models": [{"id": "m", "reasoning": "very"}]}',
            "providers.bad.models[0].reasoning: expected true or false",
        ),
        (
            '{"baseUrl": "u", "models": [{"id": "m", "input": ["smell"]}]}',
            "providers.bad.models[0].input[0]: expected 'text' or 'image'",
        ),
        (
            '{"baseUrl": "u", "models": [{"id": "m", "cost": {"input": 1}}]}',
            "providers.bad.models[0].cost.output: required, but not there",
        ),
        (
            '{"baseUrl": "u", "models": [{"id": "m", "thinkingLevelMap": {"hihg": "x"}}]}',
            "providers.bad.models[0].thinkingLevelMap.hihg: expected 'off', 'minimal', 'low',"
            " 'medium', 'high', 'xhigh' or 'max'",
        ),
        (
            '{"baseUrl": "u", "models": [{"id": "m", "headers": {"X": 1}}]}',
            "providers.bad.models[0].headers.X: expected a string",
        ),
        (
            '{"baseUrl": "u", "compat": {"maxTokensField": "max"}}',
            "providers.bad.compat.maxTokensField: expected 'max_completion_tokens' or 'max_tokens'",
        ),
        (
            '{"baseUrl": "u", "models": [{"id": "m", "compat": {"supportsStore": "perhaps"}}]}',
            "providers.bad.models[0].compat.supportsStore: expected true or false",
        ),
        (
            '{"baseUrl": "u", "modelOverrides": []}',
            "providers.bad.modelOverrides: expected an object",
        ),
        (
            '{"baseUrl": "u", "models": [{"id": "m", "samplingParamsByThinkingLevel": {"low": 1}}]}',
            "providers.bad.models[0].samplingParamsByThinkingLevel.low: expected an object",
        ),
    ],
)
def test_a_bad_provider_is_skipped_and_named(entry: str, problem: str) -> None:
    file = read_models_text(f'{{"providers": {{"bad": {entry}, {GOOD}}}}}', "/x/models.json")
    assert file.problems == (f"/x/models.json: {problem}",)
    assert list(file.providers) == ["good"]


@pytest.mark.parametrize(
    ("patch", "problem"),
    [
        ('{"cost": {"output": "x"}}', ".cost.output: expected a number"),
        ('{"contextWindow": "big"}', ".contextWindow: expected a whole number"),
        ('{"compat": {"priority": "top"}}', ".compat.priority: expected a whole number"),
        ("1", ": expected an object"),
    ],
)
def test_a_bad_override_is_named_and_costs_nothing_else(patch: str, problem: str) -> None:
    good = '"baseUrl": "u", "models": [{"id": "m"}]'
    overrides = f'{{"m": {patch}, "n": {{"name": "N"}}}}'
    file = read_models_text(
        f'{{"providers": {{"p": {{{good}, "modelOverrides": {overrides}}}}}}}', "/x/models.json"
    )
    assert file.problems == (f"/x/models.json: providers.p.modelOverrides.m{problem}",)
    assert list(file.providers["p"].model_overrides or ()) == ["n"]


def test_other_protocols_have_differences_of_their_own() -> None:
    compat = '{"maxTokensField": "max"}'
    text = f'{{"providers": {{"anthropic": {{"compat": {compat}}}}}}}'
    assert read_models_text(text, "m").problems == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"providers": ', "m: not valid JSON at line 1, column 15: "),
        ("[]", "m: expected an object"),
        ('{"providers": []}', "m: providers: expected an object"),
    ],
)
def test_a_file_that_cannot_be_read_gives_no_providers(text: str, problem: str) -> None:
    file = read_models_text(text, "m")
    assert not file.providers
    assert file.problems[0].startswith(problem)


def test_no_file_and_an_empty_one_are_fine(tmp_path: Path) -> None:
    assert load_models_file(tmp_path / "models.json").problems == ()
    (tmp_path / "models.json").write_text(" \n")
    assert load_models_file(tmp_path / "models.json").problems == ()
    assert load_models_file(tmp_path).problems == (f"{tmp_path}: cannot be read: Is a directory",)
    (tmp_path / "models.json").write_bytes(b"\xff\xfe")
    (problem,) = load_models_file(tmp_path / "models.json").problems
    assert problem.endswith("models.json: cannot be read: it is not UTF-8")
