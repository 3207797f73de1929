"""One live conversation: what every mode drives.

`prompt` runs the loop until nothing is left to do. Every event goes to the extensions first, then to the
subscribers, then to the session's file.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pi_agent.base.errors import PiError
from pi_agent.extensions.context import CompactionWish, TreeMove
from pi_agent.extensions.events import StreamingBehavior
from pi_agent.extensions.results import TreeSummary
from pi_agent.host.compaction_requests import CompactionRequests
from pi_agent.host.compactor import Compactor
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.host.listeners import Listeners, Subscriber
from pi_agent.host.model_control import ModelControl
from pi_agent.host.overflow_recovery import OverflowRecovery
from pi_agent.host.prompt_cache import PromptCache
from pi_agent.host.record import SessionRecord
from pi_agent.host.retry import AutoRetry
from pi_agent.host.run import Run
from pi_agent.host.run_start import Input
from pi_agent.host.selection import (
    CycledModel,
    Direction,
    ModelSelection,
    usable_model,
)
from pi_agent.host.summarizer import Summarizer, SummaryOrder
from pi_agent.llm.messages import (
    AssistantMessage,
    BashExecutionMessage,
    ImageContent,
    Message,
    UserMessage,
    text_of,
)
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.resolve import ModelChoice
from pi_agent.llm.usage import Usage
from pi_agent.loop.events import (
    AgentEnd,
    AgentEvent,
    AgentSettled,
    EntryAppended,
    MessageEnd,
    MessageStart,
    QueueUpdate,
    SessionInfoChanged,
)
from pi_agent.loop.queues import QueuedTexts
from pi_agent.loop.summary_events import CompactionResult
from pi_agent.loop.tool import ToolDefinition
from pi_agent.session.context_usage import ContextMeter, ContextUsage
from pi_agent.session.entries import Entry
from pi_tui.abort import AbortController, AbortSignal

if TYPE_CHECKING:
    from pi_agent.host.navigate import Navigated, TreeNavigation
    from pi_agent.host.queue_control import QueueControl

Disposition = Literal["started", "queued", "handled"]


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
        self._listeners = Listeners(setup.tell_extensions, self._record.report)
        self._models = ModelControl(setup, self._selection, self._record, self._emit)
        self._queues = setup.queues
        self._retry = AutoRetry(setup.retry_policy, setup.clock, self._tell, self._forget)
        self._summarizer = Summarizer(
            setup.registry.stream, setup.set_options, setup.retry_policy, setup.clock, self._tell
        )
        self._navigation: TreeNavigation | None = None
        self._compactor = Compactor(
            setup, self._selection, self._summarizer, self._tell, self._record.report
        )
        self._requests = CompactionRequests(self.compact, self.wait_for_idle)
        self._meter = ContextMeter(setup.session)
        self._recovery = OverflowRecovery(self._compactor, self._selection, self._forget)
        self._cache = PromptCache(
            setup,
            phase=lambda: "idle" if self.is_idle else "streaming",
            model=lambda: self.model,
            warmed=self._note_warmed,
        )
        self._beside: list[BashExecutionMessage] = []
        self._abort: AbortController | None = None
        self._run: Run | None = None
        self._is_settled = False
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

    @cached_property
    def queue(self) -> QueueControl:
        """What is done with messages that wait."""
        from pi_agent.host.queue_control import QueueControl  # only people do so

        return QueueControl(self._queues, self._tell, self._say_waited)

    @property
    def tools(self) -> list[ToolDefinition]:
        """The active tools, in the order the model is told of them."""
        return self._run.tools if self._run is not None else list(self._setup.tools())

    @property
    def is_streaming(self) -> bool:
        """Whether a run is going on or about to."""
        return self._run is not None

    @property
    def is_idle(self) -> bool:
        """Whether nothing goes on; a run that only tells that it has settled does not."""
        return not self.is_compacting and (self._is_settled or not self.is_streaming)

    @property
    def is_compacting(self) -> bool:
        """Whether what was said longest ago is being summarised."""
        return self._compactor.is_running

    @property
    def is_retrying(self) -> bool:
        """Whether a failed answer is about to be asked for again."""
        return self._retry.is_waiting

    @property
    def signal(self) -> AbortSignal | None:
        """The signal of the run; `None` when idle, and until it begins."""
        has_begun = self._run is not None and self._run.has_begun
        return self._abort.signal if self._abort is not None and has_begun else None

    @property
    def messages(self) -> list[Message]:
        """The messages that the next request is made of."""
        return self.session.build_session_projection()

    def get_context_usage(self) -> ContextUsage | None:
        """Return how full the model's window is; `None` without a model."""
        return self._meter.usage(self.model.context_window) if self.model is not None else None

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
        return self._listeners.subscribe(subscriber)

    async def set_model(
        self, model: Model, thinking_level: ThinkingLevel | None = None, *, persist: bool = False
    ) -> None:
        """Answer with `model` from now on; raises `PiError` if it cannot be asked.

        Without a `thinking_level` it thinks as is preferred for it. `persist`: later sessions start with it, too.
        """
        await self._models.set_model(model, thinking_level, persist=persist)

    async def set_thinking_level(self, level: ThinkingLevel, *, persist: bool = False) -> None:
        """Think as long as `level` says, as far as the model can; `persist`: in later sessions, too.

        Raises `PiError` for a level that is none.
        """
        await self._models.set_thinking_level(level, persist=persist)

    async def set_session_name(self, name: str) -> None:
        """Name the session; an empty name takes the name away. Raises `PiError` if it cannot be kept."""
        self.session.append_session_info(name)
        await self._emit(SessionInfoChanged(self.session.get_session_name()))

    async def cycle_model(self, direction: Direction = "forward") -> CycledModel | None:
        """Go on to the next model, or back; `None` if there is no other.

        Those of `scoped_models` are cycled through, else all that can be asked.
        """
        return await self._models.cycle_model(direction)

    async def cycle_thinking_level(self) -> ThinkingLevel | None:
        """Think at the model's next level; `None` if it has only one."""
        return await self._models.cycle_thinking_level()

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
        await self._until_open()
        if await self._setup.run_command(text):
            return "handled"
        return await self._take(Input(text, images), streaming_behavior)

    async def prompt_later(
        self, text: str, images: Sequence[ImageContent] = (), *, behavior: StreamingBehavior
    ) -> Disposition:
        """Say `text` when the compaction that goes on is over: it is queued for `queue.send_waiting`.

        Commands of extensions run at once. Raises `PiError` as `prompt` does.
        """
        self._refuse_when_over()
        if await self._setup.run_command(text):
            return "handled"
        taken = await self._setup.take_input(Input(text, images), behavior)
        if taken is None:
            return "handled"
        if not self.is_compacting:
            return await self._say(taken, behavior)
        await self._queue(taken.message(self._now_ms()), behavior)
        return "queued"

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

    async def summarize_branch(
        self,
        entries: Sequence[Entry],
        signal: AbortSignal,
        *,
        custom_instructions: str | None = None,
        replace_instructions: bool = False,
    ) -> TreeSummary | None:
        """Have the model summarise entries that are left behind; `None` if nothing was said in them.

        `custom_instructions` are added to what is asked for, or take its place. Raises `PiError`, and `AbortError`
        once `signal` fires.
        """
        from pi_agent.host.branch_summary import summarize_branch

        model = usable_model(self._selection, self.registry)
        order = SummaryOrder(model, self.thinking_level, "branchSummary", signal)
        return await summarize_branch(
            entries,
            self._summarizer,
            order,
            reserve_tokens=self._setup.branch_reserve(model),
            custom_instructions=custom_instructions,
            replace_instructions=replace_instructions,
        )

    async def clear_queue(self) -> QueuedTexts:
        """Take back everything that waits and that nobody edits, and return the texts."""
        texts = self._queues.clear()
        await self._emit(self._queues.update())
        return texts

    async def abort(self) -> None:
        """End the run as soon as possible, and return when it has settled. Safe when idle."""
        self.request_abort()
        await self.wait_for_idle()

    def request_abort(self) -> None:
        """Ask what goes on to end, and return at once."""
        self._retry.cancel()
        self._compactor.abort()
        if self._navigation is not None:
            self._navigation.abort()
        if self._abort is not None:
            self._abort.abort("Request was aborted")

    def abort_retry(self) -> None:
        """Stop waiting for another attempt, and ask no more. Does nothing else."""
        self._retry.cancel()

    async def compact(self, custom_instructions: str | None = None) -> CompactionResult:
        """Stop what goes on, and put a summary in the place of what was said longest ago.

        Raises `PiError` if that fails, and `AbortError` if it is given up; nothing has changed then.
        """
        await self._until_open()
        self._compactor.refuse_second()
        while self.is_streaming:
            await self.abort()
            await self._until_open()  # whoever was woken before may have begun a move
        self._refuse_when_over()
        self._compactor.refuse_second()
        self._idle.clear()
        try:
            return await self._compactor.compact("manual", custom_instructions)
        finally:
            if self._run is None:  # one that began as soon as the end was told goes on
                self._idle.set()
                self._add_beside()

    def request_compaction(self, wish: CompactionWish) -> None:
        """Compact in the background, and return at once."""
        self._requests.add(wish)

    def abort_compaction(self) -> None:
        """Give up a compaction that goes on. Does nothing else."""
        self._compactor.abort()

    async def wait_for_idle(self) -> None:
        """Return when nothing goes on."""
        while not self._idle.is_set():  # whoever was woken before may have begun something
            await self._idle.wait()

    def refuse_prompts(self) -> None:
        """Let nothing be said from now on: the end has begun."""
        self._is_closed = True

    async def dispose(self) -> None:
        """End what goes on and let go of the session's file; nothing can be said afterwards."""
        self.refuse_prompts()
        self._cache.stop()
        self._queues.drop()
        try:
            await self._requests.aclose()
            await self.abort()
        finally:
            self.session.close()

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Let what is said wait while the extensions are exchanged; raises `PiError` while a run goes on."""
        if not self._idle.is_set() or not self._open.is_set():
            raise PiError(
                "The agent is busy.", "Wait until it has finished, or stop it with Escape."
            )
        self._open.clear()
        try:
            yield
        finally:
            self._open.set()

    async def _until_open(self) -> None:
        """Return when nothing is `paused`."""
        while not self._open.is_set():
            await self._open.wait()

    # The tree

    @property
    def is_navigating(self) -> bool:
        """Whether a move in the tree is being prepared; what is said meanwhile waits."""
        return self._navigation is not None and self._navigation.is_going_on

    async def navigate_tree(
        self,
        entry_id: str,
        *,
        summarize: bool = False,
        custom_instructions: str | None = None,
        replace_instructions: bool = False,
        label: str | None = None,
    ) -> Navigated:
        """Go on at another entry of the session; before it, if it is something that was said.

        With `summarize` the model is told what happened on the branch that is left. `label` is for the summary,
        else for the entry. Raises `PiError`, and nothing has moved, while something goes on, for an unknown
        entry, and for a summary that cannot be had.
        """
        return await self.move_in_tree(
            TreeMove(entry_id, summarize, custom_instructions, replace_instructions, label)
        )

    async def move_in_tree(self, move: TreeMove) -> Navigated:
        """Do what `navigate_tree` does."""
        if move.summarize:
            usable_model(self._selection, self.registry)
        async with self.paused():
            moved = await self._tree_navigation().go(move)
        if moved.event is not None:
            self._cache.stop()
            await self._setup.tree_changed(moved)
        return moved

    def _tree_navigation(self) -> TreeNavigation:
        if self._navigation is None:
            from pi_agent.host.navigate import TreeNavigation

            setup = self._setup
            self._navigation = TreeNavigation(
                setup.session, setup.before_tree, self.summarize_branch, self._record.report
            )
        return self._navigation

    # One run

    async def _take(self, given: Input, behavior: StreamingBehavior | None) -> Disposition:
        """Say what the extensions make of a text."""
        self._refuse_when_busy(behavior)
        taken = await self._setup.take_input(given, behavior if self.is_streaming else None)
        return "handled" if taken is None else await self._say(taken, behavior)

    async def _say(self, said: Input, behavior: StreamingBehavior | None) -> Disposition:
        """Queue a text while a run goes on, else run; nothing can come between asking and doing."""
        await self._until_open()  # a move may have begun while the extensions read the text
        self._refuse_when_over()
        self._refuse_when_busy(behavior)
        if self.is_streaming and behavior is not None:
            await self._queue(said.message(self._now_ms()), behavior)
            return "queued"
        if self.is_compacting:
            raise PiError(
                "The conversation is being compacted.", "Wait until that is done, or cancel it."
            )
        model = usable_model(self._selection, self.registry)
        self._idle.clear()
        self._compactor.begin()
        self._run = Run(
            self._setup,
            self._selection,
            self._record,
            self._retry,
            compactor=self._compactor,
            recovery=self._recovery,
            emit=self._emit,
            asked=self._cache.note,
        )
        try:
            await self._carry_out(self._run, model, said)
        finally:
            self._run = None
            self._abort = None
            self._idle.set()
        return "started"

    async def _say_waited(self, said: Input) -> None:
        """Say what was queued, unless something goes on: what does takes it by itself."""
        if self._idle.is_set() and self._open.is_set():
            await self._say(said, None)

    async def _carry_out(self, run: Run, model: Model, said: Input) -> None:
        """Run until nothing is left to do, nor anything that was queued when told that all had settled."""
        first: Input | None = said
        while True:
            self._abort = AbortController()
            self._retry.begin()
            signal = self._abort.signal
            try:
                if first is not None:
                    await run.answer(model, first, signal)
                await run.answer_waiting(model, signal)
            finally:
                self._queues.put_back()
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

    async def _forget(self, failed: AssistantMessage) -> None:
        """Hide a failed answer from the model; it stays in the session."""
        edit = self._record.hide(failed)
        if edit is not None:
            await self._tell(EntryAppended(edit.raw))

    async def _note_warmed(self, model: Model, usage: Usage) -> None:
        entry = self._record.usage("cache_warm", model, usage)
        if entry is not None:
            await self._tell(EntryAppended(entry.raw))

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
            self._recovery.take(event.message)
            if isinstance(event.message, AssistantMessage):
                await self._retry.take(event.message)

    async def _tell(self, event: AgentEvent | QueueUpdate) -> None:
        self._cache.heard(event)
        await self._listeners.tell(event)
