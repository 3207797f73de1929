"""Telling from an answer that the conversation no longer fits the model's window."""

from __future__ import annotations

import re
from typing import Final, Literal

from pi_agent.llm.messages import AssistantMessage
from pi_agent.llm.model import Model
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

# An empty answer to a prompt that takes this much of the window was cut off by its end.
_NEARLY_ALL: Final = 0.99

# `failed`: there is no answer. `cut`: there is a part of one. `silent`: there is one, to a part of the prompt.
Overflow = Literal["failed", "cut", "silent"]


def is_context_overflow(error_text: str) -> bool:
    """Return whether a failure means that the request was too long; a rate limit does not."""
    return bool(_OVERFLOW.search(error_text)) and not _RATE_LIMIT.search(error_text)


def overflow_of(message: AssistantMessage, model: Model) -> Overflow | None:
    """Return how an answer shows that the window of `model`, which gave it, is full; `None` if it does not."""
    usage = message.usage
    prompt = usage.input + usage.cache_read
    match message.stop_reason:
        case "error":
            return "failed" if is_context_overflow(message.error_message or "") else None
        case "length" if not usage.output:
            return "failed" if prompt >= _NEARLY_ALL * model.context_window else None
        case "length":
            # A limit that nobody has told is the server's own business.
            is_known = "max_tokens" in model.model_fields_set
            return "cut" if is_known and usage.output < model.max_tokens else None
        case "stop":
            return "silent" if prompt > model.context_window else None
        case _:
            return None
