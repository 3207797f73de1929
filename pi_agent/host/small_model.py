"""What the small built-in model is given: few tools and a short prompt, for it can do little with more.

Offered a tool that writes, it answers a greeting by writing a file; and a prompt of usual length takes it half a
minute to read.
"""

from __future__ import annotations

from typing import Final

from pi_agent.llm.local.provider import LOCAL_API
from pi_agent.llm.model import Model
from pi_agent.loop.tool import ToolDefinition

SMALL_MODEL_TOOLS: Final = frozenset({"read", "bash"})
SMALL_MODEL_PROMPT: Final = (
    "You are a small assistant in a terminal. Answer in one or two sentences."
    " Use read to see a file and bash to run a command."
)

SMALL_MODEL_CAUTION: Final = (
    "The built-in model is tiny: enough to see how pi works, unfit for real work."
)


def simplified(tool: ToolDefinition) -> ToolDefinition:
    """Return a tool as this model can use it: of optional arguments it makes things up, and it reads slowly."""
    schema = tool.parameters
    if not isinstance(schema, dict):
        return tool
    required = schema.get("required", ())
    properties = {name: each for name, each in schema["properties"].items() if name in required}
    return tool.replace(
        description=tool.description.partition(". ")[0],
        parameters={**schema, "properties": properties},
    )


def is_small(model: Model | None) -> bool:
    """Return whether this is the built-in model."""
    return model is not None and model.api == LOCAL_API
