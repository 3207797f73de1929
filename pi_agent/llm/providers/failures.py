"""What a server says went wrong, in one readable text without secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus

from pi_agent.base.wire import JsonValue
from pi_tui.patterns import pattern

MAX_BODY_CHARS = 4000

_SECRET_HEADERS = pattern("authorization|api-?key|token|cookie|secret", re.IGNORECASE)
_TITLE = pattern(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_SCHEME = pattern(r"^(?:bearer|basic)\s+", re.IGNORECASE)
# Anything shorter could be part of an ordinary word.
_LEAST_SECRET = 6


def status_text(status: int, body: bytes) -> str:
    """Return `<status>: <what the body says>`."""
    text = body.decode("utf-8", "replace").strip()
    return f"{status}: {body_text(text) or _phrase(status)}"


def body_text(text: str) -> str:
    """Return what a body says: the message of its JSON, the title of its HTML, or itself."""
    if text.startswith("<"):
        title = _TITLE.search(text)
        if title:
            return " ".join(title[1].split())
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text[:MAX_BODY_CHARS]
    return (error_text(value) or text)[:MAX_BODY_CHARS]


def error_text(value: JsonValue) -> str | None:
    """Return the message of a decoded error body in one of the common shapes, or `None`."""
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, str):
        return value.strip() or None
    if not isinstance(value, dict):
        return None
    for key in ("error", "message", "detail", "errors", "msg"):
        text = error_text(value.get(key))
        if text:
            return text if key == "error" else _with_code(text, value)
    code = value.get("code") or value.get("type")
    return code if isinstance(code, str) else None


def chunk_error_text(value: JsonValue) -> str:
    """Return the text of an `error` in the middle of a stream, with its number in front if it has one."""
    text = error_text(value) or json.dumps(value)[:MAX_BODY_CHARS]
    code = value.get("code") if isinstance(value, dict) else None
    return f"{code}: {text}" if isinstance(code, int) else text


def secrets_of(api_key: str | None, headers: Mapping[str, str]) -> list[str]:
    """Return what must not appear in a text about a request with this key and these headers."""
    values = [value for name, value in headers.items() if _SECRET_HEADERS.search(name)]
    return [api_key or "", *values, *(_SCHEME.sub("", value) for value in values)]


def redact(text: str, secrets: Iterable[str]) -> str:
    """Return `text` with every secret replaced."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        if len(secret) >= _LEAST_SECRET:
            text = text.replace(secret, "***")
    return text


def _with_code(text: str, error: Mapping[str, JsonValue]) -> str:
    """Add what else classifies the failure: a code in words, and what a server behind a gateway said."""
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    for extra in (error.get("code"), error.get("type"), raw):
        if isinstance(extra, str) and extra and extra not in text:
            text = f"{text} ({extra})"
    return text


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "the body is empty"
