"""Print mode: the text of the last answer, and nothing else, on standard output."""

from __future__ import annotations

from typing import TextIO

from pi_agent.extensions.context import Mode
from pi_agent.host.services import Services
from pi_agent.llm.messages import AssistantMessage, TextContent, text_of
from pi_agent.loop.events import AgentEvent, AutoRetryStart, MessageEnd
from pi_agent.loop.summary_events import CompactionEnd
from pi_agent.modes.stderr import Stderr
from pi_tui.ansi import sanitize_output


class TextOutput:
    """Keeps the last answer of each prompt; that of the last one is printed, and decides the exit status."""

    mode: Mode = "print"
    is_closed = False

    def __init__(self, out: TextIO, err: Stderr) -> None:
        self._out = out
        self._err = err
        self._newest: AssistantMessage | None = None
        self._answer: AssistantMessage | None = None

    async def begin(self, services: Services) -> None:
        """Print nothing yet."""

    def take(self, event: AgentEvent) -> None:
        """Remember an answer, and say that one is waited for again, or that the context stays full."""
        if isinstance(event, MessageEnd) and isinstance(event.message, AssistantMessage):
            self._newest = event.message
        elif isinstance(event, AutoRetryStart):
            seconds = event.delay_ms / 1000
            which = f"({event.attempt}/{event.max_attempts})"
            self._err.say(f"{event.error_message}\nRetrying {which} in {seconds:g} s")
        elif isinstance(event, CompactionEnd) and event.error_message is not None:
            self._err.warn(event.error_message)

    def prompt_done(self, number: int, count: int) -> None:
        """Keep the answer to a prompt; a command has none. One that failed on the way is told."""
        answer, self._newest = self._newest, None
        if answer is None:
            return
        self._answer = answer
        if number < count and answer.stop_reason in ("error", "aborted"):
            self._err.warn(f"Message {number} of {count} was not answered: {_failure(answer)}")

    def signalled(self) -> None:
        """Print nothing any more."""

    def finish(self) -> int:
        """Print the answer."""
        return self._print(self._answer) if self._answer is not None else 0

    def _print(self, message: AssistantMessage) -> int:
        if message.stop_reason in ("error", "aborted"):
            self._say_partial(message)
            self._err.error(_failure(message))
            return 1
        try:
            self._write(message)
        except BrokenPipeError:
            return 0  # whoever reads it has seen enough
        except OSError as error:
            self._err.error(f"The answer could not be written to standard output: {error.strerror}")
            return 1
        if message.stop_reason == "length":
            self._err.warn("The answer was cut off at the output limit.")
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
            self._err.say(text)


def _failure(message: AssistantMessage) -> str:
    return message.error_message or "The model did not answer."
