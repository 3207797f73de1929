"""Which model answers and how long it thinks: what was chosen, and what comes next when cycling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pi_agent.llm.model import Model, ThinkingLevel, clamp_level, supported_levels
from pi_agent.llm.registry import ModelRegistry, NoModelError
from pi_agent.llm.resolve import ModelChoice
from pi_tui.frozen import frozen

Direction = Literal["forward", "backward"]


@frozen
class CycledModel:
    """What cycling led to. `is_scoped`: only the models of a scope are cycled through."""

    model: Model
    thinking_level: ThinkingLevel
    is_scoped: bool


class ModelPreferences(Protocol):
    """What the user has chosen for good."""

    def default_model(self) -> tuple[str, str] | None:
        """Return provider and id of the model that new sessions start with."""
        ...

    def level_of(self, model: Model) -> ThinkingLevel | None:
        """Return the level for `model`, or for every model; `None` if nobody chose one."""
        ...

    async def remember_model(self, model: Model) -> None:
        """Start with `model` from now on. Raises `PiError`."""
        ...

    async def remember_level(self, level: ThinkingLevel) -> None:
        """Think at `level` from now on. Raises `PiError`."""
        ...


class NoPreferences:
    """Nothing is preferred, and nothing is kept."""

    def default_model(self) -> tuple[str, str] | None:
        """Return `None`."""
        return None

    def level_of(self, model: Model) -> ThinkingLevel | None:
        """Return `None`."""
        return None

    async def remember_model(self, model: Model) -> None:
        """Forget `model`."""

    async def remember_level(self, level: ThinkingLevel) -> None:
        """Forget `level`."""


class ModelSelection:
    """The model and the thinking level of one conversation.

    The level that is wanted outlasts a model that cannot think like that.
    """

    def __init__(
        self,
        model: Model | None,
        wanted_level: ThinkingLevel,
        scope: Sequence[ModelChoice],
        preferences: ModelPreferences,
    ) -> None:
        self.model = model
        self.scope = tuple(scope)
        self.preferences = preferences
        self._wanted_level = wanted_level

    @property
    def thinking_level(self) -> ThinkingLevel:
        """The level that is wanted, as far as the model can."""
        return clamp_level(self.model, self._wanted_level) if self.model is not None else "off"

    def take_model(self, model: Model, level: ThinkingLevel | None) -> None:
        """Take `model`, at `level`, else at the level preferred for it, else as before."""
        self.model = model
        self._wanted_level = level or self.preferences.level_of(model) or self._wanted_level

    def take_level(self, level: ThinkingLevel) -> None:
        """Want `level`."""
        self._wanted_level = level

    def next_level(self) -> ThinkingLevel | None:
        """Return the level after this one; `None` if the model has only one."""
        levels = supported_levels(self.model) if self.model is not None else []
        if len(levels) < 2:
            return None
        return levels[(levels.index(self.thinking_level) + 1) % len(levels)]

    def next_model(self, registry: ModelRegistry, direction: Direction) -> ModelChoice | None:
        """Return what comes after the model in the scope, else among all; `None` if there is no other.

        From a model that is not among them the first one comes next, or the last one.
        """
        choices = self._choices(registry)
        current = self.model.reference if self.model is not None else None
        places = [at for at, each in enumerate(choices) if each.model.reference == current]
        if len(choices) <= len(places):
            return None
        if not places:
            return choices[0 if direction == "forward" else -1]
        step = 1 if direction == "forward" else -1
        return choices[(places[0] + step) % len(choices)]

    def _choices(self, registry: ModelRegistry) -> list[ModelChoice]:
        if self.scope:
            return [one for one in self.scope if registry.why_unavailable(one.model) is None]
        # The demo is no answer to anything, and the built-in model hardly one: nobody gets there by the way.
        models = registry.candidates() or registry.available()
        ordered = sorted(models, key=lambda m: (m.provider.lower(), m.id.lower()))
        return [ModelChoice(model) for model in ordered]


def usable_model(selection: ModelSelection, registry: ModelRegistry) -> Model:
    """Return the model that is chosen; raises `NoModelError` if there is none, or it cannot be asked."""
    if selection.model is None:
        raise NoModelError(
            "No model is chosen.",
            "Choose one with /model, or start with --model; `pi --list-models` shows what there is.",
        )
    registry.check_available(selection.model)
    return selection.model
