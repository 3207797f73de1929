"""Tokens and cost of model answers, and their sums."""

from __future__ import annotations

from pi_agent.base.wire import Field, WireModel
from pi_agent.llm.model import Price, PriceTier

_MILLION = 1_000_000


class Cost(WireModel):
    """US dollars by kind of token."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0
    total: float = 0.0
    total_from_provider: bool | None = None


class Usage(WireModel):
    """Tokens of one answer. `input` counts neither cache reads nor cache writes; `output` includes reasoning."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cache_write_1h: int | None = Field(default=None, alias="cacheWrite1h")
    reasoning: int | None = None
    total_tokens: int = 0
    cost: Cost = Field(default_factory=Cost)


def prompt_tokens(usage: Usage) -> int:
    """Return the tokens of the prompt, however they were cached."""
    return usage.input + usage.cache_read + usage.cache_write


def sum_of_tokens(usage: Usage) -> int:
    """Return what `total_tokens` is when the provider reports none."""
    return prompt_tokens(usage) + usage.output


def cost_of(usage: Usage, price: Price) -> Cost:
    """Return what the tokens of one answer cost. Tokens cached for an hour cost twice the input price."""
    rate = price_for(prompt_tokens(usage), price)
    long_lived = usage.cache_write_1h or 0
    cost = Cost(
        input=usage.input * rate.input / _MILLION,
        output=usage.output * rate.output / _MILLION,
        cache_read=usage.cache_read * rate.cache_read / _MILLION,
        cache_write=(
            (usage.cache_write - long_lived) * rate.cache_write + long_lived * 2 * rate.input
        )
        / _MILLION,
    )
    cost.total = cost.input + cost.output + cost.cache_read + cost.cache_write
    return cost


def combine_usage(first: Usage, second: Usage) -> Usage:
    """Return the sums. The total counts as the provider's own only if both were."""
    total = Usage(
        input=first.input + second.input,
        output=first.output + second.output,
        cache_read=first.cache_read + second.cache_read,
        cache_write=first.cache_write + second.cache_write,
        reasoning=_add(first.reasoning, second.reasoning),
        total_tokens=first.total_tokens + second.total_tokens,
        cost=Cost(
            input=first.cost.input + second.cost.input,
            output=first.cost.output + second.cost.output,
            cache_read=first.cost.cache_read + second.cost.cache_read,
            cache_write=first.cost.cache_write + second.cost.cache_write,
            total=first.cost.total + second.cost.total,
            total_from_provider=(
                bool(first.cost.total_from_provider and second.cost.total_from_provider) or None
            ),
        ),
    )
    total.cache_write_1h = _add(first.cache_write_1h, second.cache_write_1h)
    return total


def price_for(tokens: int, price: Price) -> Price | PriceTier:
    """Return the prices of a request with so many prompt tokens: those of the highest tier that it is above."""
    tiers = [tier for tier in price.tiers or () if tier.input_tokens_above < tokens]
    return max(tiers, key=lambda tier: tier.input_tokens_above, default=price)


def _add(first: int | None, second: int | None) -> int | None:
    if first is None and second is None:
        return None
    return (first or 0) + (second or 0)
