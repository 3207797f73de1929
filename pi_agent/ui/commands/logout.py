"""`/logout`: remove the key that is stored for a provider."""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.host.services import Services
from pi_agent.ui import dialogs
from pi_agent.ui.asking import ask
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.key_removal import remove_and_tell, what_is_next
from pi_agent.ui.commands.table import Command
from pi_tui.autocomplete import AutocompleteItem

_TITLE = "Remove whose key?"


class Logout:
    """Takes providers their keys away; what `/logout` does."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host

    def command(self) -> Command:
        """Return the command."""
        return Command(
            "logout", "Remove the stored key of a provider", self._run, "[provider]", self._complete
        )

    def _run(self, argument: str) -> None:
        services = self._host.services
        if services is not None:
            self._host.app.start_task(self._sign_out(services, argument))

    def _complete(self, prefix: str) -> list[AutocompleteItem]:
        services = self._host.services
        stored = services.registry.keys.auth.keys if services is not None else {}
        return [
            AutocompleteItem(one, one) for one in stored if one.lower().startswith(prefix.lower())
        ]

    async def _sign_out(self, services: Services, named: str) -> None:
        for text in services.reload_models():
            self._host.app.notify(text, "warning")
        stored = list(services.registry.keys.auth.keys)
        chosen = next((one for one in stored if one.lower() == named.lower()), None)
        if named and chosen is None:
            self._host.app.notify(self._why_not(services, named), "warning")
        elif not stored:
            self._host.app.notify("No key is stored: there is nothing to remove.")
        else:
            chosen = chosen or await self._pick(services, stored)
        if chosen is not None and await self._is_meant(services, chosen):
            await remove_and_tell(self._host, services, chosen)

    def _why_not(self, services: Services, named: str) -> str:
        registry = services.registry
        if named in registry.keys.auth.accounts:
            return f"{named} has an account of another program, which pi leaves alone."
        provider = registry.provider(named)
        if provider is None:
            return f'Nothing is stored for "{named}".'
        return f"Nothing is stored for {provider.name}: {registry.keys.status(provider).words}."

    async def _pick(self, services: Services, stored: list[str]) -> str | None:
        names = {one.id: one.name for one in services.registry.providers()}

        def make(settle: Callable[[str | None], None]) -> dialogs.Picker:
            picker = dialogs.Picker(
                dialogs.PickerTexts(title=_TITLE, nothing="No such provider", close="close"),
                self._host.app.theme,
                on_pick=settle,
                on_close=lambda: settle(None),
            )
            picker.set_choices(dialogs.logout_choices(stored, names))
            return picker

        return await ask(self._host.app.screen, make, None)

    async def _is_meant(self, services: Services, provider_id: str) -> bool:
        provider = services.registry.provider(provider_id)
        name = provider.name if provider is not None else provider_id
        question = f"Remove the stored key of {name}?"
        about, theme = what_is_next(services, provider), self._host.app.theme

        def make(settle: Callable[[bool], None]) -> dialogs.ConfirmDialog:
            return dialogs.ConfirmDialog(question, about, theme, settle)

        return await ask(self._host.app.screen, make, False)
