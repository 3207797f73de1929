"""`/thinking` and the keys of thinking: how long the model thinks, and whether that is shown."""

from __future__ import annotations

from pi_agent.base.errors import PiError
from pi_agent.host.services import Services
from pi_agent.llm.model import THINKING_LEVELS, ThinkingLevel, supported_levels
from pi_agent.ui import dialogs
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command
from pi_tui.autocomplete import AutocompleteItem

_HIDE = "hideThinkingBlock"


class ThinkingChoice:
    """Chooses the thinking level; what `/thinking` and its keys do."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host

    def command(self) -> Command:
        """Return the command."""
        return Command(
            "thinking", "Choose how long the model thinks", self._run, "[level]", self._complete
        )

    def cycle(self) -> None:
        """Go on to the model's next level."""
        services = self._host.services
        if services is not None:
            self._host.app.start_task(self._cycle(services))

    def toggle(self) -> None:
        """Show the model's thinking, or a line in its place, from now on."""
        hides = not self._host.app.settings.get_bool(_HIDE)
        self._host.app.start_task(self._save_hidden(hides))

    def choose(self) -> None:
        """Offer the model's levels in the editor's place."""
        services = self._host.services
        if services is None or services.conversation.model is None:
            self._host.app.notify("There is no model yet: /welcome shows the ways to one.")
            return
        screen = self._host.app.screen
        picker = dialogs.Picker(
            dialogs.PickerTexts(
                title="Thinking",
                nothing="No levels",
                pick="use",
                keys={"app.thinking.save": "default"},
            ),
            screen.theme,
            on_pick=lambda level: self._pick(picker, level),
            on_close=lambda: screen.close_dialog(picker),
            keys={"app.thinking.save": lambda level: self._pick(picker, level, persist=True)},
            has_search=False,
        )
        current = services.conversation.thinking_level
        default = self._host.app.settings.get_choice("defaultThinkingLevel")
        levels = supported_levels(services.conversation.model)
        picker.set_choices(dialogs.level_choices(levels, current, default), current)
        screen.show_dialog(picker)

    def _run(self, argument: str) -> None:
        if not argument:
            self.choose()
            return
        level = _level(argument)
        if level is None:
            self._host.report(
                f'Error: there is no thinking level "{argument}".\n'
                f"Choose one of {', '.join(THINKING_LEVELS)}."
            )
            return
        self._host.app.start_task(self._set(level))

    def _complete(self, prefix: str) -> list[AutocompleteItem]:
        services = self._host.services
        model = services.conversation.model if services is not None else None
        levels = supported_levels(model) if model is not None else list(THINKING_LEVELS)
        return [AutocompleteItem(level, level) for level in levels if level.startswith(prefix)]

    def _pick(self, picker: dialogs.Picker, level: str | None, *, persist: bool = False) -> None:
        chosen = _level(level or "")
        if chosen is not None:
            self._host.app.screen.close_dialog(picker)
            self._host.app.start_task(self._set(chosen, persist=persist))

    async def _set(self, level: ThinkingLevel, *, persist: bool = False) -> None:
        services = self._host.services
        if services is None:
            return
        await services.conversation.set_thinking_level(level, persist=persist)
        self._tell(services, level, ", from now on the default" if persist else "")

    async def _cycle(self, services: Services) -> None:
        level = await services.conversation.cycle_thinking_level()
        if level is None:
            self._host.app.notify("This model has no other thinking level.")
        else:
            self._tell(services, level)

    def _tell(self, services: Services, wanted: ThinkingLevel, more: str = "") -> None:
        used = services.conversation.thinking_level
        model = services.conversation.model
        if used != wanted and model is not None:
            text = f"{model.reference} has no thinking level {wanted}; it uses {used}."
            self._host.app.notify(text, "warning")
        else:
            self._host.app.notify(f"Thinking: {used}{more}")
        self._host.update_footer()

    async def _save_hidden(self, hides: bool) -> None:
        try:
            await self._host.app.settings.save({_HIDE: hides})
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")


def _level(text: str) -> ThinkingLevel | None:
    return next((level for level in THINKING_LEVELS if level == text), None)
