"""How a key is written: text that stands for itself can always be, and what cannot be a key is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.llm.key_status import key_status, without_stored
from pi_agent.llm.key_values import OnceResolver, expand, is_command, key_problem, literal
from pi_agent.llm.provider import Provider, StoredKey


@given(st.text("$!{}aA_1-", min_size=1))
def test_any_text_can_be_written_so_that_it_stands_for_itself(text: str) -> None:
    written = literal(text)
    assert not is_command(written)
    assert expand(written, {"a": "x", "A": "y"}) == text


@pytest.mark.parametrize("key", ["sk-abc_DEF.123==", "$NAME", "a${B}c", "!pass show it", "$$x"])
def test_what_can_lead_to_a_key_is_taken(key: str) -> None:
    assert key_problem(key) is None


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("sk-abc def", "a blank"),
        ("sk-é", "letters without accents"),
        ("sk-\u200babc", "letters without accents"),
        ("sk-a\x07", "letters without accents"),
        ("!", "no command"),
        ("!  ", "no command"),
    ],
)
def test_what_cannot_be_a_key_is_told_without_it(key: str, told: str) -> None:
    problem = key_problem(key)
    assert problem is not None
    assert told in problem
    assert "sk" not in problem


@pytest.mark.anyio
async def test_a_command_is_asked_again_after_it_was_forgotten(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    file = tmp_path_factory.mktemp("key") / "key"
    once, command = OnceResolver(), f"!cat {file}"
    environ = {"PATH": "/usr/bin:/bin"}
    assert await once.resolve(command, environ) is None
    file.write_text("k")
    assert await once.resolve(command, environ) is None
    once.forget(command)
    assert await once.resolve(command, environ) == "k"


def provider(
    stored: str | None = None, key: str | None = None, *, needs_key: bool = True
) -> Provider:
    return Provider(
        "p",
        "P",
        "http://h",
        stored=StoredKey(stored, {"OWN": "1"}),
        key=key,
        key_variables=("P_KEY",),
        needs_key=needs_key,
    )


@pytest.mark.parametrize(
    ("owner", "environ", "given", "words", "usable"),
    [
        (provider("s", "m"), {"P_KEY": "e"}, "g", "--api-key", True),
        (provider("s", "m"), {"P_KEY": "e"}, None, "stored", True),
        (provider("$OWN", "m"), {}, None, "stored", True),
        (provider("$GONE", "m"), {"P_KEY": "e"}, None, "stored, but a variable is not set", False),
        (provider("!exit 1"), {}, None, "stored", True),
        (provider(None, "m"), {"P_KEY": "e"}, None, "models.json", True),
        (provider(None, "$GONE"), {}, None, "models.json, but a variable is not set", False),
        (provider(), {"P_KEY": "e"}, None, "environment P_KEY", True),
        (provider(), {"P_KEY": " "}, None, "not configured", False),
        (provider(needs_key=False), {}, None, "no key needed", True),
        (provider(needs_key=False), {"P_KEY": "e"}, None, "environment P_KEY", True),
        (without_stored(provider("s", "m")), {}, None, "models.json", True),
    ],
)  # fmt: skip
def test_the_place_of_a_key_in_words(
    owner: Provider, environ: dict[str, str], given: str | None, words: str, usable: bool
) -> None:
    status = key_status(owner, environ, given)
    assert status.words == words
    assert status.is_usable is usable
