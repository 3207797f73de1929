"""Which model to start with."""

from __future__ import annotations

from dataclasses import dataclass, field

from pi_agent.base.errors import PiError
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.registry import ModelRegistry
from pi_agent.session.context import settings_of_branch
from pi_agent.session.store import SessionManager

THINKING_LEVELS: tuple[ThinkingLevel, ...] = (
    "off",
    "minimal",
    "low",
    "medium",
    "high",
    "xhigh",
    "max",
)
DEFAULT_LEVEL: ThinkingLevel = "medium"


@dataclass(slots=True)
class StartModel:
    """The model and level to start with, and what the user should know about the choice."""

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
    level = next((level for level in THINKING_LEVELS if level == thinking), None)
    stored = settings_of_branch(session.get_branch())
    if reference is not None:
        start = await _named(registry, reference, provider)
    else:
        start = await _remembered(registry, stored.provider, stored.model_id)
        if start.model is None:
            start = await _only_one(registry, start)
    remembered = next((level for level in THINKING_LEVELS if level == stored.thinking_level), None)
    if level is not None:
        start.thinking_level = level
    elif reference is None and remembered is not None:
        start.thinking_level = remembered
    if start.model is None or not start.model.reasoning:
        start.thinking_level = "off"
    return start


async def _named(registry: ModelRegistry, reference: str, provider: str | None) -> StartModel:
    """Find a model by what was typed; servers are asked for their lists only if it is not known yet."""
    named = provider if provider is not None else reference.partition("/")[0]
    owner = registry.provider(named) if provider is not None or "/" in reference else None
    if owner is not None and not registry.is_listed(owner.id):
        await registry.refresh([owner.id])
    try:
        choice = registry.resolve(reference, provider)
    except PiError:
        unlisted = [one.id for one in registry.providers() if not registry.is_listed(one.id)]
        if not unlisted:
            raise
        await registry.refresh(unlisted)
        choice = registry.resolve(reference, provider)
    start = StartModel(choice.model)
    if choice.thinking_level is not None:
        start.thinking_level = choice.thinking_level
    if choice.warning:
        start.warnings.append(choice.warning)
    return start


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
