"""JSON with comments and trailing commas reads as the JSON it means."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.errors import PiError
from pi_agent.base.jsonc import parse_jsonc

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def test_comments_and_trailing_commas_are_allowed() -> None:
    text = """\ufeff// top
    {
      "a": [1, 2, /* three, */ ], // end
      "b": {"c": 1 , /* x */ // y
      },
    }
    """
    assert parse_jsonc(text, "f") == {"a": [1, 2], "b": {"c": 1}}


def test_strings_keep_what_looks_like_a_comment_or_a_comma() -> None:
    text = r'{"url": "http://x/*y*/", "q": "\", ] // z", "p": ",]"}'
    assert parse_jsonc(text, "f") == {"url": "http://x/*y*/", "q": '", ] // z', "p": ",]"}


@settings(max_examples=150)
@given(VALUES)
def test_plain_json_means_the_same(value: object) -> None:
    assert parse_jsonc(json.dumps(value, indent=1, ensure_ascii=False), "f") == value


def test_a_mistake_is_named_with_file_line_and_column() -> None:
    with pytest.raises(PiError, match=r"^models\.json: not valid JSON at line 3, column 8: "):
        parse_jsonc('{ // one\n "a": 1, /* two */\n "b":  nope }', "models.json")


@pytest.mark.parametrize("text", ["", "{", '{"a": /* open', '{"a": "open', "[" * 100_000])
def test_what_is_cut_off_or_too_deep_is_an_error(text: str) -> None:
    with pytest.raises(PiError, match=r"^f: "):
        parse_jsonc(text, "f")
