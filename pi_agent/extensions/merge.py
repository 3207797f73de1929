"""What handlers return, read as the result their event declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from pi_agent.loop.tool import ToolCallDecision

_FIELDS = tuple(field.name for field in fields(ToolCallDecision))


class ResultShapeError(TypeError):
    """A handler returned something that its event has no meaning for."""

    def __init__(self, event: str, problem: str) -> None:
        super().__init__(f'A handler of "{event}" returned a wrong result: {problem}')


def tool_call_decision(returned: object) -> ToolCallDecision | None:
    """Return the decision in what a `tool_call` handler returned; `None` lets the call go on.

    An unknown field is refused like a wrong value: a misspelt `block` must not let a call pass.
    """
    if returned is None:
        return None
    decision = returned if isinstance(returned, ToolCallDecision) else _from_mapping(returned)
    _require("block", decision.block, bool, "true or false")
    _require("terminate", decision.terminate, bool, "true or false")
    if decision.reason is not None:
        _require("reason", decision.reason, str, "text")
    return decision if decision.block else None


def _from_mapping(returned: object) -> ToolCallDecision:
    if not isinstance(returned, Mapping):
        raise ResultShapeError(
            "tool_call", f"expected a ToolCallDecision or a dict, got {type(returned).__name__}"
        )
    unknown = [str(key) for key in returned if key not in _FIELDS]
    if unknown:
        raise ResultShapeError(
            "tool_call", f"unknown field {unknown[0]}; there are {', '.join(_FIELDS)}"
        )
    return ToolCallDecision(**returned)


def _require(field: str, value: object, kind: type, expected: str) -> None:
    if not isinstance(value, kind):
        got = type(value).__name__
        raise ResultShapeError("tool_call", f"{field} should be {expected}, got {got}")
