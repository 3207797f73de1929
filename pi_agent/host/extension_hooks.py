"""Where a conversation asks its extensions: before a text is said, before a run, around a call; and tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pi_agent.base.wire import JsonObject
from pi_agent.extensions.events import (
    BeforeAgentStartEvent,
    CacheWarmingDecisionEvent,
    InputEvent,
    ModelSelectEvent,
    ModelSelectSource,
    Outcome,
    SessionBeforeCompactEvent,
    SessionBeforeTreeEvent,
    SessionCompactEvent,
    SessionCompactFailedEvent,
    StreamingBehavior,
    ToolCallEvent,
    ToolResultEvent,
    TurnEndEvent,
    WarmingAction,
)
from pi_agent.extensions.merge import NOTIFY
from pi_agent.extensions.results import (
    ExtensionMessage,
    SessionBeforeCompactResult,
    SessionBeforeTreeResult,
)
from pi_agent.extensions.rules import (
    BEFORE_AGENT_START,
    CACHE_WARMING_DECISION,
    INPUT,
    SESSION_BEFORE_COMPACT,
    SESSION_BEFORE_TREE,
    TOOL_CALL,
    TOOL_RESULT,
    TURN_END,
)
from pi_agent.host.boundary import TurnBoundary
from pi_agent.host.generations import Generations
from pi_agent.host.run_start import Input, RunStart
from pi_agent.host.system_prompt import SystemPrompt
from pi_agent.llm.messages import CustomMessage
from pi_agent.llm.model import Model
from pi_agent.loop.events import (
    AgentEnd,
    AgentEvent,
    AgentSettled,
    AgentStart,
    QueueUpdate,
    TurnStart,
)
from pi_agent.loop.loop import FinishedTurn
from pi_agent.loop.tool import ToolCallDecision, ToolDefinition, ToolResult
from pi_agent.session.entries import Entry, MessageEntry, UsageEntry
from pi_agent.session.store import SessionManager
from pi_tui.frozen import frozen

_OUTCOMES: Final[Mapping[str, Outcome]] = {"error": "error", "aborted": "aborted"}


@frozen
class ExtensionHooks:
    """Passes on to the extensions of the moment what happens in `session`."""

    extensions: Generations
    prompt: SystemPrompt
    session: SessionManager

    async def take_input(self, given: Input, behavior: StreamingBehavior | None) -> Input | None:
        """Return what is to be said in place of what was typed; `None` if an extension has dealt with it."""
        event = InputEvent(given.text, tuple(given.images), streaming_behavior=behavior)
        done = await self.extensions.runner.emit(event, INPUT)
        if any(result.action == "handled" for result in done.results):
            return None
        return Input(done.event.text, done.event.images)

    async def begin_run(self, given: Input, tools: Sequence[ToolDefinition]) -> RunStart:
        """Return how a run begins: prompt and tools as the extensions want them, and their messages."""
        options = self.prompt.options_for(tools)
        event = BeforeAgentStartEvent(
            given.text, tuple(given.images), options, render_prompt=self.prompt.text
        )
        done = await self.extensions.runner.emit(event, BEFORE_AGENT_START)
        selected = set(options.selected_tools)
        messages = [result.message for result in done.results if result.message is not None]
        return RunStart(
            sections=self.prompt.sections(options),
            left_out_tools=frozenset(tool.name for tool in tools if tool.name not in selected),
            messages=[_custom(message) for message in messages],
            forced_prompt=options.force_system_prompt,
        )

    async def before_tool_call(
        self, tool_call_id: str, tool_name: str, input: JsonObject
    ) -> ToolCallDecision | None:
        """Ask the gates about a call. The first that blocks, fails or is skipped has decided.

        An abort of the run ends the question at once.
        """
        event = ToolCallEvent(tool_call_id, tool_name, input)
        signal = self.extensions.source.signal
        done = await self.extensions.runner.emit(event, TOOL_CALL, signal=signal)
        return done.results[-1] if done.results else None

    async def after_tool_call(
        self, tool_call_id: str, tool_name: str, input: JsonObject, result: ToolResult
    ) -> ToolResult:
        """Return the result of a call as the extensions have changed it."""
        event = ToolResultEvent(
            tool_call_id,
            tool_name,
            input,
            list(result.content),
            result.details,
            result.structured_content,
            result.is_error,
            result.usage,
        )
        signal = self.extensions.source.signal
        final = (await self.extensions.runner.emit(event, TOOL_RESULT, signal=signal)).event
        return ToolResult(
            content=list(final.content),
            details=final.details,
            structured_content=final.structured_content,
            usage=final.usage,
            is_error=final.is_error,
            terminate=result.terminate,
        )

    async def model_selected(
        self, model: Model, previous: Model | None, source: ModelSelectSource
    ) -> None:
        """Tell the extensions that another model answers from now on."""
        await self.extensions.runner.emit(ModelSelectEvent(model, previous, source), NOTIFY)

    async def decide_warming(self, event: CacheWarmingDecisionEvent) -> WarmingAction:
        """Ask whether a prompt is kept in the provider's cache: who answered last has decided."""
        done = await self.extensions.runner.emit(event, CACHE_WARMING_DECISION)
        return done.event.action

    async def tell(self, event: AgentEvent) -> None:
        """Tell the extensions of the events of a run that are theirs, too."""
        runner = self.extensions.runner
        if isinstance(event, AgentStart | TurnStart | AgentEnd | AgentSettled | QueueUpdate):
            await runner.emit(event, NOTIFY)

    async def before_tree(self, event: SessionBeforeTreeEvent) -> SessionBeforeTreeResult | None:
        """Ask about a move in the tree: who cancels has decided, else who answered last."""
        runner = self.extensions.runner
        done = await runner.emit(event, SESSION_BEFORE_TREE, signal=event.signal)
        return done.results[-1] if done.results else None

    async def before_compact(
        self, event: SessionBeforeCompactEvent
    ) -> SessionBeforeCompactResult | None:
        """Ask about a compaction: who cancels has decided, else who answered last."""
        runner = self.extensions.runner
        done = await runner.emit(event, SESSION_BEFORE_COMPACT, signal=event.signal)
        return done.results[-1] if done.results else None

    async def tell_compaction(self, event: SessionCompactEvent | SessionCompactFailedEvent) -> None:
        """Tell the extensions what became of a compaction."""
        await self.extensions.runner.emit(event, NOTIFY)

    async def finish_turn(self, turn: FinishedTurn) -> TurnBoundary:
        """Return what the extensions add after a turn, which is in the session by now."""
        done = await self.extensions.runner.emit(_turn_end(turn, self.session), TURN_END)
        entries = [
            _custom(entry) if isinstance(entry, ExtensionMessage) else entry
            for entry in done.event.entries
        ]
        return TurnBoundary(entries, done.event.continue_)


def _custom(message: ExtensionMessage) -> CustomMessage:
    content = message.content
    return CustomMessage(
        custom_type=message.custom_type,
        content=content if isinstance(content, str) else list(content),
        display=message.display,
        details=message.details,
    )


def _is_behind_answer(entry: Entry) -> bool:
    """Return whether an entry follows the answer of its turn: a result, or tokens spent while tools ran."""
    is_result = isinstance(entry, MessageEntry) and entry.role == "toolResult"
    return is_result or isinstance(entry, UsageEntry)


def _turn_end(turn: FinishedTurn, session: SessionManager) -> TurnEndEvent:
    """Find the entries of a turn: the answer, and the results that follow it at the end of the branch."""
    results: list[str] = []
    entry = session.get_leaf_entry()
    while entry is not None and entry.parent_id and _is_behind_answer(entry):
        if isinstance(entry, MessageEntry):
            results.insert(0, entry.id)
        entry = session.get_entry(entry.parent_id)
    answer = entry.id if isinstance(entry, MessageEntry) and entry.role == "assistant" else None
    return TurnEndEvent(
        turn.turn_index,
        turn.message,
        list(turn.tool_results),
        outcome=_OUTCOMES.get(turn.message.stop_reason, "completed"),
        message_entry_id=answer,
        tool_result_entry_ids=results,
    )
