"""The providers of a run: what pi knows, with what the environment and `models.json` say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from pi_agent.base.http import is_loopback
from pi_agent.base.wire import JsonObject
from pi_agent.llm.local.provider import local_provider
from pi_agent.llm.model import Model
from pi_agent.llm.models_entries import ModelEntry, ModelsFile, ProviderEntry
from pi_agent.llm.provider import (
    KNOWN_PROVIDERS,
    OPENAI_CHAT_API,
    OTHER_APIS,
    AuthFile,
    KnownProvider,
    Provider,
    StoredKey,
)
from pi_agent.llm.scripted import demo_provider


def collect_providers(
    environ: Mapping[str, str],
    models_file: ModelsFile,
    auth: AuthFile,
    added: Mapping[str, Provider] = MappingProxyType({}),
) -> dict[str, Provider]:
    """Return the providers by id: those pi knows, of the file, that were `added` in this run, and the built-in ones."""
    entries = dict(models_file.providers)
    providers: dict[str, Provider] = {}
    for known in KNOWN_PROVIDERS:
        entry = entries.pop(known.id, None)
        stored = auth.keys.get(known.id, StoredKey())
        own_environ = {**environ, **stored.environ}
        # A server that needs no key would be looked for at every start.
        is_wanted = entry is not None or known.id in auth.keys or _is_named(known, own_environ)
        if known.needs_key or is_wanted:
            provider = _known(known, entry or ProviderEntry(), own_environ)
            providers[known.id] = replace(provider, stored=stored)
    for provider_id, entry in entries.items():
        stored = auth.keys.get(provider_id, StoredKey())
        providers[provider_id] = replace(_from_file(provider_id, entry), stored=stored)
    for provider_id, provider in added.items():
        stored = auth.keys.get(provider_id, StoredKey())
        if provider_id not in models_file.providers:
            providers[provider_id] = replace(provider, stored=stored)
    demo = demo_provider()
    return {**providers, **_built_in_model(models_file), demo.id: demo}


def _built_in_model(models_file: ModelsFile) -> dict[str, Provider]:
    """Return the provider of the small model; a server of the user's own that is called like it stays."""
    local = local_provider()
    entry = models_file.providers.get(local.id, ProviderEntry())
    if entry.base_url:
        return {}
    return {local.id: replace(local, overrides=_overrides(entry))}


def unused_providers(environ: Mapping[str, str], used: Mapping[str, Provider]) -> list[Provider]:
    """Return the known providers that are not among those of a run: nothing asks for them yet."""
    return [
        _known(known, ProviderEntry(), environ) for known in KNOWN_PROVIDERS if known.id not in used
    ]


def _is_named(known: KnownProvider, environ: Mapping[str, str]) -> bool:
    return bool(
        environ.get(known.key_variable)
        or (known.base_url_variable and environ.get(known.base_url_variable))
    )


def _known(known: KnownProvider, entry: ProviderEntry, environ: Mapping[str, str]) -> Provider:
    from_environment = environ.get(known.base_url_variable or "", "").strip()
    base_url = (entry.base_url or from_environment or known.base_url).rstrip("/")
    provider = Provider(
        id=known.id,
        name=entry.name or known.name,
        base_url=base_url,
        api=entry.api or OPENAI_CHAT_API,
        key=entry.api_key,
        key_variables=(known.key_variable,),
        needs_key=known.needs_key and not is_loopback(base_url),
        headers=entry.headers or {},
        compat=entry.compat or {},
        overrides=_overrides(entry),
    )
    return _with_models(provider, entry, lists_models=True)


def _from_file(provider_id: str, entry: ProviderEntry) -> Provider:
    provider = Provider(
        id=provider_id,
        name=entry.name or provider_id,
        base_url=(entry.base_url or "").rstrip("/"),
        api=entry.api or OTHER_APIS.get(provider_id, OPENAI_CHAT_API),
        key=entry.api_key,
        needs_key=False,
        headers=entry.headers or {},
        compat=entry.compat or {},
        overrides=_overrides(entry),
    )
    return _with_models(provider, entry, lists_models=not entry.models)


def _with_models(provider: Provider, entry: ProviderEntry, *, lists_models: bool) -> Provider:
    return replace(
        provider,
        lists_models=lists_models and provider.api == OPENAI_CHAT_API,
        models=tuple(_declared(model, provider) for model in entry.models or ()),
    )


def _declared(entry: ModelEntry, provider: Provider) -> Model:
    wire: JsonObject = {
        "provider": provider.id,
        "api": provider.api,
        "baseUrl": provider.base_url,
        "name": entry.id,
    } | entry.to_wire()
    wire["compat"] = provider.compat | (entry.compat or {})
    wire["baseUrl"] = wire["baseUrl"].rstrip("/")
    return Model.from_wire(wire)


def _overrides(entry: ProviderEntry) -> dict[str, JsonObject]:
    return {model_id: patch.to_wire() for model_id, patch in (entry.model_overrides or {}).items()}
