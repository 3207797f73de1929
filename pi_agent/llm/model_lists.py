"""The models that servers have listed in this run, and why others have not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pi_agent.base.clock import within
from pi_agent.base.errors import PiError
from pi_agent.base.http import HttpClient
from pi_agent.base.wire import JsonValue
from pi_agent.llm.keyring import Keyring
from pi_agent.llm.model import Model
from pi_agent.llm.model_list import read_model_list
from pi_agent.llm.provider import Provider
from pi_agent.llm.providers.failures import body_text, redact, secrets_of, status_text
from pi_tui.abort import AbortError, AbortSignal

_LIST_SECONDS = 15.0
_MAX_LIST_BYTES = 16 * 1024 * 1024
_MAX_QUOTE_CHARS = 200


class ModelLists:
    """Asks servers for their models; a list that cannot be had leaves the one before."""

    def __init__(self, http: HttpClient, keys: Keyring) -> None:
        self._http = http
        self._keys = keys
        self._listed: dict[str, list[Model]] = {}
        self._failures: dict[str, str] = {}
        self._asked: set[str] = set()

    def has(self, provider_id: str) -> bool:
        """Return whether the server has listed its models."""
        return provider_id in self._listed

    def models(self, provider_id: str) -> Sequence[Model]:
        """Return what it has listed."""
        return self._listed.get(provider_id, ())

    def failure(self, provider_id: str) -> str | None:
        """Return why it could not list them when it was asked last: `401: …`."""
        return self._failures.get(provider_id)

    def was_asked(self, provider_id: str) -> bool:
        """Return whether it was asked at all."""
        return provider_id in self._asked

    def forget_failure(self, provider_id: str) -> None:
        """Forget why it could not list them."""
        self._failures.pop(provider_id, None)

    def forget(self, provider_id: str) -> None:
        """Forget all of a provider: it is another server now."""
        self._asked.discard(provider_id)
        self._listed.pop(provider_id, None)
        self._failures.pop(provider_id, None)

    async def ask(self, provider: Provider, signal: AbortSignal | None) -> None:
        """Ask a server for its models; never raises."""
        secrets: list[str] = []
        self._asked.add(provider.id)
        try:
            async with within(None, signal):  # commands that print keys take the time they take
                credential = await self._keys.find(provider)
                headers = await self._keys.resolve(
                    provider.headers, provider, f"headers of {provider.id}"
                )
            secrets = secrets_of(credential.key, headers)
            if credential.key:
                headers = {"authorization": f"Bearer {credential.key}"} | headers
            async with within(_LIST_SECONDS, signal):
                data = await self._get_json(f"{provider.base_url}/models", headers)
            self._listed[provider.id] = read_model_list(data, provider)
            self._failures.pop(provider.id, None)
        except AbortError:
            return
        except TimeoutError:
            self._failures[provider.id] = f"no answer within {_LIST_SECONDS:g} seconds"
        except (PiError, ValueError, OSError) as error:
            self._failures[provider.id] = redact(str(error), secrets)

    async def _get_json(self, url: str, headers: Mapping[str, str]) -> JsonValue:
        async with self._http.stream("GET", url, headers=headers) as response:
            body = await response.read(_MAX_LIST_BYTES)
            if not 200 <= response.status < 300:
                raise PiError(status_text(response.status, body))
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            text = body_text(body.decode("utf-8", "replace"))
            raise PiError(f"the answer is not JSON: {text[:_MAX_QUOTE_CHARS]}") from error
