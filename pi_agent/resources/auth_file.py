"""Read `auth.json`: the keys that were stored for providers.

Nothing of a key is ever quoted: what is wrong is named by its place alone.
"""

from __future__ import annotations

import json
from pathlib import Path

from pi_agent.base.wire import JsonValue
from pi_agent.llm.provider import AuthFile, StoredKey


def load_auth_file(path: Path) -> AuthFile:
    """Read the file at `path`; without one, or one that cannot be read, there are no keys."""
    try:
        data: JsonValue = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return AuthFile()
    except OSError as error:
        return AuthFile(problems=(f"{path}: cannot be read: {error.strerror}",))
    except (ValueError, RecursionError):
        return AuthFile(problems=(f"{path}: not valid JSON; its keys are not used",))
    if not isinstance(data, dict):
        return AuthFile(problems=(f"{path}: expected an object",))
    keys: dict[str, StoredKey] = {}
    problems: list[str] = []
    for provider_id, value in data.items():
        wrong = _what_is_wrong(value)
        if wrong is not None:
            problems.append(f"{path}: {provider_id}{wrong}")
        elif value.get("type") == "api_key":  # accounts are signed in to by other means
            keys[provider_id] = StoredKey(value.get("key"), value.get("env") or {})
    return AuthFile(keys, tuple(problems))


def _what_is_wrong(value: JsonValue) -> str | None:
    """Return the place in a credential and what was expected there."""
    if not isinstance(value, dict):
        return ": expected an object"
    if value.get("type") != "api_key":
        return None
    if not isinstance(value.get("key"), str | None):
        return ".key: expected a string"
    environ = value.get("env")
    if environ is None:
        return None
    if not isinstance(environ, dict) or not all(isinstance(each, str) for each in environ.values()):
        return ".env: expected an object of strings"
    return None
