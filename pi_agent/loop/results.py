"""From what a tool returns to a result that can be stored, shown and sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pi_agent.base.params import is_structured, to_json
from pi_agent.base.wire import JsonValue, TypeAdapter, ValidationError
from pi_agent.llm.messages import ImageContent, TextContent, UserContent
from pi_agent.llm.usage import Usage
from pi_agent.loop.tool import UNSET, PartialResult, ToolDefinition, ToolResult, Unset

# Told what was left out of a result, in words.
ReportProblem = Callable[[str], None]

_RESULT_KEYS = {
    "content": "content",
    "details": "details",
    "structured_content": "structured_content",
    "structuredContent": "structured_content",
    "usage": "usage",
    "is_error": "is_error",
    "isError": "is_error",
    "terminate": "terminate",
}


def result_of(value: object, tool: ToolDefinition, report: ReportProblem) -> ToolResult:
    """Return what `value`, as a tool returned it, means; raises `TypeError` if it means nothing."""
    result = _result_of(value, tool)
    return replace(
        result,
        content=_blocks(result.content),
        details=_json_or_none(result.details, f'details of tool "{tool.name}"', report),
        structured_content=_structured(result.structured_content, tool, report),
    )


def partial_of(value: object, tool: ToolDefinition, report: ReportProblem) -> PartialResult:
    """Return the progress that `value` means; raises `TypeError` if it means nothing."""
    if isinstance(value, PartialResult):
        value = ToolResult(content=value.content, details=value.details)
    result = result_of(value, tool, report)
    return PartialResult(content=result.content, details=result.details)


def error_result(text: str, *, terminate: bool = False) -> ToolResult:
    """Return the result of a call that failed without data."""
    return ToolResult(
        content=[TextContent(text=text)], details={}, is_error=True, terminate=terminate
    )


def error_text(error: BaseException) -> str:
    """Return what an exception says, or its class if it says nothing."""
    return str(error) or type(error).__name__


def _result_of(value: object, tool: ToolDefinition) -> ToolResult:
    if isinstance(value, ToolResult):
        return value
    if value is None:
        return ToolResult()
    if isinstance(value, str):
        return ToolResult(content=[TextContent(text=value)])
    if isinstance(value, Mapping) and isinstance(value.get("content"), list):
        try:
            return _from_mapping(value)
        except ValidationError:
            if not tool.structures_results:
                raise TypeError(f'Tool "{tool.name}" returned content that is no block') from None
    if tool.structures_results and is_structured(value):
        data = to_json(value)
        text = json.dumps(data, indent=2, ensure_ascii=False)
        return ToolResult(content=[TextContent(text=text)], structured_content=data)
    raise TypeError(
        f'Tool "{tool.name}" returned {type(value).__name__}; a tool returns a ToolResult, a mapping'
        " with a list of blocks as content, text or nothing"
    )


def _from_mapping(value: Mapping[str, Any]) -> ToolResult:
    fields = {_RESULT_KEYS[key]: part for key, part in value.items() if key in _RESULT_KEYS}
    if isinstance(fields.get("usage"), Mapping):
        fields["usage"] = Usage.from_wire(fields["usage"])
    return ToolResult(**fields | {"content": _blocks(fields["content"])})


def _blocks(content: list[Any]) -> list[TextContent | ImageContent]:
    """Return content as blocks; mappings in the form of the wire are taken for them."""
    if all(isinstance(block, TextContent | ImageContent) for block in content):
        return list(content)
    adapter: TypeAdapter[list[TextContent | ImageContent]] = TypeAdapter(list[UserContent])
    return adapter.validate_python(content)


def _structured(
    value: JsonValue | Unset, tool: ToolDefinition, report: ReportProblem
) -> JsonValue | Unset:
    if isinstance(value, Unset):
        return UNSET
    return _json_or_none(value, f'structured content of tool "{tool.name}"', report)


def _json_or_none(value: object, what: str, report: ReportProblem) -> JsonValue:
    if value is None:
        return None
    try:
        return to_json(value)
    except TypeError as error:
        report(f"The {what} cannot be stored as JSON and were left out: {error}")
        return None
