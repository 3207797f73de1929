"""What a model is and can do."""

from __future__ import annotations

from typing import Literal

from pi_agent.base.wire import Field, JsonObject, WireModel

ThinkingLevel = Literal["off", "minimal", "low", "medium", "high", "xhigh", "max"]
InputKind = Literal["text", "image"]


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
    compat: JsonObject = Field(default_factory=dict)

    @property
    def reference(self) -> str:
        """`provider/id`, as `--model` and `/model` take it."""
        return f"{self.provider}/{self.id}"
