"""Which model to start with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from pi_agent.base.errors import PiError
from pi_agent.host.selection import ModelPreferences, NoPreferences
from pi_agent.llm.model import THINKING_LEVELS, Model, ThinkingLevel, clamp_level
from pi_agent.llm.registry import ModelRegistry
from pi_agent.llm.resolve import ModelChoice, able_to_think, exact_matches, split_level
from pi_agent.llm.scope import ModelScope, resolve_scope
from pi_agent.session.context import BranchSettings, settings_of_branch
from pi_agent.session.store import SessionManager
from pi_tui.frozen import frozen, slotted

DEFAULT_LEVEL: ThinkingLevel = "medium"


@slotted
class StartModel:
    """The model to start with, the level that is wanted, and what the user should know about the choice.

    `scope` holds the models to cycle through, if they are not all of them.
    """

    model: Model | None = None
    thinking_level: ThinkingLevel = DEFAULT_LEVEL
    warnings: list[str] = field(default_factory=list)
    scope: tuple[ModelChoice, ...] = ()


@frozen(kw_only=True)
class Wanted:
    """What the command line and the settings say of models."""

    reference: str | None = None
    provider: str | None = None
    thinking: str | None = None
    scope: Sequence[str] = ()
    preferences: ModelPreferences = field(default_factory=NoPreferences)


async def choose_start_model(
    registry: ModelRegistry, session: SessionManager, wanted: Wanted
) -> StartModel:
    """Choose by the command line, else the scope, the session, the settings; no model if nothing decides.

    Raises `PiError` if the command line names a model that cannot be found. With several models and no
    choice none is taken: a server's first model by name is seldom the one that is meant.
    """
    stored = settings_of_branch(session.get_branch())
    remembered = _level(stored.thinking_level)
    asked = _level(wanted.thinking)
    scope = await _scope(registry, wanted.scope)
    choice, warnings = await _choose(registry, stored, wanted, scope)
    start = StartModel(warnings=[*scope.warnings, *warnings], scope=scope.choices)
    chosen = asked or (choice.thinking_level if choice is not None else None)
    if choice is not None:
        model = choice.model
        if chosen is None and (model.provider, model.id) == (stored.provider, stored.model_id):
            chosen = remembered
        if chosen is not None:
            model = able_to_think(model, chosen)
        if asked is not None:
            _note_other_level(start, model, asked)
        start.model = model
        chosen = chosen or wanted.preferences.level_of(model)
    # That another model did not think may only mean that it could not.
    start.thinking_level = chosen or (remembered if remembered != "off" else None) or DEFAULT_LEVEL
    return start


def find_exact_model(registry: ModelRegistry, reference: str) -> ModelChoice | None:
    """Find the one model whose `provider/id` or id this is, with `:level` behind it or not; else `None`."""
    models = registry.available()
    rest, level = split_level(reference)
    for text, named in ((reference, None), (rest, level)):
        matches = exact_matches(text, models)
        if len(matches) == 1:
            model = matches[0]
            return ModelChoice(able_to_think(model, named) if named else model, named)
    return None


def find_unlisted_model(registry: ModelRegistry, reference: str) -> ModelChoice | None:
    """Take `provider/id` as it is where the server could not list its models; else `None`."""
    name, _, model_id = reference.partition("/")
    owner = registry.provider(name)
    if owner is None or not model_id or registry.list_failure(owner.id) is None:
        return None
    choice = registry.resolve(model_id, owner.id)
    return choice if registry.why_unavailable(choice.model) is None else None


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


async def _scope(registry: ModelRegistry, patterns: Sequence[str]) -> ModelScope:
    """Return what `patterns` mean; servers are asked for their lists only if that can change it."""
    scope = resolve_scope(patterns, registry.available())
    if not scope.may_grow:
        return scope
    await registry.list_once()
    return resolve_scope(patterns, registry.available())


async def _choose(
    registry: ModelRegistry, stored: BranchSettings, wanted: Wanted, scope: ModelScope
) -> tuple[ModelChoice | None, list[str]]:
    """Return the model, with the level if that was named along with it, and what to tell of the choice."""
    if wanted.reference is not None:
        choice = await find_named_model(registry, wanted.reference, wanted.provider)
        return choice, [choice.warning] if choice.warning else []
    preferred = wanted.preferences.default_model()
    if scope.choices and stored.model_id is None:
        names = (one for one in scope.choices if (one.model.provider, one.model.id) == preferred)
        return next(names, scope.choices[0]), []
    warnings: list[str] = []
    wishes = (
        (stored.provider, stored.model_id, "Could not restore model {}."),
        (*(preferred or (None, None)), "The default model {} is not available."),
    )
    for provider, model_id, text in wishes:
        if provider is None or model_id is None:
            continue
        model = await _find(registry, provider, model_id)
        if model is not None:
            return ModelChoice(model), _told(warnings, model)
        warnings.append(text.format(f"{provider}/{model_id}"))
    model = await _only_one(registry)
    if model is None:
        return None, warnings
    return ModelChoice(model), _told(warnings, model)


def _told(warnings: list[str], model: Model) -> list[str]:
    """Say at the end of the warnings which model takes the place of those that are gone."""
    if not warnings:
        return []
    return [*warnings[:-1], f"{warnings[-1]} Using {model.reference}."]


def _level(text: str | None) -> ThinkingLevel | None:
    return next((level for level in THINKING_LEVELS if level == text), None)


def _note_other_level(start: StartModel, model: Model, asked: ThinkingLevel) -> None:
    used = clamp_level(model, asked)
    if used != asked:
        start.warnings.append(f"{model.reference} has no thinking level {asked}; it uses {used}.")


async def _find(registry: ModelRegistry, provider: str, model_id: str) -> Model | None:
    """Find the model that a session or the settings name, if it can be asked."""
    if registry.provider(provider) is not None and not registry.is_listed(provider):
        await registry.refresh([provider])
    model = registry.find(provider, model_id)
    return model if model is not None and registry.why_unavailable(model) is None else None


async def _only_one(registry: ModelRegistry) -> Model | None:
    """Return the only model there is, if there is just one."""
    await registry.refresh(
        [one.id for one in registry.providers() if not registry.is_listed(one.id)]
    )
    usable = registry.candidates()
    return usable[0] if len(usable) == 1 else None
