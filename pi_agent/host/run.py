"""One run: what is said goes to the model, until nothing is left that it should answer.

What a run begins with comes from the extensions; failures that may pass are asked again, and what was queued
too late for the loop is answered too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from pi_agent.extensions.results import ExtensionEntry
from pi_agent.host.compactor import Compactor
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.host.overflow_recovery import OverflowRecovery
from pi_agent.host.record import SessionRecord
from pi_agent.host.retry import AutoRetry
from pi_agent.host.run_start import Input, RunStart
from pi_agent.host.selection import ModelSelection
from pi_agent.llm.budget import output_budget
from pi_agent.llm.messages import AssistantMessage, CustomMessage, Message
from pi_agent.llm.model import Model
from pi_agent.llm.system_state import SystemState, replay_system, system_patch
from pi_agent.loop.events import AgentEvent, MessageEnd, MessageStart
from pi_agent.loop.loop import (
    Decision,
    FinishedTurn,
    LoopConfig,
    NextTurn,
    TurnContext,
    continue_run,
    run_loop,
)
from pi_agent.loop.response import Request
from pi_agent.loop.tool import ToolDefinition
from pi_tui.abort import AbortSignal

Emit = Callable[[AgentEvent], Awaitable[None]]


class Run:
    """One run of a conversation. `emit` gets every event of the loop, `asked` every request.

    `has_begun`: the extensions have said what it begins with.
    """

    def __init__(
        self,
        setup: ConversationSetup,
        selection: ModelSelection,
        record: SessionRecord,
        retry: AutoRetry,
        *,
        compactor: Compactor,
        recovery: OverflowRecovery,
        emit: Emit,
        asked: Callable[[Request], None],
    ) -> None:
        self._setup = setup
        self._selection = selection
        self._record = record
        self._retry = retry
        self._compactor = compactor
        self._recovery = recovery
        self._emit = emit
        self._asked = asked
        self._queues = setup.queues
        self._start = RunStart()
        self._has_added = False
        self.has_begun = False

    @property
    def tools(self) -> list[ToolDefinition]:
        """The tools of this run, in the order the model is told of them."""
        left_out = self._start.left_out_tools
        return [tool for tool in self._setup.tools() if tool.name not in left_out]

    async def answer(self, model: Model, said: Input, signal: AbortSignal) -> None:
        """Begin with what was said, once there is room for it."""
        await self._compactor.check(signal)
        self._start = await self._setup.begin_run(said, self._setup.tools())
        self.has_begun = True
        history = self._messages
        self._record.settings(model, self._selection.thinking_level)
        initial: list[Message] = [said.message(self._now_ms()), *self._start.messages]
        patch = self._system_patch(history)
        if patch is not None:
            initial.insert(0, patch)
        config = self._loop_config(model)
        await run_loop(config, history, initial, emit=self._emit, signal=signal)

    async def answer_waiting(self, model: Model, signal: AbortSignal) -> None:
        """Run on after a failure that may pass or was mended, and with what came too late for the run before."""
        while True:
            if await self._retry.wait(signal) or await self._is_recovered(signal):
                config = self._loop_config(self._selection.model or model)
                history = _without_failure(self._messages)
                await continue_run(config, history, emit=self._emit, signal=signal)
            elif self._has_more(signal):
                await self._say_waiting(self._loop_config(self._selection.model or model), signal)
            else:
                return

    async def _say_waiting(self, config: LoopConfig, signal: AbortSignal) -> None:
        """Run on with what is queued; after a failure that nobody waits for, too."""
        queued = await self._queues.drain_steering() or await self._queues.drain_follow_up()
        await run_loop(
            config,
            self._messages,
            queued,
            emit=self._emit,
            signal=signal,
            skip_initial_steering=True,
        )

    async def _is_recovered(self, signal: AbortSignal) -> bool:
        return not self._retry.was_cancelled and await self._recovery.settle(signal)

    def _has_more(self, signal: AbortSignal) -> bool:
        return bool(self._queues) and not signal.aborted and not self._retry.was_cancelled

    def _loop_config(self, model: Model) -> LoopConfig:
        setup = self._setup
        return LoopConfig(
            model=model,
            stream=setup.registry.stream,
            thinking_level=self._selection.thinking_level,
            convert_to_llm=setup.convert_to_llm,
            tools=tuple(self.tools),
            prepare_next_turn=self._prepare_next_turn,
            finish_turn=self._finish_turn,
            get_steering_messages=self._queues.drain_steering,
            get_follow_up_messages=self._queues.drain_follow_up,
            prepare_request=self._prepare_request,
            before_tool_call=setup.before_tool_call,
            after_tool_call=setup.after_tool_call,
            make_tool_context=setup.make_tool_context,
            clock=setup.clock,
        )

    async def _prepare_next_turn(self, turn: TurnContext) -> NextTurn:
        changed, self._has_added = self._has_added, False
        changed = await self._compactor.check(turn.signal) or changed
        return NextTurn(
            messages=self._messages if changed else None,
            model=self._selection.model,
            thinking_level=self._selection.thinking_level,
            tools=self.tools,
        )

    async def _finish_turn(self, turn: FinishedTurn) -> Decision | None:
        """Add what the extensions want after a turn; `continue` if that is to be answered."""
        boundary = await self._setup.finish_turn(turn)
        for entry in boundary.entries:
            await self._add(entry)
        if not boundary.wants_more or turn.message.stop_reason in ("error", "aborted"):
            return None
        if boundary.has_messages or turn.tool_results or self._queues:
            return "continue"
        self._record.report("turn_end requested continuation without runnable model context")
        return None

    async def _add(self, entry: ExtensionEntry | CustomMessage) -> None:
        self._has_added = True
        if isinstance(entry, ExtensionEntry):
            self._record.custom(entry)
            return
        message = entry.model_copy(update={"timestamp": self._now_ms()})
        await self._emit(MessageStart(message))
        await self._emit(MessageEnd(message))

    async def _prepare_request(self, request: Request) -> None:
        request.options.session_id = self._setup.session.get_session_id()
        if self._start.forced_prompt is not None:
            request.context.system_prompt = self._start.forced_prompt
        request.options.max_tokens = output_budget(request.model, request.context)
        self._setup.set_options(request.options)
        self._asked(request)

    def _system_patch(self, history: Sequence[Message]) -> Message | None:
        told = replay_system(history)
        tools = self.tools
        declared = tuple(tool.declaration() for tool in tools if tool.exposure != "hidden")
        wanted = SystemState("", dict(self._start.sections), declared)
        return system_patch(told, wanted, self._now_ms())

    @property
    def _messages(self) -> list[Message]:
        return self._setup.session.build_session_projection()

    def _now_ms(self) -> int:
        return round(self._setup.clock.now() * 1000)


def _without_failure(history: list[Message]) -> list[Message]:
    """Leave out a failed answer at the end, which could not be hidden in the session."""
    return history[:-1] if isinstance(history[-1], AssistantMessage) else history
