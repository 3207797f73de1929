"""From what a person types to a model: `provider/id`, `id`, part of a name, each with `:level`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import get_args

from pi_agent.base.errors import PiError
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.ways import NO_MODEL_YET
from pi_tui.frozen import frozen

_LEVELS: dict[str, ThinkingLevel] = {level: level for level in get_args(ThinkingLevel)}
_DATED = re.compile(r"-\d{8}$|-\d{4}-\d{2}-\d{2}$")
_MAX_CANDIDATES = 8


@frozen
class ModelChoice:
    """A chosen model. `thinking_level` is set if the reference named one; `warning` is for the user."""

    model: Model
    thinking_level: ThinkingLevel | None = None
    warning: str | None = None


def resolve_reference(
    reference: str, models: Sequence[Model], is_usable: Callable[[Model], bool]
) -> ModelChoice | None:
    """Find the model that `reference` means, or `None`. Raises `PiError` if it could be several.

    An exact match wins over part of a name, and both over cutting off a thinking level.
    """
    reference = reference.strip()
    model = _exact(reference, models, is_usable) or _fuzzy(reference, models, is_usable)
    if model is not None:
        return ModelChoice(model)
    rest, level = split_level(reference)
    if level is None:
        return None
    choice = resolve_reference(rest, models, is_usable)
    return choice and ModelChoice(able_to_think(choice.model, level), level)


def exact_matches(reference: str, models: Sequence[Model]) -> list[Model]:
    """Return the models whose `provider/id`, else those whose id is `reference`, upper or lower case."""
    wanted = reference.lower()
    named = [model for model in models if model.reference.lower() == wanted]
    return named or [model for model in models if model.id.lower() == wanted]


def fuzzy_matches(part: str, models: Sequence[Model]) -> list[Model]:
    """Return the models that a part of an id or a name means: one id, maybe at several providers.

    An id without a date wins over dated ones, then the last one in the order of text.
    """
    candidates = _containing(part, models) or _containing_at_provider(part, models)
    undated = [model for model in candidates if not _DATED.search(model.id)]
    best = max((model.id for model in undated or candidates), key=str.lower, default=None)
    return [model for model in candidates if model.id == best]


def split_level(reference: str) -> tuple[str, ThinkingLevel | None]:
    """Cut a thinking level off the end: `sonnet:high` is `sonnet` at `high`."""
    rest, colon, ending = reference.rpartition(":")
    level = _LEVELS.get(ending.lower())
    return (rest, level) if colon and rest and level else (reference, None)


def able_to_think(model: Model, level: ThinkingLevel) -> Model:
    """Return `model` as one that thinks, where nobody but the person has said whether it does."""
    if level == "off" or "reasoning" in model.model_fields_set:
        return model
    return model.model_copy(update={"reasoning": True})


def not_found(reference: str, models: Sequence[Model]) -> PiError:
    """Return the error for a reference that means no model; its hint lists what is near."""
    names = [model.reference for model in models]
    near = difflib.get_close_matches(reference, names, _MAX_CANDIDATES, 0.4)
    if near:
        hint = f"Did you mean: {', '.join(near)}"
    elif names:
        hint = f"Available: {_list(names)}"
    else:
        hint = NO_MODEL_YET
    return PiError(f'No model matches "{reference}"', hint)


def _exact(
    reference: str, models: Sequence[Model], is_usable: Callable[[Model], bool]
) -> Model | None:
    wanted = reference.lower()
    named = [model for model in models if model.reference.lower() == wanted]
    raw = [model for model in models if model.id.lower() == wanted]
    if named:
        usable = [model for model in raw if is_usable(model)]
        return named[0] if is_usable(named[0]) or len(usable) != 1 else usable[0]
    return _only_one(reference, raw, is_usable)


def _fuzzy(
    reference: str, models: Sequence[Model], is_usable: Callable[[Model], bool]
) -> Model | None:
    usable = [model for model in models if is_usable(model)]
    candidates = fuzzy_matches(reference, usable) or fuzzy_matches(reference, models)
    return _only_one(reference, candidates, is_usable)


def _containing(part: str, models: Iterable[Model]) -> list[Model]:
    wanted = part.lower()
    if not wanted:
        return []
    return [model for model in models if wanted in model.id.lower() or wanted in model.name.lower()]


def _containing_at_provider(reference: str, models: Sequence[Model]) -> list[Model]:
    """Read `provider/part`; of provider ids that contain slashes the longest one matches."""
    wanted = reference.lower()
    providers = sorted({model.provider for model in models}, key=len, reverse=True)
    for provider in providers:
        if wanted.startswith(f"{provider.lower()}/"):
            own = [model for model in models if model.provider == provider]
            return _containing(reference[len(provider) + 1 :], own)
    return []


def _only_one(
    reference: str, models: Sequence[Model], is_usable: Callable[[Model], bool]
) -> Model | None:
    if len(models) < 2:
        return models[0] if models else None
    usable = [model for model in models if is_usable(model)]
    if len(usable) == 1:
        return usable[0]
    names = [model.reference for model in usable or models]
    raise PiError(f'"{reference}" is ambiguous', f"Say which one: {_list(names)}")


def _list(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MAX_CANDIDATES])
    left = len(names) - _MAX_CANDIDATES
    return f"{shown} and {left} more" if left > 0 else shown
