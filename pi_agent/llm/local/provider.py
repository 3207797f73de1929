"""The provider `local`: the small built-in model, whose server speaks OpenAI's chat protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from pi_agent.base.clock import Clock
from pi_agent.base.errors import PiError
from pi_agent.llm.local.server import CONTEXT_TOKENS, MODEL_ID, LocalServer
from pi_agent.llm.local_model import LocalModel
from pi_agent.llm.model import Model
from pi_agent.llm.provider import Provider
from pi_agent.llm.stream import (
    Context,
    MessageBuilder,
    StreamError,
    StreamEvent,
    StreamFunction,
    StreamOptions,
    StreamProgress,
)
from pi_tui.abort import AbortError

LOCAL_API: Final = "local"

_SECONDS_TO_END: Final = 1.0


def local_provider() -> Provider:
    """Return the provider `local`: no network, no key, never chosen on its own."""
    return Provider(
        id="local",
        name="Built-in model",
        base_url="",
        api=LOCAL_API,
        needs_key=False,
        takes_key=False,
        lists_models=False,
        on_request=True,
        models=(
            Model(
                id=MODEL_ID,
                provider="local",
                api=LOCAL_API,
                name="SmolLM2 135M",
                context_window=CONTEXT_TOKENS,
                sampling_params={"return_progress": True},
                compat={
                    "supportsStore": False,
                    "supportsReasoningEffort": False,
                    "maxTokensField": "max_tokens",
                },
            ),
        ),
    )


class LocalProvider:
    """Starts the server at the first request, and passes the requests on to it; a `StreamFunction`."""

    def __init__(
        self,
        model: LocalModel,
        chat: StreamFunction,
        clock: Clock,
        server: LocalServer | None = None,
    ) -> None:
        self.model = model
        self._chat = chat
        self._clock = clock
        self._server = server or LocalServer(model)

    async def __call__(
        self, model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        """Ask the model; see `StreamFunction`."""
        if not self._server.is_running:
            yield StreamProgress("starting")
        builder = MessageBuilder(model, int(self._clock.now() * 1000))
        try:
            problem = self.model.why_unavailable()
            if problem is not None:
                raise PiError(problem)
            endpoint = await self._server.endpoint(options.signal)
        except AbortError:
            yield builder.abort()
            return
        except PiError as error:
            yield builder.fail(error.with_hint())
            return
        served = model.model_copy(update={"base_url": endpoint.base_url})
        async with aclosing(
            self._answer(served, context, replace(options, api_key=endpoint.api_key))
        ) as events:
            async for event in events:
                yield event

    async def _answer(
        self, model: Model, context: Context, options: StreamOptions
    ) -> AsyncGenerator[StreamEvent, None]:
        events = self._chat(model, context, options)
        try:
            async for event in events:
                if isinstance(event, StreamError) and event.reason == "error":
                    await self._tell_of_the_end(event)
                yield event
        finally:
            if isinstance(events, AsyncGenerator):
                await events.aclose()

    async def _tell_of_the_end(self, event: StreamError) -> None:
        """Say so if the answer failed because the server is gone."""
        said = await self._server.why_ended(_SECONDS_TO_END)
        if said is not None:
            event.error.error_message = (
                f"The local model broke down: {said}\nThe next message starts it again."
            )

    async def aclose(self) -> None:
        """End the server."""
        await self._server.aclose()
