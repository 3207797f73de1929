"""Print mode: run the prompts, print the text of the last answer. Nothing else goes to stdout."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TextIO

from pi_agent.base.errors import PiError
from pi_agent.extensions.guard import ExtensionError
from pi_agent.extensions.no_ui import NoUIHost
from pi_agent.host.options import RunOptions
from pi_agent.host.prompts import FirstPrompt
from pi_agent.host.services import Services, Surface, build_services
from pi_agent.llm.messages import AssistantMessage, TextContent, text_of
from pi_agent.llm.scripted import DEMO_API
from pi_agent.loop.events import AgentEvent, AutoRetryStart, MessageEnd
from pi_agent.modes.shutdown import ShutdownSignals
from pi_tui.ansi import sanitize_output

_WAIT_NOTICE_SECONDS = 2.0
_MOST_NAMED = 8
_NO_MODEL = (
    "No model: name one with --model, set OPENAI_API_KEY (and OPENAI_BASE_URL for another server), describe"
    " a server in models.json, or try --model demo/echo. `pi --list-models` shows what there is."
)


async def run_text_mode(
    options: RunOptions,
    first: FirstPrompt,
    messages: Sequence[str],
    *,
    out: TextIO,
    err: TextIO,
) -> int:
    """Run the prompts one after another and return the exit status."""
    prompts = [first, *(FirstPrompt(text) for text in messages)]
    prompts = [prompt for prompt in prompts if prompt.text.strip() or prompt.images]
    return await _PrintRun(options, out, err).run(prompts)


class _PrintRun:
    """One run of print mode."""

    def __init__(self, options: RunOptions, out: TextIO, err: TextIO) -> None:
        self._options = options
        self._out = out
        self._err = err
        self._services: Services | None = None
        self._answer: AssistantMessage | None = None
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
            mode="print",
            ui=NoUIHost(self._warn),
            report=self._warn,
            report_extension=self._on_extension_error,
        )
        services = self._services = await build_services(self._options, surface)
        services.report_stray_errors(asyncio.get_running_loop())
        services.conversation.subscribe(self._on_event)
        if not self._may_run(services):
            return 1
        if prompts and services.conversation.model is None:
            self._error(_which_model(services))
            return 1
        watch = asyncio.create_task(self._tell_who_is_waited_for(services))
        try:
            await services.start_extensions()
            return await self._ask_all(services, prompts)
        finally:
            watch.cancel()

    async def _stop(self) -> None:
        if self._services is not None:
            for text in await self._services.stop():
                self._warn(text)

    def _may_run(self, services: Services) -> bool:
        """Tell what is wrong; an unattended run must not go on without what it was asked for."""
        for problem in services.problems:
            if problem.kind == "warning":
                self._warn(problem.text)
                continue
            self._error(problem.text)
            if problem.kind == "extension":
                self._say("To run without extensions, start with `pi -ne` and without -e.")
        return all(problem.kind == "warning" for problem in services.problems)

    async def _ask_all(self, services: Services, prompts: Sequence[FirstPrompt]) -> int:
        """Ask everything in turn; only the last answer is printed, and decides the status."""
        last: AssistantMessage | None = None
        for number, prompt in enumerate(prompts, 1):
            try:
                answer = await self._ask(services, prompt)
            except PiError as error:
                self._error(error.with_hint())
                return 1
            if self._signal is not None:
                return 128 + self._signal
            if answer is None:
                continue  # a command
            last = answer
            if number < len(prompts):
                self._note_failure(answer, f"Message {number} of {len(prompts)}")
        return self._print_answer(last) if last is not None else 0

    async def _ask(self, services: Services, prompt: FirstPrompt) -> AssistantMessage | None:
        self._answer = None
        await services.conversation.prompt(prompt.text, prompt.images)
        return self._answer

    # The answer

    def _print_answer(self, message: AssistantMessage) -> int:
        if message.stop_reason in ("error", "aborted"):
            self._say_partial(message)
            self._error(_failure(message))
            return 1
        try:
            self._write(message)
        except BrokenPipeError:
            return 0  # whoever reads it has seen enough
        except OSError as error:
            self._error(f"The answer could not be written to standard output: {error.strerror}")
            return 1
        if message.stop_reason == "length":
            self._warn("The answer was cut off at the output limit.")
            return 1
        return 0

    def _write(self, message: AssistantMessage) -> None:
        for block in message.content:
            if isinstance(block, TextContent):
                text = sanitize_output(block.text) if self._out.isatty() else block.text
                self._out.write(text + "\n")
        self._out.flush()

    def _say_partial(self, message: AssistantMessage) -> None:
        """Show what came of an answer that failed: not on standard output, where it would pass for a whole one."""
        text = text_of(message.content)
        if text.strip():
            self._say(sanitize_output(text) if self._err.isatty() else text)

    # What happens on the way

    def _on_event(self, event: AgentEvent) -> None:
        if isinstance(event, MessageEnd) and isinstance(event.message, AssistantMessage):
            self._answer = event.message
        elif isinstance(event, AutoRetryStart):
            seconds = event.delay_ms / 1000
            which = f"({event.attempt}/{event.max_attempts})"
            self._say(f"{event.error_message}\nRetrying {which} in {seconds:g} s")

    def _on_signal(self, number: int) -> None:
        """End in order: an answer is broken off so that what there is of it is kept."""
        self._signal = number
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
                self._say(f"Waiting for extension {waiting.extension}: {waiting.event}")

    def _on_extension_error(self, error: ExtensionError) -> None:
        self._say(f"Extension {error.extension_path} failed in {error.event}: {error.error}")

    def _note_failure(self, answer: AssistantMessage, which: str) -> None:
        if answer.stop_reason in ("error", "aborted"):
            self._warn(f"{which} was not answered: {_failure(answer)}")

    def _warn(self, text: str) -> None:
        self._say(f"Warning: {text}")

    def _error(self, text: str) -> None:
        self._say(f"Error: {text}")

    def _say(self, text: str) -> None:
        try:
            self._err.write(text + "\n")
            self._err.flush()
        except OSError:
            pass  # nobody reads it, which must not cost the answer


def _failure(message: AssistantMessage) -> str:
    return message.error_message or "The model did not answer."


def _which_model(services: Services) -> str:
    """Return what to do without a model: choose one of those there are, or get one."""
    usable = [m.reference for m in services.registry.available() if m.api != DEMO_API]
    if not usable:
        return _NO_MODEL
    named = ", ".join(usable[:_MOST_NAMED])
    more = f" and {len(usable) - _MOST_NAMED} more" if len(usable) > _MOST_NAMED else ""
    return f"Several models can answer, choose one with --model: {named}{more}"
