"""What a prompt that fell out of the cache costs, worked out by hand."""

from __future__ import annotations

import pytest

from pi_agent.llm.cache_cost import CacheMiss, cache_miss, miss_cost, warm_cost
from pi_agent.llm.model import Price, PriceTier
from pi_agent.llm.usage import Usage

READ_ONLY = Price(input=1, output=4, cache_read=0.1)
WRITTEN = Price(input=3, output=15, cache_read=0.3, cache_write=3.75)
TIERED = Price(
    input=1,
    output=4,
    cache_read=0.1,
    tiers=[PriceTier(input_tokens_above=200_000, input=2, output=8, cache_read=0.2, cache_write=0)],
)


def used(tokens: int, cached: int = 0, written: int = 0) -> Usage:
    return Usage(input=tokens - cached - written, cache_read=cached, cache_write=written)


@pytest.mark.parametrize(
    ("previous", "usage", "price", "missed"),
    [
        (used(50_000), used(50_100, 49_076), READ_ONLY, None),
        (used(50_000), used(50_100, 48_976), READ_ONLY, None),
        (used(50_000), used(50_100, 48_975), READ_ONLY, CacheMiss(1025, 1025 * 0.9e-6)),
        (used(50_000), used(60_000), READ_ONLY, CacheMiss(50_000, 0.045)),
        (used(50_000), used(30_000), READ_ONLY, CacheMiss(30_000, 0.027)),
        (used(50_000), used(50_000, written=50_000), WRITTEN, CacheMiss(50_000, 0.1725)),
        (used(250_000), used(250_000), TIERED, CacheMiss(250_000, 0.45)),
        (used(0), used(50_000), READ_ONLY, None),
    ],
    ids=["all", "1024", "1025", "grown", "shorter", "written", "tier", "first"],
)
def test_a_miss_is_what_both_prompts_share_and_was_not_read(
    previous: Usage, usage: Usage, price: Price, missed: CacheMiss | None
) -> None:
    found = cache_miss(previous, usage, price)
    if missed is None:
        assert found is None
    else:
        assert found is not None
        assert found.tokens == missed.tokens
        assert found.cost == pytest.approx(missed.cost)


@pytest.mark.parametrize(
    ("usage", "price", "miss", "warm"),
    [
        (used(100_000, 90_000), READ_ONLY, 0.09, 0.010004),
        (used(100_000, 90_000, 10_000), WRITTEN, 0.345, 0.030015),
        (used(300_000), TIERED, 0.54, 0.060008),
        (used(100_000), Price(), 0, 0),
        (used(100_000), Price(input=1, cache_read=2), 0, 0.2),
    ],
    ids=["read", "written", "tier", "free", "dear to read"],
)
def test_keeping_warm_costs_a_reading_and_a_token(
    usage: Usage, price: Price, miss: float, warm: float
) -> None:
    assert miss_cost(usage, price) == pytest.approx(miss)
    assert warm_cost(usage, price) == pytest.approx(warm)
