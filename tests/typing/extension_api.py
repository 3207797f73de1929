"""Uses of the extension API that type checkers must accept. Nothing here runs."""

from __future__ import annotations

from typing import Annotated, assert_type

from pi_agent import (
    AbortSignal,
    ExtensionAPI,
    ExtensionCommandContext,
    ExtensionContext,
    ExtensionToolContext,
    Field,
    Model,
    PartialResult,
    SessionShutdownEvent,
    SessionStartEvent,
    ToolAnnotations,
    ToolCallAnswer,
    ToolCallDecision,
    ToolCallEvent,
    ToolCallId,
    ToolDefinition,
    ToolResult,
    ToolUpdate,
    text,
)


class Search(Model):
    """Parameters of a tool as a model class."""

    query: str = Field(description="What to look for")
    limit: int = 10


def setup(pi: ExtensionAPI) -> None:
    """Register everything in every way."""

    @pi.on("session_start")
    async def started(event: SessionStartEvent, ctx: ExtensionContext) -> None:
        ctx.ui.notify(f"{event.reason} in {ctx.cwd}")

    @pi.on("session_shutdown")
    def ended(event: SessionShutdownEvent) -> None:
        print(event.reason)

    @pi.on("tool_call")
    async def decide(event: ToolCallEvent, ctx: ExtensionContext) -> ToolCallDecision | None:
        event.input["command"] = "true"
        sure = await ctx.ui.confirm("Sure?", event.tool_name, timeout=5, signal=ctx.signal)
        return None if sure else ToolCallDecision(block=True)

    @pi.on("tool_call")
    async def decide_with_a_dict(event: ToolCallEvent) -> ToolCallAnswer | None:
        return {"block": True, "reason": "No"} if event.tool_name == "bash" else None

    @pi.on("tool_call")
    def watch() -> None:
        pass

    unsubscribe = pi.on("tool_call", decide)
    pi.on("session_start", lambda event: print(event.reason))
    assert_type(unsubscribe(), None)
    assert_type(watch(), None)

    @pi.tool
    async def plain(name: Annotated[str, "Whom"], ctx: ExtensionToolContext) -> str:
        """Greet."""
        return f"{name} in {ctx.cwd}"

    @pi.tool(name="slow", label="Slow", annotations=ToolAnnotations(read_only_hint=True))
    def slow(signal: AbortSignal, on_update: ToolUpdate, call: ToolCallId) -> ToolResult:
        """Take long."""
        signal.raise_if_aborted()
        on_update(PartialResult([text(call)]))
        return ToolResult([text("done")], details={"call": call})

    async def search(
        call_id: str,
        params: Search,
        signal: AbortSignal,
        on_update: ToolUpdate,
        ctx: ExtensionToolContext,
    ) -> str:
        return f"{params.query} {params.limit}"

    pi.register_tool(
        ToolDefinition(name="find", description="Find", execute=search, parameters=Search)
    )
    pi.register_tool({"name": "look", "description": "Look", "execute": search})

    @pi.command("hello", description="Greet")
    async def hello(args: str, ctx: ExtensionCommandContext) -> None:
        ctx.ui.notify(args, "warning")

    pi.register_command("quit", lambda args, ctx: ctx.shutdown())
