"""The provider's cache of a conversation's prompts, which is kept warm once there is a model whose cache allows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.llm.model import Model
from pi_agent.llm.usage import Usage
from pi_agent.loop.events import AgentEvent
from pi_agent.loop.response import Request

if TYPE_CHECKING:
    from pi_agent.host.cache_warming import CacheWarmer, Phase


class PromptCache:
    """Loads the warmer with the first request that it has something to do for. `warmed` gets what a refresh took."""

    def __init__(
        self,
        setup: ConversationSetup,
        *,
        phase: Callable[[], Phase],
        model: Callable[[], Model | None],
        warmed: Callable[[Model, Usage], Awaitable[None]],
    ) -> None:
        self._setup = setup
        self._phase = phase
        self._model = model
        self._warmed = warmed
        self._warmer: CacheWarmer | None = None

    def note(self, request: Request) -> None:
        """Let the prompt of a request be kept in the cache, if it is known how long it is kept there."""
        if self._warmer is None and request.model.prompt_cache:
            self._warmer = self._new_warmer()
        if self._warmer is not None:
            self._warmer.sent(request)

    def heard(self, event: AgentEvent) -> None:
        """Go on from an answer; stop when the context is no longer what was asked."""
        if self._warmer is not None:
            self._warmer.heard(event)

    def stop(self) -> None:
        """Refresh nothing until the next request."""
        if self._warmer is not None:
            self._warmer.stop()

    def _new_warmer(self) -> CacheWarmer:
        from pi_agent.host.cache_warming import CacheWarmer, WarmingSource

        setup = self._setup
        return CacheWarmer(
            WarmingSource(
                stream=setup.registry.stream,
                clock=setup.clock,
                mode=setup.cache_warming,
                phase=self._phase,
                model=self._model,
                decide=setup.decide_warming,
                warmed=self._warmed,
            )
        )
