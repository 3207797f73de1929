"""Which model answers, and how long it thinks: chosen, recorded in the session, kept for later ones, and told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from pi_agent.base.errors import PiError
from pi_agent.extensions.events import ModelSelectSource
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.host.record import SessionRecord
from pi_agent.host.selection import CycledModel, Direction, ModelSelection
from pi_agent.llm.model import THINKING_LEVELS, Model, ThinkingLevel
from pi_agent.loop.events import AgentEvent, ThinkingLevelChanged


class ModelControl:
    """Changes the `selection` of a conversation. `emit` gets the events."""

    def __init__(
        self,
        setup: ConversationSetup,
        selection: ModelSelection,
        record: SessionRecord,
        emit: Callable[[AgentEvent], Awaitable[None]],
    ) -> None:
        self._registry = setup.registry
        self._model_selected = setup.model_selected
        self._selection = selection
        self._record = record
        self._emit = emit

    async def set_model(
        self, model: Model, thinking_level: ThinkingLevel | None, *, persist: bool
    ) -> None:
        """Answer with `model` from now on; raises `PiError` if it cannot be asked."""
        await self._use(model, thinking_level, "set", persist=persist)

    async def set_thinking_level(self, level: ThinkingLevel, *, persist: bool = False) -> None:
        """Think as long as `level` says, as far as the model can; raises `PiError` for a level that is none."""
        if level not in THINKING_LEVELS:
            raise PiError(
                f"Unknown thinking level: {level}", f"There are: {', '.join(THINKING_LEVELS)}."
            )
        before = self._selection.thinking_level
        self._selection.take_level(level)
        if persist:
            await self._remember(self._selection.preferences.remember_level(level))
        await self._note_level(before)

    async def cycle_model(self, direction: Direction) -> CycledModel | None:
        """Go on to the next model, or back; `None` if there is no other."""
        if not self._selection.scope:
            await self._registry.list_once()
        choice = self._selection.next_model(self._registry, direction)
        if choice is None:
            return None
        await self._use(choice.model, choice.thinking_level, "cycle")
        return CycledModel(
            choice.model, self._selection.thinking_level, bool(self._selection.scope)
        )

    async def cycle_thinking_level(self) -> ThinkingLevel | None:
        """Think at the model's next level; `None` if it has only one."""
        level = self._selection.next_level()
        if level is not None:
            await self.set_thinking_level(level)
        return level

    async def _use(
        self,
        model: Model,
        level: ThinkingLevel | None,
        source: ModelSelectSource,
        *,
        persist: bool = False,
    ) -> None:
        self._registry.check_available(model)
        old, before = self._selection.model, self._selection.thinking_level
        is_another = old is None or old.reference != model.reference
        self._selection.take_model(model, level)
        if is_another:
            self._record.model(model)
        if persist:
            await self._remember(self._selection.preferences.remember_model(model))
        await self._note_level(before)
        if is_another:
            await self._model_selected(model, old, source)

    async def _remember(self, saved: Awaitable[None]) -> None:
        try:
            await saved
        except PiError as error:
            self._record.report(error.with_hint())

    async def _note_level(self, before: ThinkingLevel) -> None:
        level = self._selection.thinking_level
        if level != before:
            self._record.level(level)
            await self._emit(ThinkingLevelChanged(level))
