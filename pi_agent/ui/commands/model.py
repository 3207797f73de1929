"""`/model` and the keys of models: choose who answers, or go on to the next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pi_agent.base.errors import PiError
from pi_agent.host.models import find_exact_model, find_unlisted_model
from pi_agent.host.selection import Direction
from pi_agent.host.services import Services
from pi_agent.host.small_model import SMALL_MODEL_CAUTION, is_small
from pi_agent.llm.model import Model
from pi_agent.llm.resolve import ModelChoice as Chosen
from pi_agent.ui import dialogs
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command
from pi_tui.autocomplete import AutocompleteItem
from pi_tui.fuzzy import fuzzy_filter


class ModelChoice:
    """Chooses the model; what `/model` and its keys do.

    `on_change` is told of another one. `persist`: what is chosen is for later sessions, too.
    """

    def __init__(self, host: CommandHost) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self.persist = False
        self._host = host
        self._asking = asyncio.Lock()
        self._has_asked = False
        self._shows_scope = False

    def command(self) -> Command:
        """Return the command."""
        return Command("model", "Choose the model", self._run, "[provider/id]", self._complete)

    def choose(self, query: str = "") -> None:
        """Offer the models in the editor's place."""
        services = self._host.services
        if services is None:
            return
        for text in services.reload_models():
            self._host.app.notify(text, "warning")
        screen = self._host.app.screen
        self._shows_scope = bool(services.conversation.scoped_models) and not query
        picker = dialogs.Picker(
            _texts(self._shows_scope, services),
            screen.theme,
            on_pick=lambda reference: self._pick(picker, reference),
            on_close=lambda: screen.close_dialog(picker),
            keys={
                "app.models.save": lambda reference: self._pick(picker, reference, persist=True),
                "tui.input.tab": lambda reference: self._toggle_scope(picker, services),
            },
            query=query,
        )
        self._show_models(picker, services)
        screen.show_dialog(picker)
        self._host.app.start_task(self._refresh_models(picker, services))

    def cycle(self, direction: Direction) -> None:
        """Go on to the next model, or back."""
        services = self._host.services
        if services is not None:
            self._host.app.start_task(self._cycle(services, direction))

    def _run(self, argument: str) -> None:
        services = self._host.services
        if services is None:
            return
        registry = services.registry
        choice = find_exact_model(registry, argument) or find_unlisted_model(registry, argument)
        if choice is None:
            self.choose(argument)
            return
        if choice.warning is not None:
            self._host.app.notify(choice.warning, "warning")
        self._host.app.start_task(self.use(choice))

    def _pick(
        self, picker: dialogs.Picker, reference: str | None, *, persist: bool = False
    ) -> None:
        services = self._host.services
        model = None
        if services is not None and reference is not None:
            known = services.registry.available()
            model = next((one for one in known if one.reference == reference), None)
        if model is not None:
            self._host.app.screen.close_dialog(picker)
            self._host.app.start_task(self.use(Chosen(model), persist=persist))

    async def use(self, choice: Chosen, *, persist: bool = False) -> None:
        """Let a model answer, and say so; `persist`: in later sessions, too, if that can be saved."""
        services = self._host.services
        if services is None:
            return
        try:
            await services.conversation.set_model(choice.model, choice.thinking_level)
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
            return
        is_default = (persist or self.persist) and await self._is_remembered(services, choice.model)
        told = ", from now on the default" if is_default else ""
        self._changed(choice.model, told)

    async def _is_remembered(self, services: Services, model: Model) -> bool:
        try:
            await services.preferences.remember_model(model)
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
            return False
        return True

    async def _cycle(self, services: Services, direction: Direction) -> None:
        try:
            cycled = await services.conversation.cycle_model(direction)
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
            return
        if cycled is None:
            self._host.app.notify("There is no other model.")
            return
        self._changed(cycled.model)

    def _changed(self, model: Model, told: str = "") -> None:
        caution = f"\n{SMALL_MODEL_CAUTION}" if is_small(model) else ""
        self._host.app.notify(f"Model: {model.reference}{told}{caution}")
        self._host.update_footer()
        self.on_change()

    # The rows

    def _show_models(self, picker: dialogs.Picker, services: Services) -> None:
        conversation = services.conversation
        models = services.registry.available()
        if self._shows_scope:
            scope = {choice.model.reference for choice in conversation.scoped_models}
            models = [model for model in models if model.reference in scope]
        current = conversation.model
        names = (current.provider, current.id) if current is not None else None
        default = services.preferences.default_model()
        picker.set_choices(dialogs.model_choices(models, names, default))
        self._host.app.tui.request_render()

    def _toggle_scope(self, picker: dialogs.Picker, services: Services) -> None:
        if services.conversation.scoped_models:
            self._shows_scope = not self._shows_scope
            picker.texts = _texts(self._shows_scope, services)
            self._show_models(picker, services)

    def _complete(self, prefix: str) -> list[AutocompleteItem]:
        services = self._host.services
        if services is None:
            return []
        self._host.app.start_task(self._ask_servers(services))
        models = services.registry.available()
        found = fuzzy_filter(models, prefix, lambda model: f"{model.reference} {model.name}")
        return [AutocompleteItem(m.reference, m.reference, _about(m)) for m in found]

    # Lists of servers

    async def _refresh_models(self, picker: dialogs.Picker, services: Services) -> None:
        await self._ask_servers(services)
        self._show_models(picker, services)

    async def _ask_servers(self, services: Services) -> None:
        """Ask servers for their lists, once for each time the program runs."""
        async with self._asking:
            if self._has_asked:
                return
            self._has_asked = True
            known = set(services.registry.notices)
            await services.registry.refresh()
            for text in services.registry.notices:
                if text not in known:
                    self._host.app.notify(text, "warning")


def _texts(shows_scope: bool, services: Services) -> dialogs.PickerTexts:
    title, keys = "Model", {"app.models.save": "default"}
    if services.conversation.scoped_models:
        title += " (those to cycle through)" if shows_scope else " (all)"
        keys["tui.input.tab"] = "all" if shows_scope else "fewer"
    return dialogs.PickerTexts(title=title, nothing="No matching models", pick="use", keys=keys)


def _about(model: Model) -> str:
    parts = [model.name] if model.name and model.name != model.id else []
    if "context_window" in model.model_fields_set:
        parts.append(f"{model.context_window // 1000}k context")
    return ", ".join(parts)
