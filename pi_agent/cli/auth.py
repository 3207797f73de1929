"""`pi auth`: store the key of a provider, remove it, and see whether there is one, without a screen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal

from pi_agent.base.errors import PiError
from pi_agent.base.paths import AgentPaths
from pi_agent.base.text_paths import with_tilde
from pi_agent.cli.hidden_prompt import read_secret
from pi_agent.cli.subcommands import SubcommandWords, find_subcommand, read_words
from pi_agent.llm.key_status import without_stored
from pi_agent.llm.key_words import told_of_next, told_of_other
from pi_agent.llm.provider import Provider
from pi_agent.llm.registry import ModelRegistry
from pi_agent.resources.auth_file import (
    AUTH_FILE_NAME,
    load_auth_file,
    remove_credential,
    store_api_key,
)
from pi_agent.resources.models_file import load_models_file
from pi_agent.ui.dialogs.key_reading import read_key
from pi_tui.frozen import frozen

_EXIT_CODES: Final[Mapping[str, int]] = {"ready": 0, "not_ready": 1, "invalid": 2}


@frozen
class _Keys:
    """The keys of whoever runs this, and what they are for."""

    environ: Mapping[str, str]
    path: Path
    registry: ModelRegistry

    @property
    def place(self) -> str:
        """Where keys are stored, as people write it."""
        return with_tilde(str(self.path), self.environ.get("HOME"))


@frozen
class _Readiness:
    """Whether requests to a provider can be made; `message` says what is wrong, or where the key is from."""

    provider: str
    status: Literal["ready", "not_ready", "invalid"]
    message: str


def run(words: Sequence[str], environ: Mapping[str, str]) -> int:
    """Do what the first word says; returns the exit status."""
    row = find_subcommand(["auth"])
    assert row is not None, "the table has the name of this module"
    folder = AgentPaths.from_environment(environ).agent_dir
    path = folder / AUTH_FILE_NAME
    models = load_models_file(folder / "models.json")
    registry = ModelRegistry(environ, models, load_auth_file(path))
    return _VERBS[words[0]](_Keys(environ, path, registry), read_words(row, words))


def _login(keys: _Keys, words: SubcommandWords) -> int:
    provider = _find(keys.registry, words.arguments[0])
    typed = read_secret(f"Key for {provider.name} (it does not show): ")
    reading = read_key(typed, keys.environ)
    if reading.written is None:
        raise PiError(f"Nothing is stored. {reading.words}")
    store_api_key(keys.path, provider.id, reading.written)
    print(f"The key of {provider.name} is stored in {keys.place}, which only you can read.")
    print(reading.words)
    other = told_of_other(keys.registry.keys.status(without_stored(provider)))
    if other is not None:
        print(other)
    return 0


def _logout(keys: _Keys, words: SubcommandWords) -> int:
    name, auth = words.arguments[0], keys.registry.keys.auth
    stored = next((each for each in auth.keys if each.lower() == name.lower()), None)
    if stored is None and name in auth.accounts:
        raise PiError(f"{name} has an account of another program, which pi leaves alone.")
    if stored is None:
        raise PiError(f"Nothing is stored for {name}.", "; ".join(auth.problems) or None)
    remove_credential(keys.path, stored)
    print(f"The key of {stored} is removed.")
    provider = keys.registry.provider(stored)
    if provider is not None:
        left = keys.registry.keys.status(without_stored(provider))
        print(told_of_next(left, f"`pi auth login {stored}`"))
    return 0


def _check(keys: _Keys, words: SubcommandWords) -> int:
    found = asyncio.run(_readiness(keys.registry, words.options))
    if "--json" in words.options:
        print(json.dumps(asdict(found)))
    else:
        print(f"{found.provider}: {found.status.replace('_', ' ')}: {found.message}")
    return _EXIT_CODES[found.status]


async def _readiness(registry: ModelRegistry, options: Mapping[str, str]) -> _Readiness:
    """Look the key up as a request would; a command that prints it runs. No server is asked."""
    name, model = options.get("--provider"), options.get("--model")
    if (name is None) == (model is None):
        raise PiError("`pi auth check` takes either --provider or --model.")
    try:
        if model is not None:
            name = registry.resolve(model).model.provider
        provider = _find(registry, name or "")
    except PiError as error:
        return _Readiness(name or model or "", "invalid", error.with_hint())
    try:
        credential = await registry.keys.find(provider)
    except PiError as error:
        return _Readiness(provider.id, "not_ready", error.with_hint())
    found = f"the key comes from {credential.source}" if credential.key else "no key needed"
    return _Readiness(provider.id, "ready", found)


def _find(registry: ModelRegistry, name: str) -> Provider:
    """Return a provider by id, upper or lower case. Raises `PiError` that names others."""
    known = {each.id.lower(): each for each in registry.providers_with_keys()}
    if name.lower() in known:
        return known[name.lower()]
    close = get_close_matches(name.lower(), known, n=2, cutoff=0.6) or sorted(known)
    raise PiError(f'There is no provider "{name}".', f"Known: {', '.join(close)}.")


_VERBS: Final[Mapping[str, Callable[[_Keys, SubcommandWords], int]]] = {
    "login": _login,
    "logout": _logout,
    "check": _check,
}
