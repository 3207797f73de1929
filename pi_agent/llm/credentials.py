"""Keys: how they are written, and where the one for a request comes from.

Nothing here stores or logs a key. A `!command` runs only when a request needs its output, never to
find out whether there is a key.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal as signals
from collections.abc import Mapping
from dataclasses import dataclass, field

from pi_agent.base.errors import PiError
from pi_agent.llm.provider import Provider

_COMMAND_SECONDS = 10.0
_VARIABLE = re.compile(r"\$(?:(?P<sign>[$!])|\{(?P<braced>\w+)\}|(?P<name>[A-Za-z_]\w*))", re.ASCII)


@dataclass(frozen=True, slots=True)
class Credential:
    """A key and where it came from, in words for a person. No key: the provider needs none."""

    key: str | None = field(repr=False)
    source: str


def is_configured(value: str, environ: Mapping[str, str]) -> bool:
    """Return whether `value` has all it needs; a command counts as configured, it is not run."""
    return value.startswith("!") or bool(_expand(value, environ))


async def resolve_value(value: str, environ: Mapping[str, str]) -> str | None:
    """Return what `value` stands for, or `None` if that cannot be told.

    Text is itself, `$NAME` and `${NAME}` are variables, `$$` and `$!` are `$` and `!`, and a whole
    `!command` is the command's output.
    """
    if value.startswith("!"):
        return await _output_of(value[1:], environ)
    return _expand(value, environ)


class OnceResolver:
    """Resolves values, and asks each command only once: failures are remembered, too."""

    def __init__(self) -> None:
        self._outputs: dict[str, str | None] = {}
        self._lock = asyncio.Lock()

    async def resolve(self, value: str, environ: Mapping[str, str]) -> str | None:
        """Return what `value` stands for; see `resolve_value`."""
        if not value.startswith("!"):
            return await resolve_value(value, environ)
        async with self._lock:
            if value not in self._outputs:
                self._outputs[value] = await resolve_value(value, environ)
            return self._outputs[value]


def has_credential(
    provider: Provider, environ: Mapping[str, str], given: str | None = None
) -> bool:
    """Return whether requests to `provider` can be made; `given` is a key from the command line."""
    return bool(given) or source_of_key(provider, environ) is not None


def source_of_key(provider: Provider, environ: Mapping[str, str]) -> str | None:
    """Return in words where the key for `provider` comes from, or that none is needed; `None` if there is none.

    Nothing is run for it: what a command prints may still be no key.
    """
    environ = {**environ, **provider.stored.environ}
    for written, file in ((provider.stored.key, "auth.json"), (provider.key, "models.json")):
        if written is not None:
            return _describe(written, file) if is_configured(written, environ) else None
    for name in provider.key_variables:
        if environ.get(name, "").strip():
            return name
    return None if provider.needs_key else "no key needed"


async def find_credential(
    provider: Provider,
    environ: Mapping[str, str],
    given: str | None = None,
    once: OnceResolver | None = None,
) -> Credential:
    """Return the key for one request: from the command line, `auth.json`, `models.json`, or the environment.

    `once` resolves what `auth.json` says. Raises `PiError` when there is no key.
    """
    if given:
        return Credential(given.strip(), "--api-key")
    environ = {**environ, **provider.stored.environ}
    if provider.stored.key is not None:
        key = await (once or OnceResolver()).resolve(provider.stored.key, environ)
        return _found(key, provider.stored.key, provider, "the key", "auth.json")
    if provider.key is not None:
        key = await resolve_value(provider.key, environ)
        return _found(key, provider.key, provider, "apiKey", "models.json")
    for name in provider.key_variables:
        key = environ.get(name, "").strip()
        if key:
            return Credential(key, f"the environment variable {name}")
    if not provider.needs_key:
        return Credential(None, "nowhere: none is set")
    raise PiError(f"No API key for {provider.id}", how_to_set_key(provider))


def how_to_set_key(provider: Provider) -> str:
    """Return one line on how to give `provider` a key."""
    if provider.key_variables:
        return f"Set {provider.key_variables[0]}, or apiKey of {provider.id} in models.json."
    return f"Set apiKey of {provider.id} in models.json."


def _found(
    key: str | None, written: str, provider: Provider, field_name: str, file: str
) -> Credential:
    """Return the key that a file gives. There is no second choice: the file says which one is meant."""
    if key:
        return Credential(key, _describe(written, file))
    raise PiError(
        f"No API key for {provider.id}: {_why_unresolved(written)}",
        f"Check {field_name} of {provider.id} in {file}.",
    )


def _expand(value: str, environ: Mapping[str, str]) -> str | None:
    missing = False

    def replace(match: re.Match[str]) -> str:
        nonlocal missing
        if match["sign"]:
            return match["sign"]
        found = environ.get(match["braced"] or match["name"], "").strip()
        missing = missing or not found
        return found

    expanded = _VARIABLE.sub(replace, value).strip()
    return None if missing else expanded or None


async def _output_of(command: str, environ: Mapping[str, str]) -> str | None:
    process = await asyncio.create_subprocess_shell(
        command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=dict(environ),
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(_COMMAND_SECONDS):
            output, _ = await process.communicate()
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signals.SIGKILL)
            await process.wait()
    if process.returncode != 0:
        return None
    return output.decode("utf-8", "replace").strip() or None


def _describe(value: str, file: str) -> str:
    if value.startswith("!"):
        return f"the command in {file}"
    names = [match["braced"] or match["name"] for match in _VARIABLE.finditer(value)]
    named = [name for name in names if name]
    return f"{file} ({', '.join(named)})" if named else file


def _why_unresolved(value: str) -> str:
    if value.startswith("!"):
        return "its command failed, printed nothing or took more than 10 seconds"
    return "a variable it names is not set" if "$" in value else "it is empty"
