"""The models of this run: those of `models.json`, and those that servers list.

Whose key or address the environment or `models.json` gives is known by its list only after `refresh`; a run
with a model named by id can start before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from dataclasses import replace

from pi_agent.base.clock import Clock, SystemClock, within
from pi_agent.base.errors import PiError
from pi_agent.base.http import HttpClient, is_loopback, is_offline
from pi_agent.base.paths import AgentPaths
from pi_agent.base.wire import JsonObject
from pi_agent.llm.credentials import Credential
from pi_agent.llm.keyring import Keyring
from pi_agent.llm.local.provider import LOCAL_API, LocalProvider
from pi_agent.llm.local_model import LocalModel
from pi_agent.llm.local_servers import FoundServer, find_local_servers
from pi_agent.llm.model import Model
from pi_agent.llm.model_lists import ModelLists
from pi_agent.llm.models_entries import ModelsFile
from pi_agent.llm.provider import OPENAI_CHAT_API, AuthFile, Provider
from pi_agent.llm.provider_list import collect_providers, unused_providers
from pi_agent.llm.providers.openai_chat import OpenAiChat
from pi_agent.llm.resolve import ModelChoice, not_found, resolve_reference, split_level
from pi_agent.llm.scripted import DEMO_API, DemoProvider
from pi_agent.llm.stream import (
    Context,
    MessageBuilder,
    StreamError,
    StreamEvent,
    StreamFunction,
    StreamOptions,
)
from pi_agent.llm.ways import NO_MODEL_YET
from pi_tui.abort import AbortError, AbortSignal

_KEY_REFUSED = ("401", "403")


class NoModelError(PiError):
    """There is no model to ask, or the chosen one cannot be asked."""


class ModelRegistry:
    """Knows providers and models, finds them by what people type, and sends requests to them.

    `stream_functions` adds protocols by their `api`, or replaces them. A given `http` stays open at `aclose`;
    without one `proxy` is where requests go through. `keys` are what opens the providers.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        models_file: ModelsFile | None = None,
        auth: AuthFile | None = None,
        *,
        http: HttpClient | None = None,
        proxy: str | None = None,
        clock: Clock | None = None,
        stream_functions: Mapping[str, StreamFunction] | None = None,
    ) -> None:
        self._environ = environ
        self._file = models_file or ModelsFile()
        self.keys = Keyring(environ, auth or AuthFile())
        self._clock = clock or SystemClock()
        self._http = http or HttpClient(environ, proxy=proxy)
        self._owns_http = http is None
        chat = OpenAiChat(self._http, self._clock)
        cache_dir = AgentPaths.from_environment(environ).cache_dir
        self._local = LocalProvider(LocalModel(cache_dir, environ), chat, self._clock)
        self._streams: dict[str, StreamFunction] = {
            OPENAI_CHAT_API: chat,
            LOCAL_API: self._local,
            DEMO_API: DemoProvider(environ, self._clock),
            **(stream_functions or {}),
        }
        self._added: dict[str, Provider] = {}
        self._providers = self._collect()
        self._lists = ModelLists(self._http, self.keys)

    @property
    def notices(self) -> list[str]:
        """What went wrong with `models.json`, `auth.json` and listing models, one line each."""
        files = (*self._file.problems, *self.keys.auth.problems)
        return [*files, *self._not_spoken(), *self._list_failures()]

    def reload(self, models_file: ModelsFile, auth: AuthFile) -> None:
        """Take what the files say now; what servers have listed stays known where they are the same ones."""
        before = self._providers
        self._file, self.keys.auth = models_file, auth
        self._providers = self._collect()
        for provider_id, old in before.items():
            new = self._providers.get(provider_id)
            if new is None or _origin(new) != _origin(old):
                self._lists.forget(provider_id)

    def _list_failures(self) -> list[str]:
        return [
            f"The models of {provider.name} cannot be listed: {failure}"
            for provider in self._providers.values()
            if (failure := self._lists.failure(provider.id)) is not None
        ]

    def find_servers(
        self, urls: Mapping[str, str] | None = None
    ) -> AsyncGenerator[FoundServer, None]:
        """Look for model servers on this machine; see `find_local_servers`."""
        return find_local_servers(self._http, urls)

    def add_server(self, server: FoundServer) -> Provider:
        """Know a server that was found for this run, under an id of its own."""
        provider = server.provider(server.kind.id)
        known = self._providers.get(provider.id)
        if known is not None and known.base_url != provider.base_url:
            provider = server.provider(f"{server.kind.id}-{server.port}")
            known = self._providers.get(provider.id)
        if known is not None:
            return known
        self._added[provider.id] = provider
        self._providers = self._collect()
        return provider

    def added(self, provider_id: str) -> Provider | None:
        """Return a provider that no file knows: it was added in this run."""
        is_in_file = provider_id in self._file.providers
        return None if is_in_file else self._added.get(provider_id)

    def _collect(self) -> dict[str, Provider]:
        return collect_providers(self._environ, self._file, self.keys.auth, self._added)

    def _not_spoken(self) -> list[str]:
        """Return a line for each provider of the file whose models cannot be asked at all."""
        return [
            f'{self._file.source}: providers.{provider.id}.api: pi does not speak "{provider.api}"'
            f" (it speaks: {OPENAI_CHAT_API})"
            for provider in self._providers.values()
            if provider.id in self._file.providers and provider.api not in self._streams
        ]

    def providers(self) -> list[Provider]:
        """Return the providers that pi can reach, with or without a key; the demo is the last one."""
        return list(self._providers.values())

    def providers_with_keys(self) -> list[Provider]:
        """Return the providers that a key can be stored for, those that nothing asks for yet at the end."""
        unused = unused_providers(self._environ, self._providers)
        return [*(one for one in self.providers() if one.takes_key), *unused]

    def key_changed(self, provider_id: str) -> None:
        """Forget what came of the key of a provider before; to be called after `reload`."""
        self._lists.forget_failure(provider_id)
        self.keys.forget_output(provider_id)

    def provider(self, provider_id: str) -> Provider | None:
        """Return a provider by id, upper or lower case."""
        wanted = provider_id.lower()
        return next((p for p in self._providers.values() if p.id.lower() == wanted), None)

    def is_listed(self, provider_id: str) -> bool:
        """Return whether all models of a provider are known: its server has listed them, or need not."""
        provider = self._providers.get(provider_id)
        return provider is not None and (not provider.lists_models or self._lists.has(provider_id))

    def list_failure(self, provider_id: str) -> str | None:
        """Return why a server could not list its models when it was asked last: `401: …`."""
        return self._lists.failure(provider_id)

    def models(self) -> list[Model]:
        """Return every known model, by provider and then by id."""
        return [model for provider in self.providers() for model in self._models_of(provider)]

    def available(self) -> list[Model]:
        """Return the models that can be asked now; those of the demo are the last ones."""
        return [model for model in self.models() if self.why_unavailable(model) is None]

    def candidates(self) -> list[Model]:
        """Return the models that can be asked now and may be chosen without being named."""
        on_request = {provider.id for provider in self.providers() if provider.on_request}
        return [model for model in self.available() if model.provider not in on_request]

    def find(self, provider_id: str, model_id: str) -> Model | None:
        """Return the model with exactly these ids as it is known now."""
        for model in self.models():
            if (model.provider, model.id) == (provider_id, model_id):
                return model
        return None

    def has_credentials(self, model: Model) -> bool:
        """Return whether there is a key for `model`, or none is needed. Runs no command."""
        provider = self._providers.get(model.provider)
        return provider is not None and self.keys.status(provider).is_usable

    def why_unavailable(self, model: Model) -> str | None:
        """Return why `model` cannot be asked, or `None` if it can."""
        if model.api not in self._streams:
            return f'pi does not speak the protocol "{model.api}"'
        if model.api == LOCAL_API:
            return self._local.model.why_unavailable()
        if not self.has_credentials(model):
            return f"No API key for {model.reference}"
        return None

    def check_available(self, model: Model) -> None:
        """Raise the `NoModelError` that says why `model` cannot be asked, and what to do about it."""
        reason = self.why_unavailable(model)
        if reason is None:
            return
        provider = self._providers.get(model.provider)
        if provider is None or self.has_credentials(model):
            raise NoModelError(reason)
        raise NoModelError(reason, self.keys.how_to_give(provider))

    def resolve(self, reference: str, provider: str | None = None) -> ModelChoice:
        """Find the model that `reference` means, at `provider` if given.

        An id that a provider does not list is taken as it is, with a warning. Raises `PiError` if
        nothing fits or several do; its hint names candidates.
        """
        models = self.models()
        if provider is not None:
            owner = self.provider(provider)
            if owner is None:
                raise PiError(f'Unknown provider "{provider}"', self._provider_hint(provider))
            reference = _without_prefix(reference, owner.id)
            models = [model for model in models if model.provider == owner.id]
            choice = resolve_reference(reference, models, self.has_credentials)
            return choice or self._custom(owner, reference)
        choice = resolve_reference(reference, models, self.has_credentials)
        if choice is not None:
            return choice
        named = self._provider_named_in(reference)
        if named is not None:
            return self._custom(named, _without_prefix(reference, named.id))
        raise self._not_found(reference, models)

    async def refresh(
        self, provider_ids: Iterable[str] | None = None, signal: AbortSignal | None = None
    ) -> None:
        """Ask servers for their models, all at once; never raises. Failures become `notices`.

        With `PI_OFFLINE` set only servers on this machine are asked. A list that cannot be had leaves
        the one before.
        """
        wanted = None if provider_ids is None else set(provider_ids)
        offline = is_offline(self._environ)
        await asyncio.gather(
            *(
                self._lists.ask(provider, signal)
                for provider in self.providers()
                if provider.lists_models
                and (wanted is None or provider.id in wanted)
                and (not offline or is_loopback(provider.base_url))
                and self.keys.status(provider).is_usable
            )
        )

    async def list_once(self, signal: AbortSignal | None = None) -> None:
        """Ask the servers that have not been asked for their models yet; see `refresh`."""
        await self.refresh(
            [one.id for one in self.providers() if not self._lists.was_asked(one.id)], signal
        )

    async def stream(
        self, model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        """Ask `model`; a `StreamFunction`. Looks up the key unless `options` has one."""
        try:
            speak = self._streams.get(model.api)
            if speak is None:
                raise PiError(f'pi does not speak the protocol "{model.api}" of {model.reference}')
            async with within(None, options.signal):  # a command that prints the key takes its time
                credential = await self._credential(model, options)
                headers = await self._headers(model) | options.headers
        except AbortError:
            yield MessageBuilder(model, int(self._clock.now() * 1000)).abort()
            return
        except PiError as error:
            builder = MessageBuilder(model, int(self._clock.now() * 1000))
            yield builder.fail(error.with_hint())
            return
        options = replace(options, api_key=credential.key, headers=headers)
        events = speak(model, context, options)
        try:
            async for event in events:
                if isinstance(event, StreamError):
                    self._add_key_hint(event, model, credential)
                yield event
        finally:
            # Whoever stops listening closes the connection at once.
            if isinstance(events, AsyncGenerator):
                await events.aclose()

    def warm_up(self) -> None:
        """Load what the first request needs; meant for a thread."""
        self._http.warm_up()

    async def aclose(self) -> None:
        """End what answers here, and close the connections."""
        await self._local.aclose()
        if self._owns_http:
            await self._http.aclose()

    # -- models ------------------------------------------------------------------------------------

    def _models_of(self, provider: Provider) -> list[Model]:
        models = {model.id: model for model in self._lists.models(provider.id)}
        models |= {model.id: model for model in provider.models}
        return [
            self._patched(models[model_id], provider) for model_id in sorted(models, key=str.lower)
        ]

    def _patched(self, model: Model, provider: Provider) -> Model:
        patch = provider.overrides.get(model.id)
        if patch is None:
            return model
        known = model.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return Model.from_wire(_merged(known, patch))

    def _custom(self, provider: Provider, reference: str) -> ModelChoice:
        model_id, level = split_level(reference)
        if not model_id or provider.on_request:
            raise self._not_found(f"{provider.id}/{reference}", list(provider.models))
        if provider.models:
            model = provider.models[0].model_copy(update={"id": model_id, "name": model_id})
        else:
            model = Model(
                id=model_id,
                provider=provider.id,
                api=provider.api,
                name=model_id,
                base_url=provider.base_url,
                compat=provider.compat,
            )
        model = self._patched(model, provider)
        if level not in (None, "off"):
            model = model.model_copy(update={"reasoning": True})
        if self.is_listed(provider.id):
            warning = f'{provider.name} does not list a model "{model_id}"; using it as given.'
        else:
            warning = f'The models of {provider.name} are not known; using "{model_id}" as given.'
        return ModelChoice(model, level, warning)

    def _provider_named_in(self, reference: str) -> Provider | None:
        named = [
            provider
            for provider in self.providers()
            if reference.lower().startswith(f"{provider.id.lower()}/")
        ]
        return max(named, key=lambda provider: len(provider.id), default=None)

    def _not_found(self, reference: str, models: list[Model]) -> PiError:
        error = not_found(reference, models)
        unknown = [
            provider.id
            for provider in self.providers()
            if not self.is_listed(provider.id) and self.keys.status(provider).is_usable
        ]
        if not unknown:
            if self.candidates() or not models:
                return error
            return PiError(error.message, f"{error.hint}\n{NO_MODEL_YET}")
        hint = f"Name one as {unknown[0]}/…: the models of {', '.join(unknown)} are not known."
        return PiError(error.message, f"{error.hint}\n{hint}" if models else hint)

    def _provider_hint(self, provider_id: str) -> str:
        names = [provider.id for provider in self.providers()]
        return f"Known: {', '.join(names)}"

    # -- requests ----------------------------------------------------------------------------------

    async def _credential(self, model: Model, options: StreamOptions) -> Credential:
        if options.api_key:
            return Credential(options.api_key, "the caller")
        provider = self._providers.get(model.provider)
        return await self.keys.find(provider) if provider else Credential(None, "nowhere")

    async def _headers(self, model: Model) -> dict[str, str]:
        provider = self._providers.get(model.provider)
        given = (provider.headers if provider else {}) | (model.headers or {})
        return await self.keys.resolve(given, provider, f"headers of {model.reference}")

    def _add_key_hint(self, event: StreamError, model: Model, credential: Credential) -> None:
        text = event.error.error_message or ""
        provider = self._providers.get(model.provider)
        if provider is None or not text.startswith(_KEY_REFUSED):
            return
        hint = self.keys.after_refusal(provider, credential)
        event.error.error_message = f"{text}\n{hint}"


def _origin(provider: Provider) -> tuple[str, str, bool]:
    return provider.base_url, provider.api, provider.lists_models


def _merged(base: JsonObject, patch: JsonObject) -> JsonObject:
    merged = dict(base)
    for key, value in patch.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            value = _merged(old, value)
        merged[key] = value
    return merged


def _without_prefix(reference: str, provider_id: str) -> str:
    """Cut the provider off, once: `openai/gpt-5` at `openai` is `gpt-5`."""
    prefix = f"{provider_id.lower()}/"
    return reference[len(prefix) :] if reference.lower().startswith(prefix) else reference
