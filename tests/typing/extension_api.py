"""Uses of the extension API that type checkers must accept. Nothing here runs."""

from __future__ import annotations

from typing import Annotated, Literal, assert_type

from pi_agent import (
    AbortSignal,
    AgentEndEvent,
    AgentSettledEvent,
    BeforeAgentStartAnswer,
    BeforeAgentStartEvent,
    Blocked,
    CompactionContent,
    CustomEditor,
    CustomMessage,
    Done,
    ExtensionAPI,
    ExtensionCommandContext,
    ExtensionContext,
    ExtensionEntry,
    ExtensionMessage,
    ExtensionToolContext,
    Field,
    FooterData,
    InputAnswer,
    InputEvent,
    InputResult,
    MessageRenderOptions,
    Model,
    ModelSelectEvent,
    PartialResult,
    QueuedText,
    QueueUpdateEvent,
    SessionBeforeCompactEvent,
    SessionBeforeCompactResult,
    SessionBeforeSwitchEvent,
    SessionBeforeSwitchResult,
    SessionBeforeTreeEvent,
    SessionBeforeTreeResult,
    SessionCompactEvent,
    SessionCompactFailedEvent,
    SessionShutdownEvent,
    SessionStartEvent,
    SessionTreeEvent,
    ToolAnnotations,
    ToolCallAnswer,
    ToolCallDecision,
    ToolCallEvent,
    ToolCallId,
    ToolDefinition,
    ToolResult,
    ToolResultEvent,
    ToolResultPatch,
    ToolUpdate,
    TreeSummary,
    TurnEndAnswer,
    TurnEndEvent,
    TurnEndResult,
    WorkingIndicatorOptions,
    text,
)
from pi_tui import TUI, Component, KeybindingsManager, OverlayOptions, Theme
from pi_tui.components import Text


class Search(Model):
    """Parameters of a tool as a model class."""

    query: str = Field(description="What to look for")
    limit: int = 10


class Shouting(CustomEditor):
    """An editor of one's own."""


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

    @pi.on("input")
    def rewrite(event: InputEvent) -> InputResult | None:
        return InputResult("transform", event.text.upper()) if event.images else None

    @pi.on("input")
    async def answer(event: InputEvent) -> InputAnswer:
        return {"action": "handled"} if event.source == "extension" else {}

    @pi.on("tool_result")
    def redact(event: ToolResultEvent) -> ToolResultPatch:
        return ToolResultPatch([*event.content, text("more")], details=None)

    @pi.on("before_agent_start")
    async def prepare(
        event: BeforeAgentStartEvent, ctx: ExtensionContext
    ) -> BeforeAgentStartAnswer:
        event.system_prompt_options.sections["mood"] = event.system_prompt
        return {"message": ExtensionMessage("note", "be kind"), "system_prompt": None}

    @pi.on("turn_end")
    def turn(event: TurnEndEvent) -> None:
        assert_type(event.tool_result_entry_ids, list[str])

    @pi.on("turn_end")
    async def review(event: TurnEndEvent) -> TurnEndResult | TurnEndAnswer | None:
        if event.continue_:
            return {"entries": [*event.entries, {"type": "custom", "customType": "x"}]}
        return TurnEndResult([ExtensionEntry("x", {"y": 1})], continue_=True)

    @pi.on("model_select")
    def selected(event: ModelSelectEvent, ctx: ExtensionContext) -> None:
        ctx.ui.set_editor_suggestion(f"Ask {event.model.reference}")
        assert_type(event.source, Literal["set", "cycle"])

    def draw(message: CustomMessage, options: MessageRenderOptions, theme: Theme) -> Text | None:
        hint = options.key_hint("app.tools.expand", "more")
        shown = f"{message.details} {hint}" if options.expanded else hint
        return Text(theme.fg("accent", shown), options.output_pad) if message.display else None

    pi.register_message_renderer("note", draw)
    pi.register_message_renderer("short", lambda message: Text(message.custom_type))

    @pi.on("agent_end")
    def run_ended(event: AgentEndEvent) -> None:
        print([message.role for message in event.messages])

    @pi.on("agent_settled")
    async def settled(event: AgentSettledEvent, ctx: ExtensionContext) -> None:
        ctx.ui.notify(f"aborted: {event.aborted}")

    @pi.on("queue_update")
    def queued(event: QueueUpdateEvent, ctx: ExtensionContext) -> None:
        print(event.steering, event.follow_up, event.held)
        assert_type(ctx.queued_messages(), list[QueuedText])

    pi.on("agent_start", lambda: None)
    pi.on("turn_start", lambda event: print(event.turn_index, event.timestamp))
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

    @pi.command("screens")
    async def screens(args: str, ctx: ExtensionCommandContext) -> None:
        def plain_screen(
            tui: TUI, theme: Theme, keys: KeybindingsManager, done: Done[int]
        ) -> Component:
            done(len(args))
            return Text(theme.fg("accent", "plain"))

        async def slow_screen(
            tui: TUI, theme: Theme, keys: KeybindingsManager, done: Done[str]
        ) -> Text:
            return Text(str(tui.columns))

        assert_type(await ctx.ui.custom(plain_screen), int | None)
        here = OverlayOptions(width="50%", anchor="top-right", margin={"top": 1})
        value = await ctx.ui.custom(
            slow_screen,
            overlay=True,
            overlay_options=lambda: here,
            on_handle=lambda handle: handle.unfocus(target=None),
            blocked=Blocked("question", "Which one?"),
        )
        assert_type(value, str | None)
        await ctx.ui.custom(lambda tui, theme, keys, done: Text("short"))

    @pi.on("session_before_switch")
    async def stay(event: SessionBeforeSwitchEvent) -> SessionBeforeSwitchResult | None:
        return SessionBeforeSwitchResult(cancel=True) if event.reason == "new" else None

    @pi.on("session_before_compact")
    def brief(event: SessionBeforeCompactEvent) -> SessionBeforeCompactResult | None:
        assert_type(event.preparation.first_kept_entry_id, str | None)
        if event.reason != "manual":
            return None
        return SessionBeforeCompactResult(compaction=CompactionContent("brief", None, 1))

    @pi.on("session_compact")
    def made(event: SessionCompactEvent) -> None:
        assert_type(event.compaction_entry.summary, str)

    @pi.on("session_compact_failed")
    def failed(event: SessionCompactFailedEvent) -> None:
        assert_type(event.error_message, str | None)

    @pi.on("session_before_tree")
    def summarize(event: SessionBeforeTreeEvent) -> SessionBeforeTreeResult | None:
        if not event.preparation.user_wants_summary:
            return None
        assert_type(event.preparation.old_leaf_id, str | None)
        return SessionBeforeTreeResult(summary=TreeSummary("nothing of use"))

    @pi.on("session_tree")
    def rebuild(event: SessionTreeEvent) -> None:
        assert_type(event.new_leaf_id, str | None)

    @pi.command("back")
    async def back(args: str, ctx: ExtensionCommandContext) -> None:
        moved = await ctx.navigate_tree(args, summarize=True, label="retry")
        assert_type(moved.cancelled, bool)
        assert_type(moved.editor_text, str | None)

    @pi.command("show")
    async def show(args: str, ctx: ExtensionCommandContext) -> None:
        ui = ctx.ui
        assert_type(await ui.select("Which?", ["a", "b"], timeout=5), str | None)
        assert_type(await ui.input("What?", signal=ctx.signal), str | None)
        ui.set_status("a", ui.theme.fg("accent", args))
        ui.set_widget("a", ["line"], placement="below_editor")
        ui.set_widget("b", lambda tui, theme: Text(theme.fg("dim", str(tui.columns))))
        ui.set_widget("b", None)

        def footer(tui: TUI, theme: Theme, data: FooterData) -> Component:
            data.on_branch_change(tui.request_render)
            return Text(f"{data.get_git_branch()} {dict(data.get_extension_statuses())}")

        ui.set_footer(footer)
        ui.set_working_indicator(WorkingIndicatorOptions(["a", "b"], interval=0.5))
        ui.set_title(ui.get_editor_text())
        ui.set_editor_component(Shouting)
        ui.set_editor_component(ui.get_editor_component())

    pi.register_command("quit", lambda args, ctx: ctx.shutdown())
