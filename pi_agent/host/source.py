"""What the contexts of extensions read of the conversation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_agent.extensions.context import CompactionWish, Mode, NavigateTreeResult, TreeMove
from pi_agent.host.conversation import Conversation
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.loop.queues import QueuedText
from pi_agent.session.context_usage import ContextUsage
from pi_tui.abort import AbortSignal


class ConversationSource:
    """A `ContextSource` that is there before the conversation, which is set once it exists.

    `notify` gets what people should know.
    """

    def __init__(self, mode: Mode, cwd: Path, on_shutdown: Callable[[], None]) -> None:
        self.mode: Mode = mode
        self.has_ui = mode in ("tui", "rpc")
        self.cwd = str(cwd)
        self.conversation: Conversation | None = None
        self._on_shutdown = on_shutdown
        self.before_abort: Callable[[], None] = lambda: None
        self.notify: Callable[[str], None] = lambda text: None

    @property
    def model(self) -> Model | None:
        """The model that answers next."""
        return self.conversation.model if self.conversation is not None else None

    @property
    def thinking_level(self) -> ThinkingLevel:
        """How long it thinks."""
        return self.conversation.thinking_level if self.conversation is not None else "off"

    @property
    def signal(self) -> AbortSignal | None:
        """The signal of the run; `None` when idle."""
        return self.conversation.signal if self.conversation is not None else None

    def is_idle(self) -> bool:
        """Return whether no run goes on."""
        return self.conversation is None or self.conversation.is_idle

    def queued_messages(self) -> list[QueuedText]:
        """Return what the user queued."""
        return self.conversation.queue.listed if self.conversation is not None else []

    def abort(self) -> None:
        """Ask the run to end; what is queued is taken back before, where there is somewhere to put it."""
        if self.conversation is None:
            return
        if self.conversation.is_streaming:
            self.before_abort()
        self.conversation.request_abort()

    def shutdown(self) -> None:
        """Ask the mode to leave."""
        self._on_shutdown()

    def get_context_usage(self) -> ContextUsage | None:
        """Return how full the model's window is."""
        return self.conversation.get_context_usage() if self.conversation is not None else None

    def request_compaction(self, wish: CompactionWish) -> None:
        """Compact in the background, and say so if that has to wait."""
        if self.conversation is None:
            return
        if not wish.at_once and self.conversation.is_streaming:
            self.notify("The conversation is compacted when the run has settled.")
        self.conversation.request_compaction(wish)

    async def navigate_tree(self, move: TreeMove) -> NavigateTreeResult:
        """Go on elsewhere in the tree of the session."""
        if self.conversation is None:
            raise PiError("There is no conversation yet.")
        moved = await self.conversation.move_in_tree(move)
        return NavigateTreeResult(moved.cancelled, moved.editor_text)
