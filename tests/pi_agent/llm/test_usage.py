"""Costs follow the tokens; sums add up."""

from __future__ import annotations

from pi_agent.llm.model import Price, PriceTier
from pi_agent.llm.usage import Cost, Usage, combine_usage, cost_of

PRICE = Price(input=3, output=15, cache_read=0.3, cache_write=3.75)


def test_each_kind_of_token_has_its_price() -> None:
    usage = Usage(input=1_000_000, output=100_000, cache_read=2_000_000, cache_write=400_000)
    cost = cost_of(usage, PRICE)
    assert (cost.input, cost.output, cost.cache_read, cost.cache_write) == (3, 1.5, 0.6, 1.5)
    assert cost.total == 6.6


def test_tokens_cached_for_an_hour_cost_twice_the_input() -> None:
    usage = Usage(cache_write=1_000_000)
    usage.cache_write_1h = 600_000
    assert cost_of(usage, PRICE).cache_write == 0.4 * 3.75 + 0.6 * 2 * 3


def test_the_highest_tier_below_the_prompt_replaces_every_price() -> None:
    def tier(above: int, price: float) -> PriceTier:
        return PriceTier(
            input_tokens_above=above, input=price, output=price, cache_read=price, cache_write=price
        )

    tiered = PRICE.model_copy(update={"tiers": [tier(100, 10), tier(200, 20), tier(50, 5)]})

    def input_cost(cached: int) -> float:
        usage = Usage(input=100, cache_read=cached, output=1_000_000)
        return cost_of(usage, tiered).output

    assert [input_cost(cached) for cached in (0, 1, 100, 101)] == [5, 10, 10, 20]
    assert cost_of(Usage(output=1_000_000), tiered).output == 15


def test_sums_keep_what_is_unknown_unknown() -> None:
    first = Usage(input=1, output=2, cache_read=3, cache_write=4, total_tokens=10)
    second = Usage(input=10, output=20, reasoning=5, total_tokens=30)
    first.cost = Cost(total=0.5, total_from_provider=True)
    second.cost = Cost(input=0.25, total=0.25)
    both = combine_usage(first, second)
    assert (both.input, both.output, both.cache_read, both.cache_write) == (11, 22, 3, 4)
    assert (both.reasoning, both.cache_write_1h, both.total_tokens) == (5, None, 40)
    assert (both.cost.input, both.cost.total, both.cost.total_from_provider) == (0.25, 0.75, None)


def test_a_sum_is_the_providers_own_only_if_both_were() -> None:
    own = Usage(cost=Cost(total=1, total_from_provider=True))
    assert combine_usage(own, own).cost.total_from_provider is True
    assert combine_usage(own, Usage()).cost.total_from_provider is None
