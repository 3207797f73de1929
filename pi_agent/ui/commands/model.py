"""`/model`: choose who answers, by name or in the editor's menu."""

from __future__ import annotations

from pi_agent.base.errors import PiError
from pi_agent.host.models import find_named_model
from pi_agent.host.services import Services
from pi_agent.llm.model import Model
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command
from pi_tui.autocomplete import AutocompleteItem
from pi_tui.fuzzy import fuzzy_filter


class ModelChoice:
    """Chooses the model; what `/model` and its key do."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host
        self._refreshed = False

    def command(self) -> Command:
        """Return the command."""
        return Command("model", "Choose the model", self._run, "[provider/id]", self._complete)

    def choose(self) -> None:
        """Offer the models in the editor's menu, as the files have them now."""
        if self._host.services is not None:
            for text in self._host.services.reload_models():
                self._host.app.notify(text, "warning")
        self._refresh()
        composer = self._host.app.composer
        composer.begin_command("/model ")
        composer.request_suggestions()

    def _run(self, argument: str) -> None:
        services = self._host.services
        if not argument:
            self.choose()
        elif services is not None:
            self._host.app.start_task(self._set(services, argument))

    async def _set(self, services: Services, reference: str) -> None:
        try:
            choice = await find_named_model(services.registry, reference)
            await services.conversation.set_model(choice.model, choice.thinking_level)
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
            return
        if choice.warning:
            self._host.app.notify(choice.warning, "warning")
        self._host.app.notify(f"Model: {choice.model.reference}")
        self._host.update_footer()

    def _complete(self, prefix: str) -> list[AutocompleteItem]:
        services = self._host.services
        if services is None:
            return []
        self._refresh()
        models = services.registry.available()
        found = fuzzy_filter(models, prefix, lambda model: f"{model.reference} {model.name}")
        return [AutocompleteItem(m.reference, m.reference, _about(m)) for m in found]

    def _refresh(self) -> None:
        """Ask servers for their lists, once for each time the program runs."""
        services = self._host.services
        if services is None or self._refreshed:
            return
        self._refreshed = True
        self._host.app.start_task(self._refresh_lists(services))

    async def _refresh_lists(self, services: Services) -> None:
        known = set(services.registry.notices)
        await services.registry.refresh()
        for text in services.registry.notices:
            if text not in known:
                self._host.app.notify(text, "warning")


def _about(model: Model) -> str:
    parts = [model.name] if model.name and model.name != model.id else []
    if "context_window" in model.model_fields_set:
        parts.append(f"{model.context_window // 1000}k context")
    return ", ".join(parts)
