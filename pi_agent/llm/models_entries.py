"""What `models.json` may say of providers and models."""

from __future__ import annotations

from dataclasses import field

from pi_agent.base.wire import Field, JsonObject, WireModel
from pi_agent.llm.model import InputKind, PriceTier, ThinkingLevel
from pi_tui.frozen import frozen


class FullPrice(WireModel):
    """A price of a new model: all four or none."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    tiers: list[PriceTier] | None = None


class PricePatch(WireModel):
    """A price of a known model; what is absent stays as it is."""

    input: float | None = None
    output: float | None = None
    cache_read: float | None = None
    cache_write: float | None = None
    tiers: list[PriceTier] | None = None


class ModelFields(WireModel):
    """What can be said of a model; what is absent comes from its provider."""

    name: str | None = None
    api: str | None = None
    base_url: str | None = None
    reasoning: bool | None = None
    thinking_level_map: dict[ThinkingLevel, str | None] | None = None
    input: list[InputKind] | None = None
    input_limits: JsonObject | None = None
    context_window: int | None = Field(default=None, gt=0)
    max_tokens: int | None = Field(default=None, gt=0)
    prompt_cache: dict[str, float] | None = None
    sampling_params: JsonObject | None = None
    sampling_params_by_thinking_level: dict[ThinkingLevel, JsonObject] | None = None
    headers: dict[str, str] | None = None
    compat: JsonObject | None = None


class ModelEntry(ModelFields):
    """A model that the file adds."""

    id: str = Field(min_length=1)
    cost: FullPrice | None = None


class ModelPatch(ModelFields):
    """Changes of a model that is known from elsewhere."""

    cost: PricePatch | None = None


class ProviderEntry(WireModel):
    """A provider. `oauth` names a way to sign in; `auth_header` asks for a header that is always sent here."""

    name: str | None = None
    base_url: str | None = None
    api_key: str | None = None
    api: str | None = None
    headers: dict[str, str] | None = None
    auth_header: bool | None = None
    oauth: str | None = None
    compat: JsonObject | None = None
    models: list[ModelEntry] | None = None
    model_overrides: dict[str, ModelPatch] | None = None


@frozen
class ModelsFile:
    """What `models.json` says: its usable providers, and one readable line for each that is not."""

    providers: dict[str, ProviderEntry] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    source: str = "models.json"
