"""The keys of a run: from the command line, `auth.json`, `models.json` and the environment."""

from __future__ import annotations

from collections.abc import Mapping

from pi_agent.base.errors import PiError
from pi_agent.llm.credentials import Credential, find_credential, how_to_set_key
from pi_agent.llm.key_status import KeyStatus, key_status
from pi_agent.llm.key_values import OnceResolver, resolve_value
from pi_agent.llm.provider import AuthFile, Provider


class Keyring:
    """Finds the key for a provider. `auth` is what `auth.json` said when it was read last.

    `has_login`: what is missing can be given with `/login`.
    """

    def __init__(self, environ: Mapping[str, str], auth: AuthFile) -> None:
        self.auth = auth
        self.has_login = False
        self._environ = environ
        self._given: dict[str, str] = {}
        self._once = OnceResolver()

    def give(self, provider_id: str, api_key: str) -> None:
        """Take a key from the command line for one provider; it wins over every other."""
        self._given[provider_id] = api_key

    def status(self, provider: Provider) -> KeyStatus:
        """Return where the key for a provider would come from. Runs no command."""
        return key_status(provider, self._environ, self._given.get(provider.id))

    async def find(self, provider: Provider) -> Credential:
        """Return the key for one request. Raises `PiError` when there is none."""
        given = self._given.get(provider.id)
        return await find_credential(
            provider, self._environ, given, self._once, has_login=self.has_login
        )

    def forget_output(self, provider_id: str) -> None:
        """Ask the stored command of a provider again, the next time."""
        stored = self.auth.keys.get(provider_id)
        if stored is not None and stored.key is not None:
            self._once.forget(stored.key)

    async def resolve(
        self, headers: Mapping[str, str], provider: Provider | None, owner: str
    ) -> dict[str, str]:
        """Return headers with what their values stand for. Raises `PiError` that names the one of `owner`."""
        stored = provider.stored.environ if provider is not None else {}
        environ = {**self._environ, **stored}
        resolved: dict[str, str] = {}
        for name, value in headers.items():
            found = await resolve_value(value, environ)
            if found is None:
                raise PiError(f"No value for {name} in the {owner}", "Check it in models.json.")
            resolved[name] = found
        return resolved

    def how_to_give(self, provider: Provider) -> str:
        """Return one line on how to give `provider` a key."""
        status = self.status(provider)
        if not status.is_complete and not self.has_login:
            file = "auth.json" if status.source == "stored" else "models.json"
            return f"Its key in {file} is empty, or names a variable that is not set."
        return how_to_set_key(provider, has_login=self.has_login)

    def after_refusal(self, provider: Provider, credential: Credential) -> str:
        """Return one line on what to do about a key that the server has refused."""
        if not credential.key:
            return f"No key was sent. {self.how_to_give(provider)}"
        login = f"/login {provider.id} takes another"
        way = login if self.has_login else "put a valid one there"
        return f"{provider.base_url} refused the key from {credential.source}: {way}."
