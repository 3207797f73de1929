"""The run: ask the model, call the tools it asks for, repeat until it is done.

The loop knows nothing of terminals, sessions or extensions: what they do hangs on the callables of
`LoopConfig`, and every step is told to `emit`, which is waited for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Literal

from pi_agent.llm.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    TextContent,
    ToolResultMessage,
    text_of,
)
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.stream import Context, StreamFunction, StreamOptions
from pi_agent.llm.system_notice import with_notices
from pi_agent.llm.system_state import SystemState, render_system, replay_system, system_patch
from pi_agent.llm.transform import convert_to_llm
from pi_agent.loop.calls import CallConfig, Emit, FinishedCall, run_tool_calls
from pi_agent.loop.events import (
    AgentEnd,
    AgentStart,
    MessageEnd,
    MessageStart,
    TurnEnd,
    TurnStart,
)
from pi_agent.loop.response import Request, Responder
from pi_agent.loop.tool import ToolDefinition
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen

Drain = Callable[[], Awaitable[Sequence[Message]]]
Decision = Literal["end", "continue"]

_NO_OUTPUT = "(no output)"


@frozen
class TurnContext:
    """What is known between two turns."""

    messages: Sequence[Message]
    model: Model
    thinking_level: ThinkingLevel
    tools: Sequence[ToolDefinition]
    signal: AbortSignal


@frozen(kw_only=True)
class NextTurn:
    """What changes before the next turn; `None` leaves things as they are.

    `messages` replaces the transcript, as after a compaction. `system` is a patch of the prompt, and
    becomes part of the transcript. `stop` ends the run; messages that were waiting are kept.
    """

    messages: Sequence[Message] | None = None
    model: Model | None = None
    thinking_level: ThinkingLevel | None = None
    tools: Sequence[ToolDefinition] | None = None
    system: SystemMessage | None = None
    stop: bool = False


@frozen
class FinishedTurn:
    """A turn that is complete but not yet announced as such."""

    turn_index: int
    message: AssistantMessage
    tool_results: Sequence[ToolResultMessage]
    messages: Sequence[Message]


async def _nothing() -> Sequence[Message]:
    return ()


async def _unchanged(message: Message) -> Message:
    return message


@frozen(kw_only=True)
class LoopConfig(CallConfig):
    """Everything a run depends on.

    `finish_turn` may end the run, or ask for one more request. `replace_message` sees every final message
    before anyone else and returns the one to keep; its role must stay. `transform_context` sees the whole
    transcript before each request, `convert_to_llm` turns the result into what models know.
    """

    model: Model
    stream: StreamFunction
    thinking_level: ThinkingLevel = "off"
    convert_to_llm: Callable[[Sequence[Message]], list[Message]] = convert_to_llm
    transform_context: Callable[[list[Message]], Awaitable[list[Message]]] | None = None
    get_steering_messages: Drain = _nothing
    get_follow_up_messages: Drain = _nothing
    prepare_next_turn: Callable[[TurnContext], Awaitable[NextTurn | None]] | None = None
    prepare_request: Callable[[Request], Awaitable[None]] | None = None
    finish_turn: Callable[[FinishedTurn], Awaitable[Decision | None]] | None = None
    replace_message: Callable[[Message], Awaitable[Message]] = _unchanged


async def run_loop(
    config: LoopConfig,
    history: Sequence[Message],
    initial: Sequence[Message],
    *,
    emit: Emit,
    signal: AbortSignal,
    skip_initial_steering: bool = False,
) -> list[Message]:
    """Run with new messages after `history`; returns what the run produced, `initial` included."""
    run = _Run(config, history, emit, signal)
    pending = list(initial)
    if not skip_initial_steering:
        pending += await config.get_steering_messages()
    return await run.go(pending)


async def continue_run(
    config: LoopConfig, history: Sequence[Message], *, emit: Emit, signal: AbortSignal
) -> list[Message]:
    """Run on from `history` as it is, as after a failure; returns what the run produced.

    If it ends with an answer, waiting messages go on from there; without any it is a `ValueError`, and so
    is a history of nothing but system messages.
    """
    if all(isinstance(message, SystemMessage) for message in history):
        raise ValueError("There is nothing to continue: the conversation has no messages yet.")
    pending = list(await config.get_steering_messages())
    if isinstance(history[-1], AssistantMessage):
        pending = pending or list(await config.get_follow_up_messages())
        if not pending:
            raise ValueError("There is nothing to continue: the last message is an answer.")
    return await _Run(config, history, emit, signal).go(pending)


class _Run:
    """One run: from `agent_start` to `agent_end`."""

    def __init__(
        self, config: LoopConfig, history: Sequence[Message], emit: Emit, signal: AbortSignal
    ) -> None:
        self._config = config
        self._messages = list(history)
        self._produced: list[Message] = []
        self._emit = emit
        self._signal = signal
        self._turn_index = 0

    async def go(self, pending: list[Message]) -> list[Message]:
        await self._emit(AgentStart())
        await self._start_turn()
        await self._turns(pending)
        await self._emit(AgentEnd(list(self._produced)))
        return self._produced

    async def _turns(self, pending: list[Message]) -> None:
        """Run turns while there is a reason for another request."""
        is_first = True
        request_due = True
        while True:
            while request_due or pending:
                if not is_first:
                    if not await self._prepare_next_turn(pending):
                        return
                    pending = pending or await self._drain_steering()
                    await self._start_turn()
                is_first = False
                await self._take_in(pending)
                answer = await self._respond()
                if answer.stop_reason in ("error", "aborted"):
                    await self._end_turn(answer, [])
                    return
                calls = await self._call_tools(answer)
                decision = await self._end_turn(answer, [call.message for call in calls])
                if decision == "end":
                    return
                request_due = bool(calls) and not all(call.terminate for call in calls)
                one_more = decision == "continue" and not request_due
                pending = await self._drain_steering()
                if pending:
                    one_more = False
            if self._signal.aborted:
                return
            pending = list(await self._config.get_follow_up_messages())
            if not pending and not one_more:
                return
            request_due = not pending

    # --- turns

    async def _start_turn(self) -> None:
        await self._emit(TurnStart(self._turn_index, self._config.clock.now()))

    async def _end_turn(
        self, answer: AssistantMessage, results: list[ToolResultMessage]
    ) -> Decision | None:
        decision = None
        if self._config.finish_turn is not None:
            turn = FinishedTurn(self._turn_index, answer, results, tuple(self._messages))
            decision = await self._config.finish_turn(turn)
        await self._emit(TurnEnd(self._turn_index, answer, results))
        self._turn_index += 1
        return decision

    async def _prepare_next_turn(self, pending: list[Message]) -> bool:
        """Let the host change things between turns; returns whether the run goes on.

        After an abort there is nothing to prepare: no request will go out.
        """
        config = self._config
        if config.prepare_next_turn is None or self._signal.aborted:
            return True
        turn = TurnContext(
            tuple(self._messages), config.model, config.thinking_level, config.tools, self._signal
        )
        change = await config.prepare_next_turn(turn)
        if change is None:
            return True
        if change.messages is not None:
            self._messages = list(change.messages)
        self._config = replace(
            config,
            model=change.model or config.model,
            thinking_level=change.thinking_level or config.thinking_level,
            tools=config.tools if change.tools is None else change.tools,
        )
        if change.stop:
            await self._take_in(pending)
            return False
        if change.system is not None:
            pending.insert(0, change.system)
        return True

    async def _drain_steering(self) -> list[Message]:
        return list(await self._config.get_steering_messages())

    # --- messages

    async def _take_in(self, pending: Sequence[Message]) -> None:
        """Make waiting messages part of the transcript, with a patch if the tools have changed."""
        place = next(
            (at for at, message in enumerate(pending) if not isinstance(message, SystemMessage)),
            len(pending),
        )
        for message in pending[:place]:
            await self._add(message)
        patch = self._tools_patch()
        if patch is not None:
            await self._add(patch)
        for message in pending[place:]:
            await self._add(message)

    def _tools_patch(self) -> SystemMessage | None:
        told = replay_system(self._messages)
        declared = tuple(
            tool.declaration() for tool in self._config.tools if tool.exposure != "hidden"
        )
        wanted = SystemState(told.content, told.sections, declared)
        return system_patch(told, wanted, round(self._config.clock.now() * 1000))

    async def _add(self, message: Message) -> Message:
        await self._emit(MessageStart(message))
        return await self._finish(message)

    async def _finish(self, message: Message) -> Message:
        """Announce the final form of a message and keep it."""
        final = await self._config.replace_message(message)
        if final.role != message.role:
            final = message
        await self._emit(MessageEnd(final))
        self._messages.append(final)
        self._produced.append(final)
        return final

    # --- the model and its tools

    async def _respond(self) -> AssistantMessage:
        config = self._config
        responder = Responder(
            config.model, emit=self._emit, signal=self._signal, clock=config.clock
        )
        answer = await responder.answer(config.stream, self._request, config.grace_seconds)
        answer.thinking_level = config.thinking_level
        final = await self._finish(answer)
        return final if isinstance(final, AssistantMessage) else answer

    async def _request(self) -> Request:
        config = self._config
        options = StreamOptions(signal=self._signal, reasoning=config.thinking_level)
        request = Request(config.model, await self._context(), options)
        if config.prepare_request is not None:
            await config.prepare_request(request)
        return request

    async def _context(self) -> Context:
        messages = list(self._messages)
        if self._config.transform_context is not None:
            messages = await self._config.transform_context(messages)
        state = replay_system(messages)
        prompt, rest = _prompt_and_rest(messages, state, self._config.model)
        plain = self._config.convert_to_llm(rest)
        return Context(
            system_prompt=prompt,
            messages=[_with_text(message) for message in plain],
            tools=list(state.tools),
        )

    async def _call_tools(self, answer: AssistantMessage) -> list[FinishedCall]:
        return await run_tool_calls(
            answer,
            self._config,
            emit=self._emit,
            report=self._add_result,
            signal=self._signal,
        )

    async def _add_result(self, message: ToolResultMessage) -> ToolResultMessage:
        final = await self._add(message)
        return final if isinstance(final, ToolResultMessage) else message


def _prompt_and_rest(
    messages: Sequence[Message], state: SystemState, model: Model
) -> tuple[str, Sequence[Message]]:
    """Return the prompt as it is now and the conversation; changes stay in it for models that take them there."""
    if model.compat.get("supportsMidConvoSystemMessages") is True:
        parts = with_notices(messages)
        if parts is not None:
            return render_system(replay_system(parts[0])), parts[1]
    rest = [message for message in messages if not isinstance(message, SystemMessage)]
    return render_system(state), rest


def _with_text(message: Message) -> Message:
    """Give a tool result without output a text: some providers refuse an empty one."""
    if not isinstance(message, ToolResultMessage):
        return message
    texts_only = all(isinstance(block, TextContent) for block in message.content)
    if not texts_only or text_of(message.content).strip():
        return message
    return message.model_copy(update={"content": [TextContent(text=_NO_OUTPUT)]})
