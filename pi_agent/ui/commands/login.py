"""`/login`: choose a provider and give it a key; then its models are offered."""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.host.services import Services
from pi_agent.llm.provider import Provider
from pi_agent.ui import dialogs
from pi_agent.ui.asking import ask
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.key_entry import KeyEntry
from pi_agent.ui.commands.table import Command
from pi_tui.autocomplete import AutocompleteItem

_TITLE = "Sign in: whose key?"


class Login:
    """Gives providers their keys; what `/login` does."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host

    def command(self) -> Command:
        """Return the command."""
        return Command(
            "login", "Store the key of a provider", self._run, "[provider]", self._complete
        )

    def choose(
        self, provider_id: str | None = None, *, on_done: Callable[[bool], None] | None = None
    ) -> None:
        """Ask for the key of a provider in the editor's place, or first whose key it is.

        `on_done` is told at the end whether a key was stored; then the models of the provider are offered.
        """
        services = self._host.services
        if services is not None:
            self._host.app.start_task(self._sign_in(services, provider_id, on_done))

    def _run(self, argument: str) -> None:
        provider_id, _, more = argument.partition(" ")
        if more:
            text = "Behind /login there is only the provider: the key is asked for."
            self._host.app.notify(text, "warning")
        self.choose(provider_id or None)

    def _complete(self, prefix: str) -> list[AutocompleteItem]:
        services = self._host.services
        if services is None:
            return []
        return [
            AutocompleteItem(one.id, one.id, services.registry.keys.status(one).words)
            for one in services.registry.providers_with_keys()
            if one.id.lower().startswith(prefix.lower())
        ]

    async def _sign_in(
        self, services: Services, named: str | None, on_done: Callable[[bool], None] | None
    ) -> None:
        for text in services.reload_models():
            self._host.app.notify(text, "warning")
        provider = _find(services, named) if named else None
        if named and provider is None:
            self._host.app.notify(f'There is no provider "{named}": choose one.', "warning")
        if provider is None:
            provider = await self._choose_and_give(services)
        elif not await KeyEntry(self._host, services, provider).run():
            provider = None
        if on_done is not None:
            on_done(provider is not None)
        if provider is not None:
            self._offer_models(services, provider)

    async def _choose_and_give(self, services: Services) -> Provider | None:
        """Ask whose key it is, and for the key; who goes back from that is asked again."""
        selected = await self._pick(services, None)
        while selected is not None:
            provider = _find(services, selected)
            if provider is not None and await KeyEntry(self._host, services, provider).run():
                return provider
            selected = await self._pick(services, selected)
        return None

    async def _pick(self, services: Services, selected: str | None) -> str | None:
        registry = services.registry
        rows = [(one, registry.keys.status(one)) for one in registry.providers_with_keys()]

        def make(settle: Callable[[str | None], None]) -> dialogs.Picker:
            picker = dialogs.Picker(
                dialogs.PickerTexts(title=_TITLE, nothing="No such provider", close="close"),
                self._host.app.theme,
                on_pick=settle,
                on_close=lambda: settle(None),
            )
            picker.set_choices(dialogs.login_choices(rows, registry.keys.auth.accounts), selected)
            return picker

        return await ask(self._host.app.screen, make, None)

    def _offer_models(self, services: Services, provider: Provider) -> None:
        registry = services.registry
        if any(model.provider == provider.id for model in registry.available()):
            self._host.model_choice.choose(f"{provider.id}/")
            return
        reason = registry.list_failure(provider.id)
        why = f"cannot be listed: {reason}" if reason is not None else "are not known."
        self._host.app.notify(
            f"The models of {provider.name} {why}\n"
            f"`/model {provider.id}/NAME` takes one that is not listed.",
            "warning",
        )


def _find(services: Services, provider_id: str) -> Provider | None:
    """Return a provider by id, upper or lower case."""
    wanted = provider_id.lower()
    found = services.registry.providers_with_keys()
    return next((one for one in found if one.id.lower() == wanted), None)
