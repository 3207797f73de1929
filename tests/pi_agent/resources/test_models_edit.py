"""A provider is added to `models.json` without a change to anything else in it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.resources.models_edit import store_provider
from pi_agent.resources.models_file import load_models_file

ENTRY = {"name": "Ollama", "baseUrl": "http://127.0.0.1:11434/v1"}


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "agent" / "models.json"
    store_provider(path, "ollama", ENTRY)
    file = load_models_file(path)
    assert file.problems == ()
    assert file.providers["ollama"].base_url == "http://127.0.0.1:11434/v1"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_comments_and_all_else_stay(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    before = """\ufeff{
    // my servers
    "providers": {
        "acme": {"baseUrl": "https://acme.example/v1", "apiKey": "$ACME", "odd": [1, 2,],}, /* keep */
    },
}
"""
    path.write_text(before, encoding="utf-8")
    store_provider(path, "ollama", ENTRY)
    after = path.read_text(encoding="utf-8")
    assert list(load_models_file(path).providers) == ["acme", "ollama"]
    start = after.index('        "ollama"')
    end = after.index("    },\n}")
    assert after[:start].rstrip() + "\n" + after[end:] == before


def test_a_provider_that_is_wrong_keeps_no_other_from_being_added(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    path.write_text('{"providers": {"bad": {}}}')
    store_provider(path, "ollama", ENTRY)
    assert list(load_models_file(path).providers) == ["ollama"]
    assert '"bad": {}' in path.read_text()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"providers": {', "not valid JSON at line 1, column 16"),
        ("[]", "expected an object"),
        ('{"providers": []}', "providers: expected an object"),
    ],
)
def test_a_broken_file_is_left_as_it_is(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "models.json"
    path.write_text(text)
    with pytest.raises(PiError) as failed:
        store_provider(path, "ollama", ENTRY)
    assert failed.value.message.startswith(f"Not saved. {path}: ")
    assert told in failed.value.message
    assert failed.value.hint == "Mend the file, then choose again."
    assert path.read_text() == text
    assert sorted(tmp_path.iterdir()) == [path]
