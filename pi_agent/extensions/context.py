"""What handlers, commands and tools get as `ctx`: the session as it is at the moment of asking."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, Literal, Protocol

from pi_agent.extensions.lifetime import Lifetime
from pi_agent.extensions.owner import Owner
from pi_agent.extensions.ui import ExtensionUI
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.loop.queues import QueuedText
from pi_agent.loop.summary_events import CompactionResult
from pi_agent.session.context_usage import ContextUsage
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen

OnComplete = Callable[[CompactionResult], object]
OnError = Callable[[Exception], object]
Mode = Literal["tui", "rpc", "json", "print"]


@frozen
class CompactionWish:
    """A compaction that an extension wants: `at_once`, or when what goes on has ended."""

    custom_instructions: str | None
    at_once: bool
    done: Callable[[CompactionResult], Awaitable[None]]
    failed: Callable[[Exception], Awaitable[None]]


@frozen
class TreeMove:
    """Where in the tree to go on, and what is wanted besides."""

    target_id: str
    summarize: bool = False
    custom_instructions: str | None = None
    replace_instructions: bool = False
    label: str | None = None


@frozen(eq=False)
class NavigateTreeResult(Mapping[str, object]):
    """What became of a move in the tree; its attributes can be read as a mapping, too.

    `cancelled`: an extension or the user has kept the conversation where it is. `editor_text` is what was said at
    the target, if the conversation goes on before it.
    """

    cancelled: bool = False
    editor_text: str | None = None

    def __getitem__(self, key: str) -> object:
        if key not in iter(self):
            raise KeyError(key)
        value: object = getattr(self, key)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter([field.name for field in fields(self)])

    def __len__(self) -> int:
        return len(fields(self))


class ContextSource(Protocol):
    """The live session that contexts read."""

    @property
    def mode(self) -> Mode:
        """How pi was started."""
        ...

    @property
    def has_ui(self) -> bool:
        """Whether dialogs and notifications can reach a person."""
        ...

    @property
    def cwd(self) -> str:
        """The session's working directory."""
        ...

    @property
    def model(self) -> Model | None:
        """The selected model."""
        ...

    @property
    def thinking_level(self) -> ThinkingLevel:
        """The thinking level in effect."""
        ...

    @property
    def signal(self) -> AbortSignal | None:
        """The signal of the run; `None` when nothing runs."""
        ...

    def is_idle(self) -> bool:
        """Return whether nothing runs or is about to."""
        ...

    def abort(self) -> None:
        """Abort the current operation; returns at once."""
        ...

    def shutdown(self) -> None:
        """Ask for an orderly exit; returns at once."""
        ...

    def queued_messages(self) -> list[QueuedText]:
        """Return what the user queued, in the order of delivery."""
        ...

    def get_context_usage(self) -> ContextUsage | None:
        """Return how full the model's window is; `None` without a model."""
        ...

    def request_compaction(self, wish: CompactionWish) -> None:
        """Compact in the background."""
        ...

    async def navigate_tree(self, move: TreeMove) -> NavigateTreeResult:
        """Go on elsewhere in the tree of the session."""
        ...


class ExtensionContext:
    """The session, as an event handler sees it. A kept `ctx` shows what is true now.

    After the session was replaced or reloaded every member raises `StaleContextError`.
    """

    # Whoever is waited for by a run cannot stop it: a compaction comes when the run has settled.
    _compacts_at_once = False

    def __init__(
        self, source: ContextSource, ui: ExtensionUI, lifetime: Lifetime, owner: Owner
    ) -> None:
        self._source_if_alive = source
        self._ui = ui
        self._lifetime = lifetime
        self._owner = owner

    @property
    def ui(self) -> ExtensionUI:
        """Dialogs and notifications."""
        self._lifetime.check()
        return self._ui

    @property
    def mode(self) -> Mode:
        """How pi was started: guard what needs a terminal with `ctx.mode == "tui"`."""
        return self._source.mode

    @property
    def has_ui(self) -> bool:
        """Whether dialogs and notifications can reach a person."""
        return self._source.has_ui

    @property
    def cwd(self) -> str:
        """The session's working directory."""
        return self._source.cwd

    @property
    def model(self) -> Model | None:
        """The selected model."""
        return self._source.model

    @property
    def thinking_level(self) -> ThinkingLevel:
        """The thinking level in effect."""
        return self._source.thinking_level

    @property
    def signal(self) -> AbortSignal | None:
        """The signal of the run, for nested work; `None` when nothing runs."""
        return self._source.signal

    def is_idle(self) -> bool:
        """Return whether nothing runs or is about to."""
        return self._lifetime.call(self._source.is_idle)

    def has_pending_messages(self) -> bool:
        """Return whether messages of the user wait, those that are held back included."""
        return bool(self.queued_messages())

    def queued_messages(self) -> list[QueuedText]:
        """Return what the user queued, in the order of delivery; `queue_update` tells when that changes."""
        return self._lifetime.call(self._source.queued_messages)

    def abort(self) -> None:
        """Abort the current operation; returns at once."""
        self._lifetime.call(self._source.abort)

    def shutdown(self) -> None:
        """Ask for an orderly exit once pi is idle; returns at once. Does nothing in json and print."""
        self._lifetime.call(self._source.shutdown)

    def get_context_usage(self) -> ContextUsage | None:
        """Return how full the model's window is; `None` without a model.

        Right after a compaction nobody knows: `tokens` and `percent` are `None`.
        """
        return self._lifetime.call(self._source.get_context_usage)

    def compact(
        self,
        custom_instructions: str | None = None,
        on_complete: OnComplete | None = None,
        on_error: OnError | None = None,
    ) -> None:
        """Summarise what was said longest ago, in the background; returns at once.

        A command's `ctx` stops what goes on; one of a handler or a tool waits until it has ended.
        """
        wish = CompactionWish(
            custom_instructions,
            self._compacts_at_once,
            partial(self._call_back, on_complete),
            partial(self._call_back, on_error),
        )
        self._lifetime.call(lambda: self._source.request_compaction(wish))

    async def _call_back(self, callback: Callable[[Any], object] | None, value: object) -> None:
        """Tell the extension, if it still is there."""
        if callback is None or self._lifetime.ended:
            return
        with self._lifetime.in_use():
            guard = self._owner.guard("compact")
            attempt = guard.call(lambda: callback(value))
            if inspect.isawaitable(attempt.value):
                await guard.run(attempt.value)

    @property
    def _source(self) -> ContextSource:
        self._lifetime.check()
        return self._source_if_alive


class ExtensionToolContext(ExtensionContext):
    """The session, as a tool's `execute` sees it."""


class ExtensionCommandContext(ExtensionContext):
    """The session, as the handler of a command sees it."""

    _compacts_at_once = True

    async def navigate_tree(
        self,
        target_id: str,
        *,
        summarize: bool = False,
        custom_instructions: str | None = None,
        replace_instructions: bool = False,
        label: str | None = None,
    ) -> NavigateTreeResult:
        """Go on elsewhere in the tree of the session; before the target, if it is something that was said.

        `summarize`: the model is told what happened on the branch that is left. `custom_instructions` are added to
        what pi asks for in such a summary, or replace it. `label` is for the summary, else for the target. Raises, and
        nothing has moved, while something goes on, for an unknown entry, and for a summary that cannot be had.
        """
        return await self._source.navigate_tree(
            TreeMove(target_id, summarize, custom_instructions, replace_instructions, label)
        )
