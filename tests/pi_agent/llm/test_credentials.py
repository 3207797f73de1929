"""Keys come from where the user put them, commands run only for a request, and nothing repeats a key."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.llm.credentials import find_credential
from pi_agent.llm.key_status import key_status
from pi_agent.llm.key_values import OnceResolver, is_configured, resolve_value
from pi_agent.llm.provider import Provider, StoredKey

pytestmark = pytest.mark.anyio

ENVIRON = {"KEY": "k-1", "REGION": "eu", "EMPTY": "", "BLANK": "k-2\n"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text", "text"),
        ("$KEY", "k-1"),
        ("${KEY}", "k-1"),
        ("a-${REGION}-$KEY.", "a-eu-k-1."),
        ("$BLANK", "k-2"),
        ("$MISSING", None),
        ("x-${MISSING}", None),
        ("$EMPTY", None),
        ("", None),
        ("cost$$5", "cost$5"),
        ("$!x", "!x"),
        ("5$ and $", "5$ and $"),
        ("!printf ' out \\n'", "out"),
        ("!echo $KEY", "k-1"),
        ("!exit 3", None),
        ("!echo out; exit 3", None),
        ("!true", None),
        ("!no-such-command-here", None),
    ],
)
async def test_values(value: str, expected: str | None) -> None:
    environ = ENVIRON | {"PATH": "/usr/bin:/bin"}
    assert await resolve_value(value, environ) == expected


async def test_asking_whether_there_is_a_key_runs_no_command(tmp_path: Path) -> None:
    command = f"!touch {tmp_path}/ran; echo key"
    assert is_configured(command, {})
    assert key_status(Provider("p", "P", "http://h", key=command), {}).is_usable
    assert not (tmp_path / "ran").exists()
    assert await resolve_value(command, {"PATH": "/usr/bin:/bin"}) == "key"
    assert (tmp_path / "ran").exists()


def provider(key: str | None = None, *, needs_key: bool = True) -> Provider:
    return Provider(
        "acme", "Acme", "http://h", key=key, key_variables=("KEY",), needs_key=needs_key
    )


@pytest.mark.parametrize(
    ("owner", "given", "environ", "key", "source"),
    [
        (provider("file"), "given", ENVIRON, "given", "--api-key"),
        (provider("file"), None, ENVIRON, "file", "models.json"),
        (provider("$REGION"), None, ENVIRON, "eu", "models.json (REGION)"),
        (provider(), None, ENVIRON, "k-1", "the environment variable KEY"),
        (provider(needs_key=False), None, {}, None, ""),
        (provider(needs_key=False), None, ENVIRON, "k-1", "the environment variable KEY"),
    ],
)
async def test_which_key_wins(
    owner: Provider, given: str | None, environ: dict[str, str], key: str | None, source: str
) -> None:
    found = await find_credential(owner, environ, given)
    assert found.key == key
    assert source in found.source
    assert key_status(owner, environ, given).is_usable
    assert key is None or key not in repr(found)


@pytest.mark.parametrize(
    ("owner", "hint"),
    [
        (provider(), "Set KEY, or store one with `pi auth login acme`."),
        (provider("$MISSING"), "Check apiKey of acme in models.json."),
        (provider("$MISSING", needs_key=False), "Check apiKey of acme in models.json."),
        (
            Provider("acme", "Acme", "http://h"),
            "Store one with `pi auth login acme`, or set apiKey of acme in models.json.",
        ),
    ],
)
async def test_without_a_key_the_hint_says_where_to_put_one(owner: Provider, hint: str) -> None:
    assert not key_status(owner, {}).is_usable
    with pytest.raises(PiError, match=r"^No API key for acme") as caught:
        await find_credential(owner, {})
    assert caught.value.hint == hint


async def test_a_key_of_the_file_owns_its_provider_though_its_command_fails() -> None:
    with pytest.raises(PiError, match="command failed"):
        await find_credential(provider("!exit 1"), ENVIRON | {"PATH": "/usr/bin:/bin"})


def stored(key: str | None, **environ: str) -> Provider:
    return replace(provider("file"), stored=StoredKey(key, environ))


@pytest.mark.parametrize(
    ("owner", "key", "source"),
    [
        (stored("mine"), "mine", "auth.json"),
        (stored("$REGION"), "eu", "auth.json (REGION)"),
        (stored("$REGION", REGION="us"), "us", "auth.json (REGION)"),
        (stored("!echo $KEY", KEY="own"), "own", "the command in auth.json"),
        (stored(None), "file", "models.json"),
        (replace(stored(None, KEY="own"), key=None), "own", "the environment variable KEY"),
    ],
)
async def test_a_stored_key_wins_over_the_file_and_has_variables_of_its_own(
    owner: Provider, key: str, source: str
) -> None:
    environ = ENVIRON | {"PATH": "/usr/bin:/bin"}
    found = await find_credential(owner, environ)
    assert (found.key, found.source) == (key, source)
    assert key_status(owner, environ).is_usable


@pytest.mark.parametrize("key", ["!exit 1", "$MISSING", ""])
async def test_a_stored_key_owns_its_provider_though_there_is_none(key: str) -> None:
    with pytest.raises(PiError, match="No API key for acme") as caught:
        await find_credential(stored(key), ENVIRON | {"PATH": "/usr/bin:/bin"})
    assert caught.value.hint == "Check the key of acme in auth.json."


@pytest.mark.parametrize(("end", "expected"), [("echo key", "key"), ("exit 1", None)])
async def test_a_stored_command_runs_once_whatever_it_says(
    end: str, expected: str | None, tmp_path: Path
) -> None:
    once = OnceResolver()
    command = f"!echo ran >> {tmp_path}/log; {end}"
    environ = {"PATH": "/usr/bin:/bin"}
    found = await asyncio.gather(*(once.resolve(command, environ) for _ in range(10)))
    assert found == [expected] * 10
    assert (tmp_path / "log").read_text() == "ran\n"
    assert await once.resolve("$A", {"A": "1"}) == "1"
    assert await once.resolve("$A", {"A": "2"}) == "2"
