"""Files of one object a line survive what happens to files."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.jsonl import (
    LineWriter,
    create_jsonl,
    encode_line,
    first_object,
    read_jsonl,
    replace_jsonl,
)

ANY_TEXT = st.text(st.characters(), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
OBJECTS = st.lists(st.dictionaries(ANY_TEXT, JSON, max_size=4), max_size=80)


@settings(max_examples=30)
@given(OBJECTS)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, objects: Any) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "x.jsonl"
    create_jsonl(path, map(encode_line, objects))
    content = read_jsonl(path)
    assert content.values == objects
    assert (content.skipped, content.ends_open) == (0, False)


@settings(max_examples=30)
@given(OBJECTS.filter(bool), st.data())
def test_a_cut_anywhere_loses_the_last_line_only(
    tmp_path_factory: pytest.TempPathFactory, objects: Any, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "x.jsonl"
    whole = b"".join(map(encode_line, objects))
    cut = data.draw(st.integers(1, len(whole)))
    path.write_bytes(whole[:cut])
    content = read_jsonl(path)
    assert content.values[: whole[:cut].count(b"\n")] == objects[: whole[:cut].count(b"\n")]
    LineWriter(path, ends_open=content.ends_open).append(encode_line({"after": True}))
    again = read_jsonl(path)
    assert again.values == [*content.values, {"after": True}]
    assert path.read_bytes().startswith(whole[:cut])


def test_lines_are_told_apart_only_by_newlines(tmp_path: Path) -> None:
    value = {"text": "a\u2028b\u2029c\x85d\x0be"}
    create_jsonl(tmp_path / "x", [encode_line(value), encode_line({})])
    assert read_jsonl(tmp_path / "x").values == [value, {}]


def test_one_bad_line_among_many_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "x"
    lines = [json.dumps({"n": number}) for number in range(100)]
    lines[40:40] = ["{", "[1]", "nonsense", '{"a":1},{"b":2}', "[" * 100_000]
    path.write_text("\n".join(lines) + "\n")
    content = read_jsonl(path)
    assert [value["n"] for value in content.values] == list(range(100))
    assert content.skipped == 5


def test_bytes_that_are_no_text_cost_only_themselves(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b'{"a":"\xff","b":1}\n\x00\x00\x00\n')
    content = read_jsonl(tmp_path / "x")
    assert content.values == [{"a": "\ufffd", "b": 1}]
    assert content.skipped == 1


def test_the_collector_is_as_it_was_after_reading(tmp_path: Path) -> None:
    create_jsonl(tmp_path / "x", [b"{}\n"])
    assert gc.isenabled()
    read_jsonl(tmp_path / "x")
    assert gc.isenabled()
    with pytest.raises(OSError):
        read_jsonl(tmp_path / "missing")
    assert gc.isenabled()


def test_the_first_object_is_found_past_lines_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b'\xef\xbb\xbf\n# no\n{"a":1}\n{"b":2}\n')
    assert first_object(path, limit_bytes=100) == {"a": 1}
    assert first_object(path, limit_bytes=12) is None


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("precious")
    with pytest.raises(FileExistsError):
        create_jsonl(tmp_path / "x", [b"{}\n"])
    assert (tmp_path / "x").read_text() == "precious"


def test_a_replaced_file_leaves_nothing_else_behind(tmp_path: Path) -> None:
    create_jsonl(tmp_path / "x", [b"{}\n"])
    replace_jsonl(tmp_path / "x", [b'{"a":1}\n'])
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x").read_bytes() == b'{"a":1}\n'


def test_nothing_is_made_where_a_file_went_away(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LineWriter(tmp_path / "x").append(b"{}\n")
    assert list(tmp_path.iterdir()) == []
