"""What a model is and can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from pi_agent.base.wire import Field, JsonObject, WireModel

ThinkingLevel = Literal["off", "minimal", "low", "medium", "high", "xhigh", "max"]
InputKind = Literal["text", "image"]

THINKING_LEVELS: Final[tuple[ThinkingLevel, ...]] = get_args(ThinkingLevel)
# Tokens to think with, for providers that count them instead of naming a level.
THINKING_BUDGETS: Final[Mapping[ThinkingLevel, int]] = {
    "minimal": 1024,
    "low": 2048,
    "medium": 8192,
    "high": 16_384,
}
# Few models know these: the map of a model has to name them.
_NAMED_LEVELS: Final = ("xhigh", "max")


class PriceTier(WireModel):
    """US dollars per million tokens of requests with more than `input_tokens_above` prompt tokens."""

    input_tokens_above: int
    input: float
    output: float
    cache_read: float
    cache_write: float


class Price(WireModel):
    """US dollars per million tokens. A tier that applies replaces all four for the whole request."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0
    tiers: list[PriceTier] | None = None


class Model(WireModel):
    """A model at a provider, as in `models.json`. `api` names the wire protocol, `base_url` where it is spoken."""

    id: str
    provider: str
    api: str
    name: str = ""
    base_url: str = ""
    reasoning: bool = False
    input: list[InputKind] = Field(default_factory=lambda: list[InputKind](("text",)))
    context_window: int = 128_000
    max_tokens: int = 16_384
    cost: Price = Field(default_factory=Price)
    thinking_level_map: dict[str, str | None] | None = None
    headers: dict[str, str] | None = None
    sampling_params: JsonObject | None = None
    sampling_params_by_thinking_level: dict[str, JsonObject] | None = None
    input_limits: JsonObject | None = None
    prompt_cache: dict[str, float] | None = None
    compat: JsonObject = Field(default_factory=dict)

    @property
    def reference(self) -> str:
        """`provider/id`, as `--model` and `/model` take it."""
        return f"{self.provider}/{self.id}"


def supported_levels(model: Model) -> list[ThinkingLevel]:
    """Return the levels at which `model` can think, from the shortest on; at least `off` or one other."""
    if not model.reasoning:
        return ["off"]
    names = model.thinking_level_map or {}
    levels: list[ThinkingLevel] = [
        level
        for level in THINKING_LEVELS
        if (names[level] is not None if level in names else level not in _NAMED_LEVELS)
    ]
    return levels or ["off"]


def clamp_level(model: Model, level: ThinkingLevel) -> ThinkingLevel:
    """Return `level` if `model` supports it, else the next higher one that it does, else the next lower one."""
    supported = supported_levels(model)
    place = THINKING_LEVELS.index(level)
    higher = [each for each in supported if THINKING_LEVELS.index(each) >= place]
    return higher[0] if higher else supported[-1]


def thinking_budget(level: ThinkingLevel, changes: Mapping[ThinkingLevel, int]) -> int:
    """Return the tokens to think with at `level`; the highest levels have those of `high`."""
    known = level if level in THINKING_BUDGETS else "high"
    return changes.get(known, THINKING_BUDGETS[known])
