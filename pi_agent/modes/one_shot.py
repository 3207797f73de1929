"""Run the prompts of the command line one after another, without a screen.

What comes out on standard output is the business of an `Output`: the last answer, or every event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Final, Protocol

from pi_agent.base.errors import PiError
from pi_agent.extensions.context import Mode
from pi_agent.extensions.guard import ExtensionError
from pi_agent.extensions.no_ui import NoUIHost
from pi_agent.host.options import RunOptions
from pi_agent.host.prompts import FirstPrompt
from pi_agent.host.services import Services, Surface, build_services
from pi_agent.llm.ways import NO_MODEL_YET
from pi_agent.loop.events import AgentEvent
from pi_agent.modes.shutdown import ShutdownSignals
from pi_agent.modes.stderr import Stderr

_WAIT_NOTICE_SECONDS: Final = 2.0
_MOST_NAMED: Final = 8


class Output(Protocol):
    """What a mode makes of a run. `is_closed` says that nobody reads it any more."""

    mode: Mode
    is_closed: bool

    async def begin(self, services: Services) -> None:
        """Everything is there, and nothing has been asked yet."""
        ...

    def take(self, event: AgentEvent) -> Awaitable[None] | None:
        """Something happened."""
        ...

    def prompt_done(self, number: int, count: int) -> None:
        """The prompt with this number, of `count`, has been answered, or was a command."""
        ...

    def signalled(self) -> None:
        """The process has been asked to end."""
        ...

    def finish(self) -> int:
        """Return the exit status: all prompts are done."""
        ...


async def run_prompts(
    options: RunOptions,
    first: FirstPrompt,
    messages: Sequence[str],
    output: Output,
    err: Stderr,
) -> int:
    """Run the prompts one after another and return the exit status."""
    prompts = [first, *(FirstPrompt(text) for text in messages)]
    prompts = [prompt for prompt in prompts if prompt.text.strip() or prompt.images]
    return await _Run(options, output, err).run(prompts)


class _Run:
    """One run from the first prompt to the exit status."""

    def __init__(self, options: RunOptions, output: Output, err: Stderr) -> None:
        self._options = options
        self._output = output
        self._err = err
        self._services: Services | None = None
        self._signal: int | None = None
        self._work: asyncio.Task[int] | None = None

    async def run(self, prompts: Sequence[FirstPrompt]) -> int:
        with ShutdownSignals(self._on_signal, self._kill_children):
            self._work = asyncio.create_task(self._run(prompts))
            try:
                return await self._work
            except asyncio.CancelledError:
                if self._signal is None:
                    raise
                return 128 + self._signal
            finally:
                await self._stop()

    async def _run(self, prompts: Sequence[FirstPrompt]) -> int:
        surface = Surface(
            mode=self._output.mode,
            ui=NoUIHost(self._err.warn),
            report=self._err.warn,
            report_extension=self._on_extension_error,
        )
        services = self._services = await build_services(self._options, surface)
        services.report_stray_errors(asyncio.get_running_loop())
        services.conversation.subscribe(self._output.take)
        if not self._may_run(services):
            return 1
        if prompts and services.conversation.model is None:
            self._err.error(_which_model(services))
            return 1
        await self._output.begin(services)
        watch = asyncio.create_task(self._tell_who_is_waited_for(services))
        try:
            await services.start_extensions()
            return await self._ask_all(services, prompts)
        finally:
            watch.cancel()

    async def _stop(self) -> None:
        if self._services is not None:
            for text in await self._services.stop():
                self._err.warn(text)

    def _may_run(self, services: Services) -> bool:
        """Tell what is wrong; an unattended run must not go on without what it was asked for."""
        for problem in services.problems:
            if problem.kind == "warning":
                self._err.warn(problem.text)
                continue
            self._err.error(problem.text)
            if problem.kind == "extension":
                self._err.say("To run without extensions, start with `pi -ne` and without -e.")
        return all(problem.kind == "warning" for problem in services.problems)

    async def _ask_all(self, services: Services, prompts: Sequence[FirstPrompt]) -> int:
        for number, prompt in enumerate(prompts, 1):
            try:
                await services.conversation.prompt(prompt.text, prompt.images)
            except PiError as error:
                self._err.error(error.with_hint())
                return 1
            if self._signal is not None:
                return 128 + self._signal
            self._output.prompt_done(number, len(prompts))
            if self._output.is_closed:
                break
        return self._output.finish()

    # What happens on the way

    def _on_signal(self, number: int) -> None:
        """End in order: an answer is broken off so that what there is of it is kept."""
        self._signal = number
        self._output.signalled()
        services = self._services
        if services is not None and services.conversation.is_streaming:
            services.conversation.request_abort()
        elif self._work is not None:
            self._work.cancel()

    def _kill_children(self) -> None:
        if self._services is not None:
            self._services.groups.kill_all()

    async def _tell_who_is_waited_for(self, services: Services) -> None:
        """Say which extension keeps everybody waiting, once for each of its handlers."""
        told: set[tuple[str, str]] = set()
        while True:
            await asyncio.sleep(_WAIT_NOTICE_SECONDS)
            waiting = services.runner.waiting()
            if waiting is not None and (waiting.extension, waiting.event) not in told:
                told.add((waiting.extension, waiting.event))
                self._err.say(f"Waiting for extension {waiting.extension}: {waiting.event}")

    def _on_extension_error(self, error: ExtensionError) -> None:
        self._err.say(f"Extension {error.extension_path} failed in {error.place}: {error.error}")


def _which_model(services: Services) -> str:
    """Return what to do without a model: choose one of those there are, or get one."""
    usable = [model.reference for model in services.registry.candidates()]
    if not usable:
        return NO_MODEL_YET
    named = ", ".join(usable[:_MOST_NAMED])
    more = f" and {len(usable) - _MOST_NAMED} more" if len(usable) > _MOST_NAMED else ""
    return f"Several models can answer, choose one with --model: {named}{more}"
