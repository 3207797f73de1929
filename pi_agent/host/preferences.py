"""What the settings prefer in a conversation: models, thinking levels, queues; and keeping what is chosen for good."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from pi_agent.llm.model import THINKING_LEVELS, Model, ThinkingLevel
from pi_agent.loop.queues import MessageQueues, QueueMode
from pi_agent.resources.settings import SettingsStore


class SettingsPreferences:
    """`ModelPreferences` that are kept in `settings.json`.

    `keep_provider` makes sure that the provider with this id is there the next time, too.
    """

    def __init__(
        self,
        settings: SettingsStore,
        keep_provider: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self._settings = settings
        self._keep_provider = keep_provider

    def default_model(self) -> tuple[str, str] | None:
        """Return provider and id of the model that new sessions start with."""
        provider = self._settings.get_text("defaultProvider")
        model_id = self._settings.get_text("defaultModel")
        if not provider and model_id:
            provider, _, model_id = model_id.partition("/")  # written as --model takes it
        return (provider, model_id) if provider and model_id else None

    def level_of(self, model: Model) -> ThinkingLevel | None:
        """Return the level for `model`, or for every model; `None` if nobody chose one."""
        levels = self._settings.get("modelThinkingLevels")
        level = levels.get(model.reference) if isinstance(levels, Mapping) else None
        if level is None and self._settings.is_set("defaultThinkingLevel"):
            level = self._settings.get("defaultThinkingLevel")
        return next((known for known in THINKING_LEVELS if known == level), None)

    async def remember_model(self, model: Model) -> None:
        """Start with `model` from now on. Raises `PiError`, and nothing has changed if a file is broken."""
        if self._keep_provider is not None and self._settings.error is None:
            await self._keep_provider(model.provider)
        await self._settings.save({"defaultProvider": model.provider, "defaultModel": model.id})

    async def remember_level(self, level: ThinkingLevel) -> None:
        """Think at `level` from now on. Raises `PiError`."""
        await self._settings.save({"defaultThinkingLevel": level})


def queues_of(settings: SettingsStore) -> MessageQueues:
    """Return queues that deliver as the settings say at the time."""

    def mode_of(key: str) -> QueueMode:
        return "all" if settings.get_choice(key) == "all" else "one-at-a-time"

    return MessageQueues(lambda: mode_of("steeringMode"), lambda: mode_of("followUpMode"))
