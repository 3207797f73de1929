"""`auth.json` gives keys; what is wrong with it is told by its place, and never with a key in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.llm.provider import StoredKey
from pi_agent.resources.auth_file import load_auth_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "auth.json"


def test_keys_are_read_and_accounts_are_left_alone(path: Path) -> None:
    path.write_text(
        """{"acme": {"type": "api_key", "key": "!pass show acme", "env": {"ACME_REGION": "eu"}},
            "bare": {"type": "api_key"},
            "corp": {"type": "oauth", "access": "a", "refresh": "r", "expires": 1, "accountId": "42"},
            "new": {"type": "passkey", "key": 1}}"""
    )
    file = load_auth_file(path)
    assert file.problems == ()
    assert file.keys == {
        "acme": StoredKey("!pass show acme", {"ACME_REGION": "eu"}),
        "bare": StoredKey(),
    }
    assert file.accounts == {"corp", "new"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": ', "not valid JSON at line 1, column 7; its keys are not used"),
        ("[]", "expected an object"),
        ('{"acme": "sk-secret"}', "acme: expected an object"),
        ('{"acme": {"type": "api_key", "key": ["sk-secret"]}}', "acme.key: expected a string"),
        (
            '{"acme": {"type": "api_key", "key": "sk-secret", "env": {"A": 1}}}',
            "acme.env: expected an object of strings",
        ),
        (
            '{"acme": {"type": "api_key", "key": "sk-secret", "env": "sk-secret"}}',
            "acme.env: expected an object of strings",
        ),
    ],
)
def test_what_is_wrong_is_named_without_any_key(text: str, problem: str, path: Path) -> None:
    path.write_text(text)
    file = load_auth_file(path)
    assert file.problems == (f"{path}: {problem}",)
    assert file.keys == {}


def test_one_mistake_costs_one_provider(path: Path) -> None:
    path.write_text('{"bad": 1, "good": {"type": "api_key", "key": "k"}}')
    file = load_auth_file(path)
    assert len(file.problems) == 1
    assert list(file.keys) == ["good"]


def test_no_file_is_fine_and_a_folder_is_told(path: Path) -> None:
    assert load_auth_file(path).problems == ()
    path.mkdir()
    (problem,) = load_auth_file(path).problems
    assert problem.startswith(f"{path}: cannot be read: ")


def test_keys_stay_out_of_what_is_printed(path: Path) -> None:
    path.write_text('{"acme": {"type": "api_key", "key": "sk-secret", "env": {"A": "sk-secret"}}}')
    assert "sk-secret" not in repr(load_auth_file(path))
