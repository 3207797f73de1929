"""The models that are cycled through, from the patterns of `--models` and `enabledModels`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.resolve import (
    ModelChoice,
    able_to_think,
    exact_matches,
    fuzzy_matches,
    split_level,
)
from pi_tui.frozen import frozen

_GLOB = re.compile(r"[*?\[\]]")


@frozen
class ModelScope:
    """Models in the order in which they are cycled, each once. `warnings` name patterns that mean none.

    `may_grow`: with more models known there could be more in it.
    """

    choices: tuple[ModelChoice, ...] = ()
    warnings: tuple[str, ...] = ()
    may_grow: bool = False


def resolve_scope(patterns: Sequence[str], models: Sequence[Model]) -> ModelScope:
    """Find what `patterns` mean among `models`, which can all be asked.

    A pattern is an id, `provider/id`, a part of a name, or either of the first two with `*`, `?` and `[…]`;
    `:level` may follow it.
    """
    found: dict[str, ModelChoice] = {}
    warnings: list[str] = []
    patterns = [pattern.strip() for pattern in patterns if pattern.strip()]
    for pattern in patterns:
        choices, warning = _resolve(pattern, models)
        if warning is not None:
            warnings.append(warning)
        for choice in choices:
            found.setdefault(choice.model.reference, choice)
    may_grow = bool(warnings) or any(map(_GLOB.search, patterns))
    return ModelScope(tuple(found.values()), tuple(warnings), may_grow)


def _resolve(pattern: str, models: Sequence[Model]) -> tuple[list[ModelChoice], str | None]:
    """Return what one pattern means, and what is odd about it."""
    rest, level = split_level(pattern)
    matches = _match(pattern, models)
    if matches:
        return _at(matches, None), _several(pattern, matches)
    if level is not None and (matches := _match(rest, models)):
        return _at(matches, level), _several(rest, matches)
    rest, colon, ending = pattern.rpartition(":")
    if colon and (matches := _match(rest, models)):
        return _at(matches, None), f'There is no thinking level "{ending}": {pattern}'
    return [], f'No model matches "{pattern}" in the model scope'


def _match(pattern: str, models: Sequence[Model]) -> list[Model]:
    exact = exact_matches(pattern, models)
    if exact or not _GLOB.search(pattern):
        return exact or fuzzy_matches(pattern, models)
    wanted = pattern.lower()
    return [
        model
        for model in models
        if fnmatchcase(model.reference.lower(), wanted) or fnmatchcase(model.id.lower(), wanted)
    ]


def _at(models: Sequence[Model], level: ThinkingLevel | None) -> list[ModelChoice]:
    return [ModelChoice(able_to_think(model, level) if level else model, level) for model in models]


def _several(pattern: str, models: Sequence[Model]) -> str | None:
    providers = {model.provider for model in models}
    if _GLOB.search(pattern) or len(providers) < 2:
        return None
    return f'"{pattern}" in the model scope is at several providers: {", ".join(sorted(providers))}'
