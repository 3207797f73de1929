"""Converting and checking arguments."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.schema import Problem, SchemaChecker, validation_error_text
from pi_agent.base.wire import JsonObject


def one(part: Any, *, required: bool = True) -> SchemaChecker:
    schema: JsonObject = {"type": "object", "properties": {"v": part}}
    if required:
        schema["required"] = ["v"]
    return SchemaChecker(schema)


def converted(part: Any, value: Any, *, required: bool = True) -> Any:
    """Return the converted value, or `...` if it does not fit."""
    checker = one(part, required=required)
    result = checker.coerce({"v": value})
    if checker.problems(result):
        return ...
    return result.get("v", "gone")


NUMBER, INTEGER, BOOLEAN, STRING = (
    {"type": name} for name in ("number", "integer", "boolean", "string")
)
STRINGS = {"type": "array", "items": STRING}


@pytest.mark.parametrize(
    ("part", "value", "result"),
    [
        (NUMBER, "42", 42),
        (NUMBER, " 5 ", 5),
        (NUMBER, "1e3", 1000),
        (NUMBER, "-.5", -0.5),
        (NUMBER, "", 0),
        (NUMBER, True, 1),
        (NUMBER, "False", 0),
        (NUMBER, None, 0),
        (NUMBER, "ten", ...),
        (NUMBER, "Infinity", ...),
        (NUMBER, [1], ...),
        (NUMBER, {}, ...),
        (INTEGER, "3", 3),
        (INTEGER, "3.5", 3),
        (INTEGER, 3.5, 3),
        (INTEGER, -2.7, -2),
        (INTEGER, 4.0, 4),
        (INTEGER, float("inf"), ...),
        (INTEGER, "12345678901234567890", 12345678901234567890),
        (BOOLEAN, "true", True),
        (BOOLEAN, "False", False),
        (BOOLEAN, "1", True),
        (BOOLEAN, 0, False),
        (BOOLEAN, None, False),
        (BOOLEAN, "yes", ...),
        (BOOLEAN, 2, ...),
        (STRING, 1.5, "1.5"),
        (STRING, True, "true"),
        (STRING, None, "null"),
        (STRING, ["a"], ...),
        (STRING, {}, ...),
        (STRINGS, "a", ["a"]),
        (STRINGS, 3, ["3"]),
        (STRINGS, '["a"]', ['["a"]']),
        (STRINGS, [1, "b"], ["1", "b"]),
        ({"type": "object"}, '{"a":1}', ...),
        ({"enum": ["1", "2"]}, 1, "1"),
        ({"enum": [5, 6]}, "5", 5),
        ({"const": 2}, "2", 2),
        ({"enum": [1]}, True, 1),
        ({"enum": ["a"]}, "b", ...),
        ({"type": ["integer", "null"]}, None, None),
        ({"type": ["integer", "null"]}, "7", 7),
        ({"type": ["boolean", "number"]}, "8", 8),
        ({"anyOf": [INTEGER, STRING]}, "7", "7"),
        ({"anyOf": [INTEGER, STRINGS]}, "7", 7),
        ({"anyOf": [INTEGER, STRINGS]}, "x", ["x"]),
        ({"type": "array", "items": {"type": "object", "properties": {"n": INTEGER}}}, {"n": "1"}, [{"n": 1}]),
        ({"prefixItems": [INTEGER], "items": STRING, "type": "array"}, ["1", 2], [1, "2"]),
        ({"allOf": [{"type": "object", "properties": {"n": INTEGER}}]}, {"n": "1"}, {"n": 1}),
    ],
)  # fmt: skip
def test_values_become_what_the_schema_plainly_wants(part: Any, value: Any, result: Any) -> None:
    got = converted(part, value)
    assert got == result
    assert type(got) is type(result)


def test_null_for_an_optional_value_means_that_it_was_left_out() -> None:
    assert converted(STRING, None, required=False) == "gone"
    assert converted({"type": ["string", "null"]}, None, required=False) is None


def test_references_are_followed_also_within_branches() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "tree": {"$ref": "#/$defs/node"},
            "any": {"anyOf": [{"$ref": "#/$defs/count"}, {"type": "null"}]},
        },
        "$defs": {
            "count": {"type": "integer"},
            "node": {
                "type": "object",
                "properties": {
                    "size": {"$ref": "#/$defs/count"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                },
            },
        },
    }
    checker = SchemaChecker(schema)
    value = checker.coerce({"tree": {"children": {"size": "2"}}, "any": "3"})
    assert value == {"tree": {"children": [{"size": 2}]}, "any": 3}
    assert checker.problems(value) == []


def test_a_reference_to_nothing_rejects_only_values_at_its_place() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "bad": {"$ref": "#/$defs/gone"},
            "far": {"$ref": "http://127.0.0.1:9/schema.json"},
            "good": INTEGER,
        },
    }
    checker = SchemaChecker(schema)
    assert checker.problems(checker.coerce({"good": "1"})) == []
    assert [problem.path for problem in checker.problems({"bad": 1, "good": 1})] == ["bad"]
    assert [problem.path for problem in checker.problems({"far": 1})] == ["far"]


def test_a_schema_that_refers_to_itself_ends() -> None:
    loop: JsonObject = {"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}
    checker = SchemaChecker(loop)
    assert [problem.path for problem in checker.problems(checker.coerce({"v": 1}))] == ["root"]


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        (INTEGER, "x", "expected integer, got string"),
        (STRING, [], "expected string, got array"),
        ({"type": ["string", "null"]}, {}, "expected string or null, got object"),
        ({"type": "integer", "minimum": 1}, 0, "expected >= 1"),
        ({"enum": ["a", "b"]}, "c", 'expected one of ["a","b"]'),
        ({"const": "a"}, "c", 'expected "a"'),
        ({"type": "string", "minLength": 2}, "x", "expected at least 2 characters"),
        ({"type": "string", "pattern": "^x+$"}, "y", "expected to match ^x+$"),
        ({"type": "array", "minItems": 1}, [], "expected at least 1 items"),
        ({"anyOf": [INTEGER, STRINGS]}, {"a": 1}, "expected integer or array, got object"),
        ({"type": "string", "format": "date-time"}, "yesterday", "expected a valid date-time"),
        ({"type": "string", "format": "uri"}, "no uri", "expected a valid uri"),
    ],
)
def test_what_is_wrong_is_said_in_a_few_words(part: Any, value: Any, message: str) -> None:
    assert one(part).problems({"v": value}) == [Problem("v", message)]


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date-time", "2026-01-31T12:00:00Z", "2026-13-01T12:00:00Z"),
        ("date-time", "2026-01-31T12:00:00.5+01:00", "2026-01-31 noon"),
        ("date", "2026-01-31", "2026-02-30"),
        ("email", "a@b", "a"),
        ("uri", "https://a.b/c?d#e", "/relative"),
        ("duration", "P3DT4H", "P"),
        ("hostname", "a-b.example", "-a.example"),
        ("uuid", "2a0f3f0a-8e64-4e6e-9a3f-111111111111", "2a0f"),
    ],
)
def test_standard_formats_are_checked(name: str, good: str, bad: str) -> None:
    checker = one({"type": "string", "format": name})
    assert checker.problems({"v": good}) == []
    assert len(checker.problems({"v": bad})) == 1


def test_unknown_formats_are_not_checked() -> None:
    assert one({"type": "string", "format": "haiku"}).problems({"v": "anything"}) == []


def test_names_match_literally_and_closed_objects_name_each_unknown_field() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"a.*": STRING},
        "required": ["a.*", "b"],
        "additionalProperties": False,
    }
    problems = SchemaChecker(schema).problems({"ab": 1, "y": 2})
    assert problems == [
        Problem("a.*", "missing"),
        Problem("b", "missing"),
        Problem("ab", "unknown field"),
        Problem("y", "unknown field"),
    ]


def test_a_nested_problem_in_the_only_possible_branch_is_found() -> None:
    part = {"anyOf": [STRING, {"type": "array", "items": {"type": "object", "required": ["x"]}}]}
    assert one(part).problems({"v": [{}]}) == [Problem("v.0.x", "missing")]


def test_the_text_for_the_model_lists_problems_and_repeats_the_arguments() -> None:
    text = validation_error_text(
        "read",
        [Problem("limit", "expected number, got string"), Problem("path", "missing")],
        {"limit": "many", "ü": 1},
    )
    assert text == (
        'Validation failed for tool "read":\n'
        "  - limit: expected number, got string\n"
        "  - path: missing\n"
        "\n"
        "Received arguments:\n"
        '{\n  "limit": "many",\n  "ü": 1\n}'
    )


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abv"), inner),
    max_leaves=8,
)
parts = st.sampled_from(
    [NUMBER, INTEGER, BOOLEAN, STRING, STRINGS, {"enum": [1, "2", None]}, {"anyOf": [INTEGER, STRINGS]},
     {"type": "object", "properties": {"a": INTEGER}, "required": ["b"]}, True, False, {}]
)  # fmt: skip


@given(parts, values)
@settings(max_examples=200)
def test_converting_twice_changes_nothing_more_and_never_the_input(part: Any, value: Any) -> None:
    checker = one(part)
    before = {"v": value}
    untouched = repr(deepcopy(before))
    once = checker.coerce(before)
    assert repr(before) == untouched
    assert repr(checker.coerce(once)) == repr(once)


@given(parts, values)
@settings(max_examples=200)
def test_what_fits_already_still_fits(part: Any, value: Any) -> None:
    checker = one(part)
    if not checker.problems({"v": value}):
        assert checker.problems(checker.coerce({"v": value})) == []
