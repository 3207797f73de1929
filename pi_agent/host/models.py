"""Which model to start with."""

from __future__ import annotations

from dataclasses import dataclass, field

from pi_agent.base.errors import PiError
from pi_agent.llm.model import THINKING_LEVELS, Model, ThinkingLevel, clamp_level
from pi_agent.llm.registry import ModelRegistry
from pi_agent.llm.resolve import ModelChoice, able_to_think
from pi_agent.session.context import BranchSettings, settings_of_branch
from pi_agent.session.store import SessionManager

DEFAULT_LEVEL: ThinkingLevel = "medium"


@dataclass(slots=True)
class StartModel:
    """The model to start with, the level that is wanted, and what the user should know about the choice."""

    model: Model | None = None
    thinking_level: ThinkingLevel = DEFAULT_LEVEL
    warnings: list[str] = field(default_factory=list)


async def choose_start_model(
    registry: ModelRegistry,
    session: SessionManager,
    *,
    reference: str | None,
    provider: str | None,
    thinking: str | None,
) -> StartModel:
    """Choose by the command line, else the session, else what there is; no model if nothing decides.

    Raises `PiError` if the command line names a model that cannot be found. With several models and no
    choice none is taken: a server's first model by name is seldom the one that is meant.
    """
    stored = settings_of_branch(session.get_branch())
    remembered = _level(stored.thinking_level)
    asked = _level(thinking)
    start, level = await _choose(registry, stored, reference, provider)
    chosen = asked or level
    model = start.model
    if model is not None:
        if chosen is None and (model.provider, model.id) == (stored.provider, stored.model_id):
            chosen = remembered
        if chosen is not None:
            start.model = model = able_to_think(model, chosen)
        if asked is not None:
            _note_other_level(start, model, asked)
    # That another model did not think may only mean that it could not.
    start.thinking_level = chosen or (remembered if remembered != "off" else None) or DEFAULT_LEVEL
    return start


async def find_named_model(
    registry: ModelRegistry, reference: str, provider: str | None = None
) -> ModelChoice:
    """Find a model by what was typed; servers are asked for their lists only if it is not known yet.

    Raises `PiError` if there is none, or several are meant.
    """
    named = provider if provider is not None else reference.partition("/")[0]
    owner = registry.provider(named) if provider is not None or "/" in reference else None
    if owner is not None and not registry.is_listed(owner.id):
        await registry.refresh([owner.id])
    try:
        return registry.resolve(reference, provider)
    except PiError:
        unlisted = [one.id for one in registry.providers() if not registry.is_listed(one.id)]
        if not unlisted:
            raise
        await registry.refresh(unlisted)
        return registry.resolve(reference, provider)


async def _choose(
    registry: ModelRegistry, stored: BranchSettings, reference: str | None, provider: str | None
) -> tuple[StartModel, ThinkingLevel | None]:
    """Return the model, and the level if it was named along with it."""
    if reference is not None:
        choice = await find_named_model(registry, reference, provider)
        warnings = [choice.warning] if choice.warning else []
        return StartModel(choice.model, warnings=warnings), choice.thinking_level
    start = await _remembered(registry, stored.provider, stored.model_id)
    return (start if start.model is not None else await _only_one(registry, start)), None


def _level(text: str | None) -> ThinkingLevel | None:
    return next((level for level in THINKING_LEVELS if level == text), None)


def _note_other_level(start: StartModel, model: Model, asked: ThinkingLevel) -> None:
    used = clamp_level(model, asked)
    if used != asked:
        start.warnings.append(f"{model.reference} has no thinking level {asked}; it uses {used}.")


async def _remembered(
    registry: ModelRegistry, provider: str | None, model_id: str | None
) -> StartModel:
    """Find the model a session was left with."""
    start = StartModel()
    if provider is None or model_id is None:
        return start
    if registry.provider(provider) is not None and not registry.is_listed(provider):
        await registry.refresh([provider])
    model = registry.find(provider, model_id)
    if model is not None and registry.why_unavailable(model) is None:
        start.model = model
    else:
        start.warnings.append(f"Could not restore model {provider}/{model_id}.")
    return start


async def _only_one(registry: ModelRegistry, start: StartModel) -> StartModel:
    """Take the only model there is, if there is just one."""
    await registry.refresh(
        [one.id for one in registry.providers() if not registry.is_listed(one.id)]
    )
    usable = [model for model in registry.available() if model.provider != "demo"]
    if len(usable) == 1:
        start.model = usable[0]
        if start.warnings:
            start.warnings[-1] += f" Using {usable[0].reference}."
    return start
