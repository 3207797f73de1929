"""Commands that the user runs: `!command` is told to the model with the next prompt, `!!command` is not.

One at a time. What a command printed becomes a message of the session, stored when no run goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pi_agent.base.errors import PiError
from pi_agent.base.process import CommandResult, ProcessGroups, run_command
from pi_agent.base.shell import no_folder, shell_environment
from pi_agent.base.throttle import Throttle
from pi_agent.host.conversation import Conversation
from pi_agent.host.options import RunOptions
from pi_agent.host.tools import command_environment, shell_settings
from pi_agent.llm.messages import BashExecutionMessage
from pi_agent.tools.output import CommandOutput
from pi_tui.abort import AbortController
from pi_tui.ansi import sanitize_output, strip_terminal_sequences
from pi_tui.frozen import frozen

UPDATE_SECONDS = 0.1


@frozen
class UserCommand:
    """A command that was typed. A private one is kept from the model."""

    text: str
    is_private: bool = False

    @property
    def as_typed(self) -> str:
        """The command with what makes it one."""
        return f"{'!!' if self.is_private else '!'}{self.text}"


def user_command(text: str) -> UserCommand | None:
    """Return the command that `text` is; `None` for what is meant for the model."""
    text = text.strip()
    if not text.startswith("!"):
        return None
    is_private = text.startswith("!!")
    return UserCommand(text[2 if is_private else 1 :].strip(), is_private)


def command_of(message: BashExecutionMessage) -> UserCommand:
    """Return the command that was run."""
    return UserCommand(message.command, bool(message.exclude_from_context))


class UserBash:
    """Runs the user's commands in their shell, in the working folder."""

    def __init__(self, options: RunOptions, groups: ProcessGroups) -> None:
        self._options = options
        self._groups = groups
        self._abort: AbortController | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def is_running(self) -> bool:
        """Whether a command is running."""
        return self._abort is not None

    def cancel(self) -> None:
        """Kill the command that is running, with all it has started."""
        if self._abort is not None:
            self._abort.abort("Command aborted")

    async def aclose(self) -> None:
        """Kill the command that is running, and return when its end has been stored."""
        self.cancel()
        await self._idle.wait()

    async def run(
        self, command: UserCommand, conversation: Conversation, on_output: Callable[[str], None]
    ) -> BashExecutionMessage:
        """Run a command to its end and store it; `on_output` gets the end of what it has printed so far.

        Raises `PiError` while another one is running, and if the command cannot be started.
        """
        if not command.text:
            raise PiError(f"There is no command after {command.as_typed}.")
        if self._abort is not None:
            raise PiError(
                "Another command is running.",
                "Wait until it has finished, or cancel it with Escape.",
            )
        self._abort = AbortController()
        self._idle.clear()
        try:
            message = await self._run(command, self._abort, on_output)
            conversation.record(message)
            return message
        finally:
            self._abort = None
            self._idle.set()

    async def _run(
        self, command: UserCommand, abort: AbortController, on_output: Callable[[str], None]
    ) -> BashExecutionMessage:
        options = self._options
        if not options.cwd.is_dir():
            raise PiError(no_folder(options.cwd))
        environment = command_environment(options)
        settings = shell_settings(options)
        output = CommandOutput(prefix="pi-bash-", settings=settings)
        updates = Throttle(lambda: on_output(_text(output)), UPDATE_SECONDS)

        async def take(data: bytes) -> None:
            await output.add(data)
            updates.changed()

        try:
            result = await run_command(
                settings.argv(command.text, environment.get("PATH")),
                cwd=options.cwd,
                env=shell_environment(environment, {}),
                on_output=take,
                groups=self._groups,
                signal=abort.signal,
            )
            await output.finish()
        except OSError as error:
            raise PiError(f"The command cannot be started: {error.strerror or error}") from None
        finally:
            updates.close()
        return _message(command, output, result)


def _text(output: CommandOutput) -> str:
    return strip_terminal_sequences(sanitize_output(output.tail().content))


def _message(
    command: UserCommand, output: CommandOutput, result: CommandResult
) -> BashExecutionMessage:
    was_cancelled = result.ended == "aborted"
    return BashExecutionMessage(
        command=command.text,
        output=_text(output),
        exit_code=None if was_cancelled else result.exit_code,
        cancelled=was_cancelled,
        truncated=output.tail().truncated,
        full_output_path=str(output.file) if output.file is not None else None,
        exclude_from_context=True if command.is_private else None,
    )
