"""Arguments can be watched while they arrive, and small faults of models are repaired."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.partial_json import PartialJson, parse_arguments, parse_partial
from pi_agent.base.wire import JsonObject

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
OBJECTS = st.dictionaries(
    TEXT, TEXT | st.integers() | st.booleans() | st.none() | st.lists(TEXT, max_size=3), max_size=4
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("{", {}),
        ('{"pa', {}),
        ('{"path": "src/ma', {"path": "src/ma"}),
        ('{"path": "a\\', {"path": "a"}),
        ('{"path": "a", "limit": 1', {"path": "a", "limit": 1}),
        ('{"a": [1, {"b": "c', {"a": [1, {"b": "c"}]}),
        ('{"text": "one\ntwo', {"text": "one\ntwo"}),
        ("[1, 2", {}),
        ("no json", {}),
    ],
)
def test_the_value_so_far(text: str, value: JsonObject) -> None:
    assert parse_partial(text) == value


@settings(max_examples=100)
@given(OBJECTS, st.booleans())
def test_the_value_so_far_never_contradicts_the_whole(value: JsonObject, ascii: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii)
    for end in range(len(text) + 1):
        for key, part in parse_partial(text[:end]).items():
            whole = value[key]
            if isinstance(part, str):
                assert whole.startswith(part)
            elif isinstance(part, list):
                assert len(part) <= len(whole)
    assert parse_partial(text) == value


@settings(max_examples=100)
@given(OBJECTS)
def test_valid_arguments_are_read_as_they_are(value: JsonObject) -> None:
    assert parse_arguments(json.dumps(value)) == (value, None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        (" \n", {}),
        ('{"a": "x\ny\tz"}', {"a": "x\ny\tz"}),
        ('{"re": "\\d+\\.py", "ok": "\\n\\u0041"}', {"re": "\\d+\\.py", "ok": "\nA"}),
        ('{"a": "C:\\users"}', {"a": "C:\\users"}),
        ('{\n "a": "x\\"\ny"\n}', {"a": 'x"\ny'}),
    ],
)
def test_blank_arguments_and_the_two_common_faults_are_repaired(
    text: str, value: JsonObject
) -> None:
    assert parse_arguments(text) == (value, None)


@pytest.mark.parametrize("text", ['{"a": ', '{"a": NaN}', "[1]", '"x"', "{a: 1}", "[" * 100_000])
def test_anything_else_is_an_error_that_quotes_the_text(text: str) -> None:
    value, error = parse_arguments(text)
    assert value == {}
    assert error is not None
    assert text in error


def test_the_work_is_linear_in_the_length_of_the_arguments() -> None:
    def characters_parsed(length: int) -> int:
        parsed = 0

        def parse(text: str) -> JsonObject:
            nonlocal parsed
            parsed += len(text)
            return parse_partial(text)

        arguments = PartialJson(parse)
        text = json.dumps({"content": "abc\n" * (length // 5)})
        for start in range(0, len(text), 4):
            arguments.feed(text[start : start + 4])
        assert arguments.text == text
        return parsed

    # Twice the text is about twice the work, and the factor is a constant.
    assert characters_parsed(200_000) < 2.2 * characters_parsed(100_000)
    assert characters_parsed(100_000) < 150 * 100_000


def test_the_value_follows_closely() -> None:
    arguments = PartialJson()
    text = json.dumps({"content": "x" * 20_000})
    for start in range(0, len(text), 7):
        arguments.feed(text[start : start + 7])
        shown = len(arguments.value.get("content", ""))
        assert shown >= 0.99 * (start + 7 - len('{"content": "')) - 7
