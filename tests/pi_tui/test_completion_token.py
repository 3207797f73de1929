"""The word before the cursor: what it is taken for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.completion_token import attachment_token, path_token


@pytest.mark.parametrize(
    ("before", "token"),
    [
        ("@", "@"),
        ("see @src/a", "@src/a"),
        ("(@src", "@src"),
        ("看，@a", "@a"),
        ("x=@a", "@a"),
        ('@"my d', '@"my d'),
        ('(@"my d', '@"my d'),
        ('"a b" @"my d', '@"my d'),
        ("me@host", None),
        ('me@"my d', None),
        ('@"my dir" x', None),
        ("@a b", None),
        ("", None),
    ],
)
def test_an_attachment_is_a_word_behind_an_at_sign(before: str, token: str | None) -> None:
    assert attachment_token(before) == token


@pytest.mark.parametrize(
    ("before", "typed", "forced"),
    [
        ("", None, ""),
        ("foo ", "", ""),
        ("x=", None, ""),
        ("foo ma", None, "ma"),
        ("./sr", "./sr", "./sr"),
        (".g", ".g", ".g"),
        ("~/x", "~/x", "~/x"),
        ("~", None, "~"),
        ("look at /srv/x/sr", "/srv/x/sr", "/srv/x/sr"),
        ('"my d', None, '"my d'),
        ('"my dir/a', '"my dir/a', '"my dir/a'),
        ('open "a" src/', "src/", "src/"),
        ("(src/a", "src/a", "src/a"),
        ("`src/a", "src/a", "src/a"),
        ("run(src/a", "src/a", "src/a"),
        ("[text](src/a", "src/a", "src/a"),
        ("app/[slug]/pa", "app/[slug]/pa", "app/[slug]/pa"),
        ("app/[sl", "app/[sl", "app/[sl"),
        ("app/(group)/", "app/(group)/", "app/(group)/"),
        ("([slug]/pa", "[slug]/pa", "[slug]/pa"),
        ("`a/b`/c", "`a/b`/c", "`a/b`/c"),
        ("见：src/a", "src/a", "src/a"),
        ("it's a/b", "a/b", "a/b"),
    ],
)
def test_a_path_is_a_word_that_looks_like_one_or_any_on_tab(
    before: str, typed: str | None, forced: str
) -> None:
    assert path_token(before, force=False) == typed
    assert path_token(before, force=True) == forced


@given(st.text('@"/.( `=ab', max_size=12))
def test_a_token_is_what_the_text_ends_in(before: str) -> None:
    for token in (attachment_token(before), path_token(before, force=True)):
        assert token is None or before.endswith(token)
