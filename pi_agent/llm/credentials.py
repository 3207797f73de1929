"""Keys: where the one for a request comes from. Nothing here stores or logs one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pi_agent.base.errors import PiError
from pi_agent.llm.key_values import OnceResolver, is_command, resolve_value, variables_of
from pi_agent.llm.provider import Provider
from pi_tui.frozen import frozen


@frozen
class Credential:
    """A key and where it came from, in words for a person. No key: the provider needs none."""

    key: str | None = field(repr=False)
    source: str


async def find_credential(
    provider: Provider,
    environ: Mapping[str, str],
    given: str | None = None,
    once: OnceResolver | None = None,
    *,
    has_login: bool = False,
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
    raise PiError(f"No API key for {provider.id}", how_to_set_key(provider, has_login=has_login))


def how_to_set_key(provider: Provider, *, has_login: bool = False) -> str:
    """Return one line on how to give `provider` a key, where there is a screen with `/login` or none."""
    if has_login:
        return f"Give it one with /login {provider.id}."
    command = f"`pi auth login {provider.id}`"
    if provider.key_variables:
        return f"Set {provider.key_variables[0]}, or store one with {command}."
    return f"Store one with {command}, or set apiKey of {provider.id} in models.json."


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


def _describe(value: str, file: str) -> str:
    if is_command(value):
        return f"the command in {file}"
    named = variables_of(value)
    return f"{file} ({', '.join(named)})" if named else file


def _why_unresolved(value: str) -> str:
    if is_command(value):
        return "its command failed, printed nothing or took more than 10 seconds"
    return "a variable it names is not set" if "$" in value else "it is empty"
