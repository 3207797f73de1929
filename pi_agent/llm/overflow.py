"""Telling from an error's text that the conversation no longer fits the model's window."""

from __future__ import annotations

import re

from pi_tui.patterns import pattern

# How servers say it, each in their own words.
_OVERFLOW = pattern(
    r"prompt (is )?too long"
    r"|input length exceeds"
    r"|request_too_large"
    r"|exceeds? the context window"
    r"|maximum context length"
    r"|input token count exceeds the maximum"
    r"|maximum prompt length is \d"
    r"|reduce the length of the messages"
    r"|exceeds the available context size"
    r"|greater than the context length"
    r"|context window exceeds limit"
    r"|exceeded model token limit"
    r"|too large for model with \d"
    r"|model_context_window_exceeded"
    r"|range of input length should be"
    r"|context_length_exceeded"
    r"|too many tokens"
    r"|token limit exceeded"
    r"|^413\b",
    re.IGNORECASE,
)
_RATE_LIMIT = pattern(r"rate.?limit|throttl|too many requests|per minute", re.IGNORECASE)


def is_context_overflow(error_text: str) -> bool:
    """Return whether a failure means that the request was too long; a rate limit does not."""
    return bool(_OVERFLOW.search(error_text)) and not _RATE_LIMIT.search(error_text)
