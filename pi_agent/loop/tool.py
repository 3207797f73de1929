"""What a tool is: parameters, how it runs, and what it answers."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field, replace
from typing import Any, Final, Literal, NewType, Protocol

from pi_agent.base.params import Parameters, function_parameters, result_schema
from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.messages import ImageContent, TextContent, ToolDeclaration
from pi_agent.llm.usage import Usage
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen, slotted

ExecutionMode = Literal["parallel", "sequential"]
Exposure = Literal["direct", "model-only", "codemode", "deferred", "hidden"]


class Unset:
    """The type of `UNSET`: no value was given, as opposed to `None`."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()


@slotted
class ToolResult:
    """What a tool answers: `content` for the model, `details` for rendering and state.

    `is_error` reports a failure that carries data; raising reports one that does not. `terminate` asks to
    skip the follow-up request, which happens only if every call of the batch asks for it.
    """

    content: list[TextContent | ImageContent] = field(default_factory=list)
    details: JsonValue = None
    structured_content: JsonValue | Unset = UNSET
    usage: Usage | None = None
    is_error: bool = False
    terminate: bool = False


@slotted
class PartialResult:
    """What a running tool has to show so far."""

    content: list[TextContent | ImageContent] = field(default_factory=list)
    details: JsonValue = None


class ToolUpdate(Protocol):
    """What a tool calls with its progress, from any thread; ignored once the tool has finished."""

    def __call__(self, partial: PartialResult | ToolResult | Mapping[str, Any] | str) -> None:
        """Publish what there is so far."""
        ...


ToolCallId = NewType("ToolCallId", str)

# `execute(tool_call_id, params, signal, on_update, ctx)`. `Any`: the tool's author knows the types of
# `params` and `ctx`, the loop does not.
Execute = Callable[..., Any]

# Types of parameters that a tool function is given, and which argument of `execute` goes there.
_INJECTED: Final = {
    "ExtensionToolContext": "ctx",
    "AbortSignal": "signal",
    "ToolUpdate": "on_update",
    "ToolCallId": "tool_call_id",
}
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_ACTIVE_FROM_THE_START = ("direct", "model-only")


@frozen
class ToolAnnotations:
    """Hints as in MCP. Unset means: not read-only, possibly destructive, possibly open-world."""

    read_only_hint: bool | None = None
    destructive_hint: bool | None = None
    idempotent_hint: bool | None = None
    open_world_hint: bool | None = None


@frozen
class ToolDefinition:
    """A tool: what the model is told, and what runs when the model calls it.

    `parameters` is a pydantic model class or a JSON Schema dict. `execute` is awaited as a task when it is
    a coroutine function and runs in a worker thread when it is not. `prepare_arguments` repairs the shape
    of the model's arguments before they are checked. `structures_results` lets `execute` return any value
    with a JSON form, as tool functions do.
    """

    name: str
    description: str
    execute: Execute
    parameters: Any = field(default_factory=lambda: {"type": "object", "properties": {}})
    label: str = ""
    prompt_snippet: str | None = None
    prompt_guidelines: tuple[str, ...] = ()
    prepare_arguments: Callable[[JsonObject], JsonObject] | None = None
    output_schema: Any = None
    execution_mode: ExecutionMode | None = None
    exposure: Exposure = "direct"
    annotations: ToolAnnotations | None = None
    default_active: bool | None = None
    structures_results: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f'Tool name "{self.name}" may only have letters, digits, underscores and hyphens.'
            )
        if not self.label:
            object.__setattr__(self, "label", self.name)
        if self.default_active is None:
            object.__setattr__(self, "default_active", self.exposure in _ACTIVE_FROM_THE_START)

    def replace(self, **changes: Any) -> ToolDefinition:
        """Return a copy with `changes`."""
        return replace(self, **changes)

    def declaration(self) -> ToolDeclaration:
        """Return what the model is told of the tool."""
        return declare(self.name, self.description, Parameters(self.parameters).schema)


@frozen
class ToolCallDecision:
    """A gate's answer to one call: run it, or block it with a reason for the model."""

    block: bool = False
    reason: str | None = None
    terminate: bool = False


# Asked before a validated call runs; may change `input` in place. Raising blocks the call.
BeforeToolCall = Callable[[str, str, JsonObject], Awaitable[ToolCallDecision | None]]
# Told of each executed call's result before it is reported; returns the result to report.
AfterToolCall = Callable[[str, str, JsonObject, ToolResult], Awaitable[ToolResult]]


def declare(name: str, description: str, schema: Mapping[str, Any]) -> ToolDeclaration:
    """Return what the model is told of a tool."""
    return ToolDeclaration(name=name, description=description, parameters=dict(schema))


def tool_from_function(
    function: Callable[..., object], *, name: str | None = None, **fields: Any
) -> ToolDefinition:
    """Make a tool of a function: its signature are the parameters, its docstring the description.

    Text in `Annotated[int, "how many"]` describes a parameter. What is annotated `AbortSignal`,
    `ToolUpdate`, `ToolCallId` or `ExtensionToolContext`, or not annotated and called `signal`,
    `on_update`, `tool_call_id` or `ctx`, is passed in. `fields` are those of `ToolDefinition`.
    """
    description = fields.pop("description", None) or inspect.getdoc(function)
    if not description:
        raise TypeError(f"{function.__name__}: a tool needs a description or a docstring")
    parameters = function_parameters(function, _INJECTED)

    def call(
        tool_call_id: str, params: object, signal: AbortSignal, on_update: ToolUpdate, ctx: object
    ) -> object:
        given = {
            "tool_call_id": tool_call_id,
            "signal": signal,
            "on_update": on_update,
            "ctx": ctx,
        }
        return parameters.call(params, given)

    async def call_on_the_loop(*arguments: Any) -> object:
        result: Any = call(*arguments)
        return await result

    fields.setdefault("output_schema", result_schema(function, besides=ToolResult))
    fields.setdefault("structures_results", True)
    return ToolDefinition(
        name=name or function.__name__,
        description=description,
        execute=call_on_the_loop if inspect.iscoroutinefunction(function) else call,
        parameters=parameters.model,
        **fields,
    )
