"""What it costs when a provider no longer has a prompt in its cache, and when it is kept there."""

from __future__ import annotations

from typing import Final

from pi_agent.llm.model import Price
from pi_agent.llm.usage import Usage, price_for, prompt_tokens
from pi_tui.frozen import frozen

# Servers cache in blocks: a few tokens more or less say nothing.
_SMALLEST_MISS: Final = 1024
_MILLION: Final = 1_000_000


@frozen
class CacheMiss:
    """Tokens that were paid for as if they were new, and the dollars more that they cost."""

    tokens: int
    cost: float


def cache_miss(previous: Usage, usage: Usage, price: Price) -> CacheMiss | None:
    """Return what of the previous prompt was not read from the cache with the next one; `None` if hardly anything."""
    shared = min(prompt_tokens(previous), prompt_tokens(usage))
    tokens = shared - usage.cache_read
    if tokens <= _SMALLEST_MISS:
        return None
    return CacheMiss(tokens, tokens * _dearer(prompt_tokens(usage), price) / _MILLION)


def miss_cost(usage: Usage, price: Price) -> float:
    """Return the dollars more that this prompt costs if none of it is in the cache next time."""
    tokens = prompt_tokens(usage)
    return tokens * _dearer(tokens, price) / _MILLION


def warm_cost(usage: Usage, price: Price) -> float:
    """Return the dollars for reading this prompt from the cache once more, for one token of answer."""
    tokens = prompt_tokens(usage)
    rate = price_for(tokens, price)
    return (tokens * rate.cache_read + rate.output) / _MILLION


def _dearer(tokens: int, price: Price) -> float:
    """Return by how much a token costs more to write, or to send, than to read from the cache."""
    rate = price_for(tokens, price)
    return max(0.0, (rate.cache_write or rate.input) - rate.cache_read)
