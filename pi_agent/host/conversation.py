"""One live conversation: what every mode drives.

`prompt` runs the loop until nothing is left to do. Every event goes to the extensions first, then to the
subscribers, then to the session's file.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from pi_agent.base.clock import Clock, SystemClock
from pi_agent.base.errors import PiError
from pi_agent.extensions.events import StreamingBehavior
from pi_agent.extensions.results import ExtensionEntry
from pi_agent.host.boundary import TurnBoundary
from pi_agent.host.record import SessionRecord
from pi_agent.host.retry import AutoRetry, RetryPolicy
from pi_agent.host.run_start import Input, RunStart
from pi_agent.host.selection import (
    CycledModel,
    Direction,
    ModelPreferences,
    ModelSelection,
    NoPreferences,
)
from pi_agent.llm.budget import output_budget
from pi_agent.llm.messages import (
    AssistantMessage,
    BashExecutionMessage,
    CustomMessage,
    ImageContent,
    Message,
    TextContent,
    UserMessage,
    text_of,
)
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.registry import ModelRegistry
from pi_agent.llm.resolve import ModelChoice
from pi_agent.llm.stream import StreamOptions
from pi_agent.llm.system_state import SystemState, replay_system, system_patch
from pi_agent.loop.events import (
    AgentEnd,
    AgentEvent,
    AgentSettled,
    EntryAppended,
    MessageEnd,
    MessageStart,
    QueueUpdate,
    SessionInfoChanged,
    ThinkingLevelChanged,
)
from pi_agent.loop.loop import (
    Decision,
    FinishedTurn,
    LoopConfig,
    NextTurn,
    TurnContext,
    continue_run,
    run_loop,
)
from pi_agent.loop.queues import MessageQueues, QueuedTexts
from pi_agent.loop.response import Request
from pi_agent.loop.tool import AfterToolCall, BeforeToolCall, ToolDefinition
from pi_agent.session.store import SessionManager
from pi_tui.abort import AbortController, AbortSignal

_log = logging.getLogger("pi.conversation")

Disposition = Literal["started", "queued", "handled"]
Subscriber = Callable[[AgentEvent], Awaitable[None] | None]
# Returns whether the text was a command and has been run.
RunCommand = Callable[[str], Awaitable[bool]]
TakeInput = Callable[[Input, StreamingBehavior | None], Awaitable[Input | None]]
BeginRun = Callable[[Input, Sequence[ToolDefinition]], Awaitable[RunStart]]
FinishTurn = Callable[[FinishedTurn], Awaitable[TurnBoundary]]
TellExtensions = Callable[[AgentEvent], Awaitable[None]]


async def _unchanged(given: Input, behavior: StreamingBehavior | None) -> Input | None:
    return given


async def _plain_start(given: Input, tools: Sequence[ToolDefinition]) -> RunStart:
    return RunStart()


async def _nothing_more(turn: FinishedTurn) -> TurnBoundary:
    return TurnBoundary()


async def _tell_nobody(event: AgentEvent) -> None:
    pass


async def _no_command(text: str) -> bool:
    return False


@dataclass(kw_only=True)
class ConversationSetup:
    """What a conversation is made of.

    `tools` is asked before every request: extensions may register some late. `run_command` takes texts that
    are commands of extensions; `take_input` gives what is to be said in place of a text, or `None` if that has
    been dealt with. `begin_run` gives the system prompt and what else a run begins with.
    `set_options` gets the options of each request.
    `report` gets problems that are not part of the conversation, each once.
    """

    session: SessionManager
    registry: ModelRegistry
    model: Model | None = None
    thinking_level: ThinkingLevel = "off"
    scope: Sequence[ModelChoice] = ()
    preferences: ModelPreferences = field(default_factory=NoPreferences)
    tools: Callable[[], Sequence[ToolDefinition]] = tuple
    take_input: TakeInput = _unchanged
    begin_run: BeginRun = _plain_start
    tell_extensions: TellExtensions = _tell_nobody
    finish_turn: FinishTurn = _nothing_more
    run_command: RunCommand = _no_command
    is_command: Callable[[str], bool] = lambda text: False
    before_tool_call: BeforeToolCall | None = None
    after_tool_call: AfterToolCall | None = None
    make_tool_context: Callable[[str], object] = lambda tool_call_id: None
    queues: MessageQueues = field(default_factory=MessageQueues)
    retry_policy: Callable[[], RetryPolicy] = RetryPolicy
    set_options: Callable[[StreamOptions], None] = lambda options: None
    report: Callable[[str], None] = _log.warning
    clock: Clock = field(default_factory=SystemClock)


class Conversation:
    """Prompts, queues and events of one session."""

    def __init__(self, setup: ConversationSetup) -> None:
        self._setup = setup
        self.session = setup.session
        self.registry = setup.registry
        self._selection = ModelSelection(
            setup.model, setup.thinking_level, setup.scope, setup.preferences
        )
        self._record = SessionRecord(setup.session, setup.report)
        self._queues = setup.queues
        self._retry = AutoRetry(setup.retry_policy, setup.clock, self._tell, self._forget)
        self._beside: list[BashExecutionMessage] = []
        self._subscribers: list[Subscriber] = []
        self._abort: AbortController | None = None
        self._start = RunStart()
        self._is_settled = False
        self._has_added = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._is_closed = False
        self._open = asyncio.Event()
        self._open.set()

    # What it is

    @property
    def model(self) -> Model | None:
        """The model that answers next."""
        return self._selection.model

    @property
    def thinking_level(self) -> ThinkingLevel:
        """How long it thinks."""
        return self._selection.thinking_level

    @property
    def scoped_models(self) -> Sequence[ModelChoice]:
        """The models that are cycled through; none of them means all."""
        return self._selection.scope

    @scoped_models.setter
    def scoped_models(self, scope: Sequence[ModelChoice]) -> None:
        self._selection.scope = tuple(scope)

    @property
    def tools(self) -> list[ToolDefinition]:
        """The active tools, in the order the model is told of them."""
        left_out = self._start.left_out_tools
        return [tool for tool in self._setup.tools() if tool.name not in left_out]

    @property
    def is_streaming(self) -> bool:
        """Whether a run is going on or about to."""
        return not self._idle.is_set()

    @property
    def is_idle(self) -> bool:
        """Whether no run goes on; one that only tells that it has settled does not."""
        return self._is_settled or not self.is_streaming

    @property
    def is_retrying(self) -> bool:
        """Whether a failed answer is about to be asked for again."""
        return self._retry.is_waiting

    @property
    def signal(self) -> AbortSignal | None:
        """The signal of the run; `None` when idle."""
        return self._abort.signal if self._abort is not None else None

    @property
    def messages(self) -> list[Message]:
        """The messages that the next request is made of."""
        return self.session.build_session_projection()

    def get_last_assistant_message(self) -> AssistantMessage | None:
        """Return the newest answer on the active branch."""
        for message in reversed(self.messages):
            if isinstance(message, AssistantMessage):
                return message
        return None

    def get_last_assistant_text(self) -> str:
        """Return the text of the newest answer, or nothing."""
        message = self.get_last_assistant_message()
        return text_of(message.content) if message is not None else ""

    # Changing it

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Tell `subscriber` of every event, in order; a coroutine is waited for. Returns the unsubscriber."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    async def set_model(
        self, model: Model, thinking_level: ThinkingLevel | None = None, *, persist: bool = False
    ) -> None:
        """Answer with `model` from now on; raises `PiError` if it cannot be asked.

        Without a `thinking_level` it thinks as is preferred for it. `persist`: later sessions start with it, too.
        """
        problem = self.registry.why_unavailable(model)
        if problem is not None:
            raise PiError(problem)
        old, before = self.model, self.thinking_level
        self._selection.take_model(model, thinking_level)
        if old is None or old.reference != model.reference:
            self._record.model(model)
        if persist:
            await self._remember(self._selection.preferences.remember_model(model))
        await self._note_level(before)

    async def set_thinking_level(self, level: ThinkingLevel, *, persist: bool = False) -> None:
        """Think as long as `level` says, as far as the model can; `persist`: in later sessions, too."""
        before = self.thinking_level
        self._selection.take_level(level)
        if persist:
            await self._remember(self._selection.preferences.remember_level(level))
        await self._note_level(before)

    async def set_session_name(self, name: str) -> None:
        """Name the session; an empty name takes the name away. Raises `PiError` if it cannot be kept."""
        self.session.append_session_info(name)
        await self._emit(SessionInfoChanged(self.session.get_session_name()))

    async def cycle_model(self, direction: Direction = "forward") -> CycledModel | None:
        """Go on to the next model, or back; `None` if there is no other.

        Those of `scoped_models` are cycled through, else all that can be asked.
        """
        if not self._selection.scope:
            await self.registry.list_once()
        choice = self._selection.next_model(self.registry, direction)
        if choice is None:
            return None
        await self.set_model(choice.model, choice.thinking_level)
        return CycledModel(choice.model, self.thinking_level, bool(self._selection.scope))

    async def cycle_thinking_level(self) -> ThinkingLevel | None:
        """Think at the model's next level; `None` if it has only one."""
        level = self._selection.next_level()
        if level is not None:
            await self.set_thinking_level(level)
        return level

    async def _remember(self, saved: Awaitable[None]) -> None:
        try:
            await saved
        except PiError as error:
            self._record.report(error.with_hint())

    async def _note_level(self, before: ThinkingLevel) -> None:
        level = self.thinking_level
        if level != before:
            self._record.level(level)
            await self._emit(ThinkingLevelChanged(level))

    # Talking

    async def prompt(
        self,
        text: str,
        images: Sequence[ImageContent] = (),
        *,
        streaming_behavior: StreamingBehavior | None = None,
    ) -> Disposition:
        """Say `text`, and return when all that follows from it is done.

        While a run goes on `streaming_behavior` decides when the model gets it, and `queued` comes back at
        once. Raises `PiError` if there is no model to ask, or the conversation is over.
        """
        self._refuse_when_over()
        await self._open.wait()
        if await self._setup.run_command(text):
            return "handled"
        return await self._take(Input(text, images), streaming_behavior)

    async def steer(self, text: str) -> Disposition:
        """Give the running model `text` before its next request; when idle it is an ordinary prompt."""
        self._refuse_command(text)
        return await self._take(Input(text), "steer")

    async def follow_up(self, text: str) -> Disposition:
        """Give the model `text` when it would be done; when idle it is an ordinary prompt."""
        self._refuse_command(text)
        return await self._take(Input(text), "follow_up")

    def record(self, message: BashExecutionMessage) -> None:
        """Add what happened beside the conversation: now, or when the run that goes on has settled."""
        message.timestamp = self._now_ms()
        self._beside.append(message)
        if self.is_idle:
            self._add_beside()

    async def clear_queue(self) -> QueuedTexts:
        """Take back everything that waits, and return the texts."""
        texts = self._queues.clear()
        await self._emit(self._queues.update())
        return texts

    async def abort(self) -> None:
        """End the run as soon as possible, and return when it has settled. Safe when idle."""
        self.request_abort()
        await self.wait_for_idle()

    def request_abort(self) -> None:
        """Ask the run to end, and return at once."""
        if self._abort is not None:
            self._abort.abort("Request was aborted")

    def abort_retry(self) -> None:
        """Stop waiting for another attempt, and ask no more. Does nothing else."""
        self._retry.cancel()

    async def wait_for_idle(self) -> None:
        """Return when nothing goes on."""
        await self._idle.wait()

    def refuse_prompts(self) -> None:
        """Let nothing be said from now on: the end has begun."""
        self._is_closed = True

    async def dispose(self) -> None:
        """End what goes on and let go of the session's file; nothing can be said afterwards."""
        self.refuse_prompts()
        self._queues.clear()
        try:
            await self.abort()
        finally:
            self.session.close()

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Let what is said wait while the extensions are exchanged; raises `PiError` while a run goes on."""
        if self.is_streaming or not self._open.is_set():
            raise PiError(
                "The agent is busy.", "Wait until it has finished, or stop it with Escape."
            )
        self._open.clear()
        try:
            yield
        finally:
            self._open.set()

    # One run

    async def _take(self, given: Input, behavior: StreamingBehavior | None) -> Disposition:
        """Say what the extensions make of a text."""
        self._refuse_when_busy(behavior)
        taken = await self._setup.take_input(given, behavior if self.is_streaming else None)
        return "handled" if taken is None else await self._say(taken, behavior)

    async def _say(self, said: Input, behavior: StreamingBehavior | None) -> Disposition:
        """Queue a text while a run goes on, else run; nothing can come between asking and doing."""
        self._refuse_when_over()
        self._refuse_when_busy(behavior)
        if self.is_streaming and behavior is not None:
            await self._queue(self._user_message(said), behavior)
            return "queued"
        model = self._usable_model()
        self._idle.clear()
        try:
            await self._run(model, said)
        finally:
            self._start = RunStart()
            self._abort = None
            self._idle.set()
        return "started"

    async def _run(self, model: Model, said: Input) -> None:
        """Run until nothing is left to do, nor anything that was queued when told that all had settled."""
        first: Input | None = said
        while True:
            self._abort = AbortController()
            self._retry.begin()
            signal = self._abort.signal
            try:
                if first is not None:
                    await self._answer(model, first, signal)
                await self._answer_waiting(model, signal)
            finally:
                waiting = self._waiting_count()
                await self._settle(signal.aborted or self._retry.was_cancelled)
            if self._waiting_count() <= waiting:
                return
            first = None

    async def _settle(self, aborted: bool) -> None:
        self._abort = None
        self._add_beside()
        self._is_settled = True
        try:
            await self._emit(AgentSettled(aborted))
        finally:
            self._is_settled = False

    def _add_beside(self) -> None:
        messages, self._beside = self._beside, []
        for message in messages:
            self._record.message(message)

    async def _answer(self, model: Model, said: Input, signal: AbortSignal) -> None:
        self._start = await self._setup.begin_run(said, self._setup.tools())
        history = self.messages
        self._record.settings(model, self.thinking_level)
        initial: list[Message] = [self._user_message(said), *self._start.messages]
        patch = self._system_patch(history)
        if patch is not None:
            initial.insert(0, patch)
        config = self._loop_config(model)
        await run_loop(config, history, initial, emit=self._emit, signal=signal)

    async def _answer_waiting(self, model: Model, signal: AbortSignal) -> None:
        """Run on after a failure that may pass, and with what came too late for the run that has just ended."""
        while True:
            if await self._retry.wait(signal):
                config = self._loop_config(self.model or model)
                history = _without_failure(self.messages)
                await continue_run(config, history, emit=self._emit, signal=signal)
            elif self._has_more(signal):
                await self._say_waiting(self._loop_config(self.model or model), signal)
            else:
                return

    async def _say_waiting(self, config: LoopConfig, signal: AbortSignal) -> None:
        """Run on with what is queued; after a failure that nobody waits for, too."""
        queued = await self._queues.drain_steering() or await self._queues.drain_follow_up()
        await run_loop(
            config,
            self.messages,
            queued,
            emit=self._emit,
            signal=signal,
            skip_initial_steering=True,
        )

    def _has_more(self, signal: AbortSignal) -> bool:
        return bool(self._queues) and not signal.aborted and not self._retry.was_cancelled

    async def _forget(self, failed: AssistantMessage) -> None:
        """Hide a failed answer from the model; it stays in the session."""
        edit = self._record.hide(failed)
        if edit is not None:
            await self._tell(EntryAppended(edit.raw))

    def _loop_config(self, model: Model) -> LoopConfig:
        setup = self._setup
        return LoopConfig(
            model=model,
            stream=self.registry.stream,
            thinking_level=self.thinking_level,
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
        added, self._has_added = self._has_added, False
        return NextTurn(
            messages=self.messages if added else None,
            model=self.model,
            thinking_level=self.thinking_level,
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
        request.options.session_id = self.session.get_session_id()
        if self._start.forced_prompt is not None:
            request.context.system_prompt = self._start.forced_prompt
        request.options.max_tokens = output_budget(request.model, request.context)
        self._setup.set_options(request.options)

    def _system_patch(self, history: Sequence[Message]) -> Message | None:
        told = replay_system(history)
        tools = self.tools
        declared = tuple(tool.declaration() for tool in tools if tool.exposure != "hidden")
        wanted = SystemState("", dict(self._start.sections), declared)
        return system_patch(told, wanted, self._now_ms())

    def _usable_model(self) -> Model:
        if self.model is None:
            raise PiError(
                "No model is chosen.",
                "Choose one with /model, or start with --model; `pi --list-models` shows what there is.",
            )
        problem = self.registry.why_unavailable(self.model)
        if problem is not None:
            raise PiError(problem)
        return self.model

    def _user_message(self, said: Input) -> UserMessage:
        content: list[TextContent | ImageContent] = [TextContent(text=said.text), *said.images]
        return UserMessage(content=content, timestamp=self._now_ms())

    def _now_ms(self) -> int:
        return round(self._setup.clock.now() * 1000)

    # Queues and events

    def _refuse_when_over(self) -> None:
        if self._is_closed:
            raise PiError("The conversation has ended: nothing can be said in it any more.")

    def _refuse_when_busy(self, behavior: StreamingBehavior | None) -> None:
        if self.is_streaming and behavior is None:
            raise PiError(
                "The agent is busy.",
                "Wait until it has finished, or send this as a steering message.",
            )

    def _waiting_count(self) -> int:
        return len(self._queues.steering) + len(self._queues.follow_up)

    def _refuse_command(self, text: str) -> None:
        if self._setup.is_command(text):
            name = text.split()[0]
            raise PiError(f'Extension command "{name}" cannot be queued; use prompt')

    async def _queue(self, message: UserMessage, behavior: StreamingBehavior) -> None:
        queue = self._queues.steering if behavior == "steer" else self._queues.follow_up
        queue.add(message)
        await self._emit(self._queues.update())

    async def _emit(self, event: AgentEvent) -> None:
        if isinstance(event, MessageStart) and self._queues.started(event.message):
            await self._tell(self._queues.update())
        await self._tell(self._retry.marked(event) if isinstance(event, AgentEnd) else event)
        if isinstance(event, MessageEnd):
            self._record.message(event.message)
            if isinstance(event.message, AssistantMessage):
                await self._retry.take(event.message)

    async def _tell(self, event: AgentEvent | QueueUpdate) -> None:
        await self._setup.tell_extensions(event)
        for subscriber in tuple(self._subscribers):
            try:
                result = subscriber(event)
                if inspect.isawaitable(result):
                    await result
            except Exception as error:
                _log.exception("a subscriber failed at %s", event.type)
                self._record.report(f"{type(error).__name__}: {error}")


def _without_failure(history: list[Message]) -> list[Message]:
    """Leave out a failed answer at the end, which could not be hidden in the session."""
    return history[:-1] if isinstance(history[-1], AssistantMessage) else history
