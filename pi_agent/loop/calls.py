"""The tool calls of one answer: what may run, in which order, and one result for each whatever happens.

Every call gets exactly one start event, one end event and one result message. All calls are prepared
before the first one runs, unless they have to run one after another.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from copy import deepcopy
from dataclasses import field

from pi_agent.base.clock import Clock, SystemClock
from pi_agent.base.params import Parameters
from pi_agent.base.schema import validation_error_text
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import AssistantMessage, ToolCall, ToolResultMessage, tool_calls_of
from pi_agent.loop.events import (
    AgentEvent,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
)
from pi_agent.loop.grace import DEFAULT_GRACE_SECONDS, finish_or_cancel
from pi_agent.loop.results import ReportProblem, error_result, error_text, partial_of, result_of
from pi_agent.loop.tool import (
    AfterToolCall,
    BeforeToolCall,
    ExecutionMode,
    PartialResult,
    ToolDefinition,
    ToolResult,
)
from pi_tui.abort import AbortError, AbortSignal
from pi_tui.frozen import frozen
from pi_tui.threads import run_in_thread

OPERATION_ABORTED = "Operation aborted"
_BLOCKED = "Tool execution was blocked"
_CUT_OFF = (
    "This call was not executed: the answer was cut off at the output token limit, so its arguments may"
    " be incomplete. Issue the call again, with shorter arguments if they were long."
)

_log = logging.getLogger("pi.tools")

# Whoever is told is waited for: events arrive one after another.
Emit = Callable[[AgentEvent], Awaitable[None]]
# Publishes a result message and returns the one to keep.
ReportResult = Callable[[ToolResultMessage], Awaitable[ToolResultMessage]]


def _no_context(tool_call_id: str) -> object:
    return None


@frozen(kw_only=True)
class CallConfig:
    """What it takes to run tool calls.

    `make_tool_context` gives the `ctx` argument of `execute`. `grace_seconds` is how long a tool may go
    on after an abort before it is cancelled.
    """

    tools: Sequence[ToolDefinition] = ()
    tool_execution: ExecutionMode = "parallel"
    before_tool_call: BeforeToolCall | None = None
    after_tool_call: AfterToolCall | None = None
    make_tool_context: Callable[[str], object] = _no_context
    grace_seconds: float = DEFAULT_GRACE_SECONDS
    report_problem: ReportProblem = _log.warning
    clock: Clock = field(default_factory=SystemClock)


@frozen
class FinishedCall:
    """The result of a call as it is in the transcript, and whether it asks for the end of the run."""

    message: ToolResultMessage
    terminate: bool


async def run_tool_calls(
    answer: AssistantMessage,
    config: CallConfig,
    *,
    emit: Emit,
    report: ReportResult,
    signal: AbortSignal,
) -> list[FinishedCall]:
    """Run the calls of `answer` and return their results in call order."""
    batch = _Batch(answer, config, emit, report, signal)
    return await (batch.run_one_by_one() if batch.is_sequential else batch.run_together())


@frozen
class _Ready:
    """A call that may run."""

    call: ToolCall
    tool: ToolDefinition
    values: JsonObject
    params: object


@frozen
class _Settled:
    """A call whose end has been announced; `duration_ms` is `None` if it never ran."""

    call: ToolCall
    result: ToolResult
    duration_ms: int | None = None


class _Refused(Exception):
    """A call does not run; the text is for the model."""

    def __init__(self, text: str, *, terminate: bool = False) -> None:
        super().__init__(text)
        self.terminate = terminate


class _Batch:
    """The calls of one answer."""

    def __init__(
        self,
        answer: AssistantMessage,
        config: CallConfig,
        emit: Emit,
        report: ReportResult,
        signal: AbortSignal,
    ) -> None:
        self._calls = tool_calls_of(answer)
        self._was_cut_off = answer.stop_reason == "length"
        self._config = config
        self._tools = {tool.name: tool for tool in config.tools if tool.exposure != "hidden"}
        self._emit = emit
        self._report = report
        self._signal = signal

    @property
    def is_sequential(self) -> bool:
        called = (self._tools.get(call.name) for call in self._calls)
        return self._config.tool_execution == "sequential" or any(
            tool is not None and tool.execution_mode == "sequential" for tool in called
        )

    async def run_one_by_one(self) -> list[FinishedCall]:
        return [
            await self._finish(await self._execute(await self._prepare(call)))
            for call in self._calls
        ]

    async def run_together(self) -> list[FinishedCall]:
        prepared = [await self._prepare(call) for call in self._calls]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._execute(each)) for each in prepared]
        return [await self._finish(task.result()) for task in tasks]

    # --- before: may it run?

    async def _prepare(self, call: ToolCall) -> _Ready | _Settled:
        await self._emit(ToolExecutionStart(call.id, call.name, call.arguments))
        try:
            return await self._preflight(call)
        except _Refused as refusal:
            return await self._settle(call, error_result(str(refusal), terminate=refusal.terminate))

    async def _preflight(self, call: ToolCall) -> _Ready:
        if self._signal.aborted:
            raise _Refused(OPERATION_ABORTED)
        if self._was_cut_off:
            raise _Refused(_CUT_OFF)
        tool = self._tools.get(call.name)
        if tool is None:
            raise _Refused(f"Tool {call.name} not found")
        if call.arguments_error:
            raise _Refused(f'Invalid arguments for tool "{call.name}": {call.arguments_error}')
        try:
            parameters = Parameters(tool.parameters)
            values = _checked(tool, parameters, call.arguments)
        except _Refused:
            raise
        except Exception as error:
            _log.info("arguments of tool %s could not be prepared", call.name, exc_info=error)
            raise _Refused(error_text(error)) from None
        await self._ask(call, values)
        return _Ready(call, tool, values, parameters.build(values))

    async def _ask(self, call: ToolCall, values: JsonObject) -> None:
        """Ask the gate; one that fails keeps the call from running."""
        gate = self._config.before_tool_call
        if gate is None:
            return
        try:
            decision = await finish_or_cancel(
                gate(call.id, call.name, values), self._signal, self._grace
            )
        except AbortError:
            raise _Refused(OPERATION_ABORTED) from None
        except Exception as error:
            _log.warning("the gate of tool %s failed", call.name, exc_info=error)
            raise _Refused(error_text(error)) from None
        if self._signal.aborted:
            raise _Refused(OPERATION_ABORTED)
        if decision is not None and decision.block:
            raise _Refused(decision.reason or _BLOCKED, terminate=decision.terminate)

    # --- the call itself

    async def _execute(self, prepared: _Ready | _Settled) -> _Settled:
        if isinstance(prepared, _Settled):
            return prepared
        if self._signal.aborted:
            return await self._settle(prepared.call, error_result(OPERATION_ABORTED))
        started = self._config.clock.monotonic()
        result = await self._run(prepared)
        duration_ms = round((self._config.clock.monotonic() - started) * 1000)
        result = await self._post_process(prepared, result)
        return await self._settle(prepared.call, result, duration_ms)

    async def _run(self, ready: _Ready) -> ToolResult:
        """Run the tool; its failures become results, and its progress is told before it returns."""
        updates = _Updates(ready, self._emit, self._config.report_problem)
        try:
            value = await finish_or_cancel(self._call(ready, updates), self._signal, self._grace)
            result = result_of(value, ready.tool, self._config.report_problem)
        except AbortError as error:
            result = error_result(error_text(error))
        except Exception as error:
            _log.info("tool %s failed", ready.tool.name, exc_info=error)
            result = error_result(error_text(error))
        except BaseException:
            updates.cancel()
            raise
        await updates.close()
        return result

    async def _call(self, ready: _Ready, updates: _Updates) -> object:
        execute = ready.tool.execute
        ctx = self._config.make_tool_context(ready.call.id)
        arguments = (ready.call.id, ready.params, self._signal, updates.take, ctx)
        try:
            if inspect.iscoroutinefunction(execute):
                return await execute(*arguments)
            result = await run_in_thread(lambda: execute(*arguments), name=ready.tool.name)
            return await result if inspect.isawaitable(result) else result
        except SystemExit as error:
            raise RuntimeError(f"The tool tried to end the program: {error.code}") from None

    # --- after

    async def _post_process(self, ready: _Ready, result: ToolResult) -> ToolResult:
        hook = self._config.after_tool_call
        if hook is None:
            return result
        try:
            return await finish_or_cancel(
                hook(ready.call.id, ready.call.name, ready.values, result),
                self._signal,
                self._grace,
            )
        except AbortError:
            return result
        except Exception as error:
            _log.warning("the after-hook of tool %s failed", ready.tool.name, exc_info=error)
            return error_result(error_text(error))

    async def _settle(
        self, call: ToolCall, result: ToolResult, duration_ms: int | None = None
    ) -> _Settled:
        await self._emit(ToolExecutionEnd(call.id, call.name, result, result.is_error, duration_ms))
        return _Settled(call, result, duration_ms)

    async def _finish(self, settled: _Settled) -> FinishedCall:
        result = settled.result
        message = ToolResultMessage(
            tool_call_id=settled.call.id,
            tool_name=settled.call.name,
            content=list(result.content),
            details=result.details,
            is_error=result.is_error,
            usage=result.usage,
            duration_ms=settled.duration_ms,
            timestamp=round(self._config.clock.now() * 1000),
        )
        return FinishedCall(await self._report(message), result.terminate)

    async def _grace(self) -> None:
        await self._config.clock.sleep(self._config.grace_seconds)


class _Updates:
    """Delivers a running tool's progress in order, one at a time, until the tool has finished."""

    def __init__(self, ready: _Ready, emit: Emit, report: ReportProblem) -> None:
        self._ready = ready
        self._emit = emit
        self._report = report
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[PartialResult | None] = asyncio.Queue()
        self._delivery = self._loop.create_task(self._deliver())
        self._closed = False

    def take(self, partial: object) -> None:
        """Take progress from the tool, in whichever thread it runs."""
        if self._closed:
            return
        try:
            partial = partial_of(partial, self._ready.tool, self._report)
        except (TypeError, ValueError) as error:
            self._report(f'Progress of tool "{self._ready.tool.name}" was left out: {error}')
            return
        if _is_running(self._loop):
            self._waiting.put_nowait(partial)
        else:
            self._loop.call_soon_threadsafe(self._waiting.put_nowait, partial)

    async def close(self) -> None:
        """Take no more, and return when all has been delivered."""
        self._closed = True
        self._waiting.put_nowait(None)
        await self._delivery

    def cancel(self) -> None:
        """Take and deliver no more."""
        self._closed = True
        self._delivery.cancel()

    async def _deliver(self) -> None:
        call = self._ready.call
        while (partial := await self._waiting.get()) is not None:
            await self._emit(ToolExecutionUpdate(call.id, call.name, call.arguments, partial))


def _checked(tool: ToolDefinition, parameters: Parameters, arguments: JsonObject) -> JsonObject:
    """Return a copy of the model's arguments that fits the tool."""
    values = deepcopy(arguments)
    if tool.prepare_arguments is not None:
        values = tool.prepare_arguments(values)
    checked = parameters.check(values)
    if checked.problems:
        raise _Refused(validation_error_text(tool.name, checked.problems, arguments))
    return checked.values


def _is_running(loop: asyncio.AbstractEventLoop) -> bool:
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False
