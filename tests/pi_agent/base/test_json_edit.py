"""Change one member of a JSON text; all the rest stays as somebody wrote it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.base.json_edit import line_of, remove_member, set_member
from pi_agent.base.jsonc import parse_jsonc

KEYS = st.sampled_from(["a", "b", "c d", 'q"', "é"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("", "a", '{\n  "a": 1\n}\n'),
        ("{}", "a", '{\n  "a": 1\n}'),
        ('{"a": 0}', "a", '{"a": 1}'),
        ('{"b": 0}', "a", '{"b": 0, "a": 1}'),
        ('{\n\t"b": 0\n}\n', "a", '{\n\t"b": 0,\n\t"a": 1\n}\n'),
        ('{\n    "b": 0\n}', "x.y", '{\n    "b": 0,\n    "x": {\n        "y": 1\n    }\n}'),
        ('{\n  "x": {\n    "z": 0\n  }\n}', "x.y", '{\n  "x": {\n    "z": 0,\n    "y": 1\n  }\n}'),
        ('{"x": "no object"}', "x.y", '{"x": {\n  "y": 1\n}}'),
        ('{\r\n  "b": 0\r\n}\r\n', "a", '{\r\n  "b": 0,\r\n  "a": 1\r\n}\r\n'),
        ('{\n  "b": 0, // why\n}', "a", '{\n  "b": 0, // why\n  "a": 1\n}'),
        ('{\n  "b": 0 // why, so\n}', "a", '{\n  "b": 0, // why, so\n  "a": 1\n}'),
        ('{\n  // all of it\n}', "a", '{\n  // all of it\n  "a": 1\n}'),
        ('{"a": 0, "a": 5}', "a", '{"a": 0, "a": 1}'),
        ('{ "b": 0 }', "a", '{ "b": 0, "a": 1 }'),
    ],
)  # fmt: skip
def test_a_member_is_set_in_place(text: str, path: str, expected: str) -> None:
    assert set_member(text, path.split("."), 1) == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ('{"a": 0}', "a", "{}"),
        ('{"a": 0, "b": 1}', "a", '{"b": 1}'),
        ('{"b": 1, "a": 0}', "a", '{"b": 1}'),
        ('{\n  "b": 1, // kept\n  "x": {"a": 0}\n}', "x.a", '{\n  "b": 1, // kept\n  "x": {}\n}'),
        ('{"b": 1}', "a", '{"b": 1}'),
        ('{"b": 1}', "b.c", '{"b": 1}'),
        ("", "a", ""),
    ],
)
def test_a_member_is_removed(text: str, path: str, expected: str) -> None:
    assert remove_member(text, path.split(".")) == expected


@given(
    st.dictionaries(KEYS, VALUES, max_size=4), st.lists(KEYS, min_size=1, max_size=3), VALUES,
    st.sampled_from([None, 2, "\t"]),
)  # fmt: skip
def test_it_does_to_the_text_what_assignment_does_to_the_value(
    data: dict[str, object], path: list[str], value: object, indent: int | str | None
) -> None:
    text = json.dumps(data, indent=indent)
    holder = data
    for key in path[:-1]:
        inside = holder.get(key)
        if not isinstance(inside, dict):
            inside = holder[key] = {}
        holder = inside
    holder[path[-1]] = value
    changed = set_member(text, path, value)
    assert parse_jsonc(changed, "text") == data
    del holder[path[-1]]
    assert parse_jsonc(remove_member(changed, path), "text") == data


TEXT = """{
  // "b": not here
  "a": 1,
  "b": { "c": [
    { "d": 2 }
  ],
  "e.f": { "g": 3,
    "h": 4 } },
  "x.y": 5
}"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("a", 3),
        ("b", 4),
        ("b.c[0].d", 4),
        ("b.e.f.h", 8),
        ("b.e.f.missing", 7),
        ("x.y", 9),
        ("z", None),
        ("", None),
        ("expected an object", None),
    ],
)
def test_the_line_of_a_place_is_found(place: str, line: int | None) -> None:
    assert line_of(TEXT, place) == line


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a"', '{"a": 1', "\x00", "[" * 5000])
def test_a_text_that_is_no_object_has_no_lines(text: str) -> None:
    assert line_of(text, "a") is None
