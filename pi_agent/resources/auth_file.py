"""`auth.json`: the keys that are stored for providers. Other programs keep theirs and their accounts in it, too.

Nothing of a key is ever quoted: what is wrong is named by its place alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.json_edit import remove_member, set_member
from pi_agent.base.shared_file import change_shared
from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.provider import AuthFile, StoredKey

AUTH_FILE_NAME: Final = "auth.json"

_API_KEY: Final = "api_key"
_MEND: Final = "Mend it, or move it away."
_MODE: Final = 0o600
_STALE_SECONDS: Final = 30.0


class AuthFileError(PiError):
    """`auth.json` cannot be changed."""


def load_auth_file(path: Path) -> AuthFile:
    """Read the file at `path`; without one, or one that cannot be read, there are no keys."""
    try:
        data: JsonValue = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return AuthFile()
    except OSError as error:
        return AuthFile(problems=(f"{path}: cannot be read: {error.strerror}",))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return AuthFile(problems=(f"{path}: not valid JSON at {where}; its keys are not used",))
    except (ValueError, RecursionError):
        return AuthFile(problems=(f"{path}: not valid JSON; its keys are not used",))
    if not isinstance(data, dict):
        return AuthFile(problems=(f"{path}: expected an object",))
    keys: dict[str, StoredKey] = {}
    accounts: list[str] = []
    problems: list[str] = []
    for provider_id, value in data.items():
        wrong = _what_is_wrong(value)
        if wrong is not None:
            problems.append(f"{path}: {provider_id}{wrong}")
        elif value.get("type") == _API_KEY:
            keys[provider_id] = StoredKey(value.get("key"), value.get("env") or {})
        else:  # accounts are signed in to by other means
            accounts.append(provider_id)
    return AuthFile(keys, tuple(problems), frozenset(accounts))


def store_api_key(path: Path, provider_id: str, key: str) -> None:
    """Store a key as it is to be written in `auth.json`; of what is there for the provider, `env` stays.

    May wait for another program. Raises `AuthFileError`: the file stays as it was.
    """

    def change(text: str) -> str:
        owned = _parsed(text, path).get(provider_id)
        new: JsonObject = {"type": _API_KEY, "key": key}
        if not isinstance(owned, dict) or owned.get("type") != _API_KEY:
            return set_member(text, [provider_id], new)
        if _what_is_wrong({**owned, **new}) is not None:
            return set_member(text, [provider_id], new)
        return set_member(text, [provider_id, "key"], key)

    _change(path, change, "The key is not stored.")


def remove_credential(path: Path, provider_id: str) -> None:
    """Remove all that is stored for a provider, if anything is; see `store_api_key`."""

    def change(text: str) -> str:
        return remove_member(text, [provider_id]) if _parsed(text, path) else text

    _change(path, change, "Nothing is removed.")


def _change(path: Path, change: Callable[[str], str], in_vain: str) -> None:
    try:
        change_shared(path, change, stale_seconds=_STALE_SECONDS, mode=_MODE)
    except PiError as error:
        raise AuthFileError(f"{in_vain} {error.message}", error.hint) from error


def _parsed(text: str, path: Path) -> dict[str, JsonValue]:
    """Return what a file holds; an empty one holds nothing. Raises `PiError`: others may still want to mend it."""
    try:
        data: JsonValue = json.loads(text) if text.strip() else {}
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise PiError(f"{path}: not valid JSON at {where}: {error.msg}", _MEND) from error
    except RecursionError as error:
        raise PiError(f"{path}: nested too deeply", _MEND) from error
    if not isinstance(data, dict):
        raise PiError(f"{path}: expected an object", _MEND)
    return data


def _what_is_wrong(value: JsonValue) -> str | None:
    """Return the place in a credential and what was expected there."""
    if not isinstance(value, dict):
        return ": expected an object"
    if value.get("type") != _API_KEY:
        return None
    if not isinstance(value.get("key"), str | None):
        return ".key: expected a string"
    environ = value.get("env")
    if environ is None:
        return None
    if not isinstance(environ, dict) or not all(isinstance(each, str) for each in environ.values()):
        return ".env: expected an object of strings"
    return None
