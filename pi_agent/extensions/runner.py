"""Call what extensions registered: handlers in order, commands, tools, each behind the guard.

A failure is reported and the next handler runs; a gate that fails, is skipped or answers nonsense blocks what
it guards.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal

from pi_agent.base.wire import JsonObject
from pi_agent.extensions.context import (
    ContextSource,
    ExtensionCommandContext,
    ExtensionContext,
    ExtensionToolContext,
)
from pi_agent.extensions.events import (
    ExtensionEvent,
    SessionShutdownEvent,
    SessionShutdownReason,
    SessionStartEvent,
    SessionStartReason,
    ToolCallEvent,
)
from pi_agent.extensions.guard import (
    ENDED_EARLY,
    ExtensionGuard,
    FailureReports,
    ReportError,
    describe,
)
from pi_agent.extensions.merge import ResultShapeError, tool_call_decision
from pi_agent.extensions.owned_ui import OwnedUI
from pi_agent.extensions.owner import Owner
from pi_agent.extensions.registry import Callback, Command, Extension, Registry
from pi_agent.extensions.ui import ExtensionUI, UIHost
from pi_agent.extensions.waiting import EndReason, HandlerCall, Waiting, current_call
from pi_agent.loop.tool import Execute, ToolCallDecision, ToolDefinition
from pi_tui.abort import AbortSignal

SHUTDOWN_SECONDS: Final = 5.0
# A handler that takes a larger share of the limit no longer holds up those after it.
_PATIENT_SHARE: Final = 0.2
_COMMAND: Final = re.compile(r"\s*/(?P<name>\S+)(?:\s(?P<args>.*))?", re.DOTALL)
_TIDY_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class _Outcome:
    """How a call of extension code ended."""

    how: Literal["returned", "failed", "skipped", "aborted"]
    value: object = None
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class _Contexts:
    """What one extension's code is handed as `ctx`."""

    events: ExtensionContext
    commands: ExtensionCommandContext
    tools: ExtensionToolContext


class ExtensionRunner:
    """The extensions of one session generation at work.

    `report` is told of failures, `now` is a monotonic clock in seconds. Belongs to the event loop.
    """

    def __init__(
        self,
        extensions: Sequence[Extension],
        source: ContextSource,
        ui: UIHost,
        report: ReportError,
        now: Callable[[], float],
    ) -> None:
        self._registry = Registry(extensions)
        self._source = source
        self._failures = FailureReports(report)
        self._now = now
        self._contexts = {
            each: _contexts(each, source, ui.for_extension(self._owner(each)))
            for each in extensions
        }
        self._calls: list[HandlerCall] = []
        self._tasks: set[asyncio.Task[_Outcome]] = set()
        self._is_started = False

    @property
    def extensions(self) -> tuple[Extension, ...]:
        """The extensions, in load order."""
        return self._registry.extensions

    # --- events

    async def start(
        self, reason: SessionStartReason, *, previous_session_file: str | None = None
    ) -> None:
        """Run the `session_start` handlers, one after another."""
        self._is_started = True
        event = SessionStartEvent(reason, previous_session_file)
        for extension, handler in self._registry.handlers(event.type):
            await self._handle(extension, handler, event)

    async def emit_tool_call(
        self,
        tool_call_id: str,
        tool_name: str,
        input: JsonObject,
        *,
        parent_tool_call_id: str | None = None,
    ) -> ToolCallDecision | None:
        """Ask the gates about a call. The first that blocks, fails or is skipped has decided.

        Handlers may change `input` in place. An abort of the run ends the question at once.
        """
        event = ToolCallEvent(tool_call_id, tool_name, input, parent_tool_call_id)
        signal = self._source.signal
        for extension, handler in self._registry.handlers(event.type):
            outcome = await self._handle(extension, handler, event, signal=signal)
            decision = self._decision(extension, outcome)
            if decision is not None:
                return decision
        return None

    async def shutdown(
        self,
        reason: SessionShutdownReason,
        *,
        target_session_file: str | None = None,
        limit: float = SHUTDOWN_SECONDS,
    ) -> list[Waiting]:
        """Run the `session_shutdown` handlers, once and only if the session was started.

        Handlers run in order. One that hangs does not keep the others from running, and all together get
        `limit` seconds. Returns those that did not finish.
        """
        if not self._is_started:
            return []
        self._is_started = False
        event = SessionShutdownEvent(reason, target_session_file)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + limit
        running: dict[asyncio.Task[_Outcome], Waiting] = {}
        hanging: set[asyncio.Task[_Outcome]] = set()
        for extension, handler in self._registry.handlers(event.type):
            task = asyncio.create_task(self._handle(extension, handler, event))
            running[task] = Waiting(extension.name, event.type, self._now())
            if not hanging:
                _, hanging = await asyncio.wait({task}, timeout=limit * _PATIENT_SHARE)
        if running:
            await asyncio.wait(running, timeout=max(0.0, deadline - loop.time()))
        late = [task for task in running if not task.done()]
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        return [running[task] for task in late]

    # --- commands and tools

    def commands(self) -> Mapping[str, Command]:
        """Return the commands by the name they are called with."""
        return self._registry.commands()

    def command(self, name: str) -> Command | None:
        """Return the command that is called with `name`."""
        return self.commands().get(name)

    def match_command(self, text: str) -> tuple[str, str] | None:
        """Return name and arguments if `text` calls a command: `/name`, one blank, and the rest as it is."""
        match = _COMMAND.fullmatch(text)
        if match is None or self.command(match["name"]) is None:
            return None
        return match["name"], match["args"] or ""

    async def run_command(self, name: str, args: str) -> bool:
        """Run `/name args` and return whether there is such a command; its failure is reported."""
        command = self.command(name)
        if command is None:
            return False
        extension = command.extension
        ctx = self._contexts[extension].commands
        await self._call(
            extension, lambda: command.handler(args, ctx), place="command", shown_as=f"/{name}"
        )
        return True

    def tools(self) -> list[ToolDefinition]:
        """Return the registered tools as they stand now, each with the context of its extension."""
        return [self._bound(extension, tool) for extension, tool in self._registry.tools()]

    def warnings(self) -> list[str]:
        """Return what was registered in vain, with the extension's path and the reason."""
        return [f"{extension.path}: {text}" for extension, text in self._registry.warnings()]

    # --- code that is being waited for

    def waiting(self) -> Waiting | None:
        """Return the handler or command that has been waited for longest; `None` if no code is.

        A handler with a dialog open is not waited for: the person is.
        """
        call = self._longest()
        return call.waiting() if call else None

    def skip_current(self) -> bool:
        """Stop waiting for what `waiting` returns: it is cancelled, and a gate blocks."""
        call = self._longest()
        if call is not None:
            call.give_up("skipped")
        return call is not None

    # --- the end

    def invalidate(self, message: str) -> None:
        """End the generation: its handlers are gone, open dialogs close, every `pi` and `ctx` raises.

        `message` is what `StaleContextError` says. Running code goes on in its own modules, and what it
        raises from now on is only logged.
        """
        self._failures.only_log()
        for extension in self._registry.extensions:
            extension.clear()
            extension.lifetime.end(message)

    async def aclose(self) -> None:
        """Cancel what still runs."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_TIDY_SECONDS)

    def report_stray(self, error: BaseException) -> bool:
        """Report an error that escaped from a task or callback, if an extension's code is in its traceback."""
        owner = self._owner_of(error)
        if owner is not None:
            self._guard(owner, "task").failed(error)
        return owner is not None

    # --- private

    async def _handle(
        self,
        extension: Extension,
        handler: Callback,
        event: ExtensionEvent,
        *,
        signal: AbortSignal | None = None,
    ) -> _Outcome:
        ctx = self._contexts[extension].events
        return await self._call(
            extension, lambda: handler(event, ctx), event.type, event.type, signal=signal
        )

    async def _call(
        self,
        extension: Extension,
        function: Callable[[], object],
        place: str,
        shown_as: str,
        *,
        signal: AbortSignal | None = None,
    ) -> _Outcome:
        """Call extension code and wait until it ends, is skipped, or `signal` fires."""
        guard = self._guard(extension, place)
        with extension.lifetime.in_use():
            attempt = guard.call(function)
            if attempt.error is not None:
                return _Outcome("failed", error=attempt.error)
            if not inspect.isawaitable(attempt.value):
                return _Outcome("returned", attempt.value)
            call = HandlerCall(extension.name, shown_as, self._now)
            # A task of its own can be cancelled, and left behind if it does not let itself be.
            task = asyncio.create_task(_run(extension, attempt.value, guard, call))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return await self._wait(extension, task, call, guard, signal)

    async def _wait(
        self,
        extension: Extension,
        task: asyncio.Task[_Outcome],
        call: HandlerCall,
        guard: ExtensionGuard,
        signal: AbortSignal | None,
    ) -> _Outcome:
        unsubscribe = signal.on_abort(lambda: call.give_up("aborted")) if signal else None
        self._calls.append(call)
        try:
            either: set[asyncio.Future[_Outcome] | asyncio.Future[EndReason]]
            either = {task, call.given_up}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._calls.remove(call)
            if unsubscribe is not None:
                unsubscribe()
            task.cancel()
        if not task.done():
            return _Outcome(call.given_up.result())
        outcome = _CANCELLED if task.cancelled() else task.result()
        if not isinstance(outcome.error, ENDED_EARLY):
            return outcome
        was_aborted = self._source.signal is not None and self._source.signal.aborted
        if was_aborted or extension.lifetime.ended:
            return _Outcome("aborted")
        guard.failed(outcome.error)
        return outcome

    def _decision(self, extension: Extension, outcome: _Outcome) -> ToolCallDecision | None:
        """Return what a gate decided; everything but a proper answer blocks."""
        if outcome.how == "aborted":
            return ToolCallDecision(block=True, reason="Operation aborted")
        if outcome.how == "skipped":
            reason = f"Blocked: the user skipped the check of extension {extension.name}"
            return ToolCallDecision(block=True, reason=reason)
        if outcome.error is not None:
            return _blocked_by(outcome.error)
        try:
            return tool_call_decision(outcome.value)
        except ResultShapeError as error:
            self._guard(extension, "tool_call").failed(error)
            return _blocked_by(error)

    def _longest(self) -> HandlerCall | None:
        waited_for = [(each.waiting(), each) for each in self._calls]
        oldest = min(
            ((waiting.since, call) for waiting, call in waited_for if waiting is not None),
            key=lambda pair: pair[0],
            default=None,
        )
        return oldest[1] if oldest else None

    def _guard(self, extension: Extension, place: str) -> ExtensionGuard:
        return self._owner(extension).guard(place)

    def _owner(self, extension: Extension) -> Owner:
        lifetime = extension.lifetime
        return Owner(extension.name, str(extension.path), lifetime.ending, self._failures)

    def _bound(self, extension: Extension, tool: ToolDefinition) -> ToolDefinition:
        return tool.replace(execute=_with_context(extension, tool, self._contexts[extension].tools))

    def _owner_of(self, error: BaseException) -> Extension | None:
        packages = {each.package: each for each in self._registry.extensions}
        for frame, _ in traceback.walk_tb(error.__traceback__):
            module = str(frame.f_globals.get("__name__", ""))
            owner = packages.get(module.partition(".")[0])
            if owner is not None:
                return owner
        return None


_CANCELLED: Final = _Outcome("failed", error=asyncio.CancelledError())


async def _run(
    extension: Extension, work: Awaitable[object], guard: ExtensionGuard, call: HandlerCall
) -> _Outcome:
    current_call.set(call)
    with extension.lifetime.in_use():
        attempt = await guard.run(work)
    if attempt.error is not None:
        return _Outcome("failed", error=attempt.error)
    return _Outcome("returned", attempt.value)


def _contexts(extension: Extension, source: ContextSource, ui: ExtensionUI) -> _Contexts:
    lifetime = extension.lifetime
    owned = OwnedUI(ui, lifetime)
    return _Contexts(
        events=ExtensionContext(source, owned, lifetime),
        commands=ExtensionCommandContext(source, owned, lifetime),
        tools=ExtensionToolContext(source, owned, lifetime),
    )


def _blocked_by(error: BaseException) -> ToolCallDecision:
    kind = type(error).__name__
    said = describe(error)
    reason = f"Extension failed, blocking execution: {kind}" if said == kind else said
    return ToolCallDecision(block=True, reason=reason)


def _with_context(extension: Extension, tool: ToolDefinition, ctx: ExtensionToolContext) -> Execute:
    """Return `tool.execute` with `ctx` as its last argument, still plain or async as it was."""

    def execute(*arguments: object) -> object:
        with extension.lifetime.in_use(), _named_in_traceback(extension, tool):
            return tool.execute(*arguments[:-1], ctx)

    async def execute_on_the_loop(*arguments: object) -> object:
        with extension.lifetime.in_use(), _named_in_traceback(extension, tool):
            return await tool.execute(*arguments[:-1], ctx)

    return execute_on_the_loop if inspect.iscoroutinefunction(tool.execute) else execute


@contextmanager
def _named_in_traceback(extension: Extension, tool: ToolDefinition) -> Iterator[None]:
    """Let the log say whose tool failed; for the model the failure is the tool's result."""
    try:
        yield
    except Exception as error:
        error.add_note(f"Raised by tool {tool.name} of extension {extension.path}")
        raise
