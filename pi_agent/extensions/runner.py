"""Call what extensions registered: handlers in order, commands, tools, each behind the guard.

A failure is reported and the next handler runs; a gate that fails, is skipped or answers nonsense blocks what
it guards.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

from pi_agent.extensions.calls import ExtensionCalls, Outcome
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
)
from pi_agent.extensions.guard import (
    ExtensionGuard,
    FailureReports,
    ReportError,
)
from pi_agent.extensions.merge import NOTIFY, Failure, Rule
from pi_agent.extensions.message_renderer import OwnedRenderer
from pi_agent.extensions.owned_ui import OwnedUI
from pi_agent.extensions.owner import Owner
from pi_agent.extensions.read_result import ResultShapeError
from pi_agent.extensions.registry import Callback, Command, Extension, Registry
from pi_agent.extensions.ui import UIHost
from pi_agent.extensions.waiting import Waiting
from pi_agent.loop.tool import Execute, ToolDefinition
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen

SHUTDOWN_SECONDS: Final = 5.0
# A handler that takes a larger share of the limit no longer holds up those after it.
_PATIENT_SHARE: Final = 0.2
_COMMAND: Final = re.compile(r"\s*/(?P<name>\S+)(?:\s(?P<args>.*))?", re.DOTALL)

E = TypeVar("E", bound=ExtensionEvent)
R = TypeVar("R")


@frozen
class Dispatched(Generic[E, R]):
    """What the handlers of an event made of it, and the results they gave, in order."""

    event: E
    results: list[R]


@frozen
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
            each: _contexts(each, source, ui, self._owner(each)) for each in extensions
        }
        self._calls = ExtensionCalls(now, lambda: source.signal)
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
        await self.emit(SessionStartEvent(reason, previous_session_file), NOTIFY)

    async def emit(
        self, event: E, rule: Rule[E, R], *, signal: AbortSignal | None = None
    ) -> Dispatched[E, R]:
        """Tell the handlers of an event, one after another, as its rule says.

        A failure is reported, and the next handler gets the event as it was. Once `signal` fires, handlers are
        not waited for any longer.
        """
        results: list[R] = []
        for extension, handler in self._registry.handlers(event.type):
            outcome = await self._handle(extension, handler, event, signal=signal)
            result = self._result(extension, event.type, rule, outcome)
            for complaint in rule.tidy(event):
                self._guard(extension, event.type).failed(ValueError(complaint))
            if result is None:
                continue
            results.append(result)
            event = rule.apply(event, result)
            if rule.ends(result):
                break
        return Dispatched(event, results)

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
        running: dict[asyncio.Task[Outcome], Waiting] = {}
        hanging: set[asyncio.Task[Outcome]] = set()
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
        called = f"/{name}"
        guard = self._owner(extension).guard("command", called)
        await self._calls.call(
            extension, lambda: command.handler(args, ctx), guard, shown_as=called
        )
        return True

    def owner_of(self, command: Command) -> Owner:
        """Return whose command it is."""
        return self._owner(command.extension)

    def tools(self) -> list[ToolDefinition]:
        """Return the registered tools as they stand now, each with the context of its extension."""
        return [self._bound(extension, tool) for extension, tool in self._registry.tools()]

    def message_renderer(self, custom_type: str) -> OwnedRenderer | None:
        """Return what draws messages of a type, and whose it is; `None` if pi does."""
        found = self._registry.message_renderer(custom_type)
        return None if found is None else OwnedRenderer(self._owner(found[0]), found[1])

    def warnings(self) -> list[str]:
        """Return what was registered in vain, with the extension's path and the reason."""
        return [f"{extension.path}: {text}" for extension, text in self._registry.warnings()]

    # --- code that is being waited for

    def waiting(self) -> Waiting | None:
        """Return the handler or command that has been waited for longest; `None` if no code is.

        A handler with a dialog open is not waited for: the person is.
        """
        return self._calls.waiting()

    def skip_current(self) -> bool:
        """Stop waiting for what `waiting` returns: it is cancelled, and a gate blocks."""
        return self._calls.skip_current()

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
        await self._calls.aclose()

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
    ) -> Outcome:
        ctx = self._contexts[extension].events
        guard = self._guard(extension, event.type)
        return await self._calls.call(
            extension, lambda: handler(event, ctx), guard, event.type, signal=signal
        )

    def _result(
        self, extension: Extension, place: str, rule: Rule[E, R], outcome: Outcome
    ) -> R | None:
        """Return the result of one handler, or what stands for it if there is none."""
        error = outcome.error
        if outcome.how == "returned":
            try:
                return rule.read(outcome.value)
            except ResultShapeError as wrong:
                self._guard(extension, place).failed(wrong)
                error = wrong
        return rule.when_failed(Failure(extension.name, outcome.how, error))

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


def _contexts(extension: Extension, source: ContextSource, ui: UIHost, owner: Owner) -> _Contexts:
    lifetime = extension.lifetime
    owned = OwnedUI(ui.for_extension(owner), lifetime)
    return _Contexts(
        events=ExtensionContext(source, owned, lifetime, owner),
        commands=ExtensionCommandContext(source, owned, lifetime, owner),
        tools=ExtensionToolContext(source, owned, lifetime, owner),
    )


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
