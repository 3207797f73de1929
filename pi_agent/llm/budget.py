"""How long an answer may become."""

from __future__ import annotations

import json
import math

from pi_agent.llm.message_size import message_characters
from pi_agent.llm.model import Model
from pi_agent.llm.stream import Context

# A cautious figure: an estimate that is too low makes the server refuse the request.
_CHARS_PER_TOKEN = 3.5

_LEAST_RESERVE = 4096
_RESERVE_SHARE = 0.15
_COMFORTABLE = 32_768


def output_budget(model: Model, context: Context) -> int | None:
    """Return the output limit for one request: what the window leaves, at most the model's own limit.

    `None` if that limit is not known: then the server decides.
    """
    if "max_tokens" not in model.model_fields_set:
        return None
    used = estimate_input(context)
    reserve = max(_LEAST_RESERVE, int(_RESERVE_SHARE * used))
    budget = min(model.max_tokens, model.context_window - used - reserve)
    if budget < _COMFORTABLE:
        budget = min(model.max_tokens, _COMFORTABLE, model.context_window - used - _LEAST_RESERVE)
    return max(1, budget)


def estimate_input(context: Context) -> int:
    """Return a cautious guess of the prompt's tokens."""
    chars = len(context.system_prompt)
    chars += sum(len(json.dumps(tool.to_wire())) for tool in context.tools)
    chars += sum(message_characters(message) for message in context.messages)
    return math.ceil(chars / _CHARS_PER_TOKEN)
