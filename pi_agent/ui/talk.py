"""What is typed and sent: to the model, to the shell, or to a command; and how it comes back when it cannot be sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from pi_agent.base.errors import PiError
from pi_agent.extensions.events import StreamingBehavior
from pi_agent.host.conversation import Conversation
from pi_agent.host.prompts import FirstPrompt, first_prompt
from pi_agent.host.services import Services
from pi_agent.host.user_bash import UserCommand, user_command
from pi_agent.llm.registry import NoModelError
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.user_commands import UserCommands


class Talk:
    """Sends what is typed. `user_commands` draws the shell's commands in the conversation that is shown."""

    def __init__(self, host: CommandHost, user_commands: Callable[[], UserCommands]) -> None:
        self._host = host
        self._app = host.app
        self._user_commands = user_commands

    def submit(self, text: str) -> None:
        """Run a command, pi's or the shell's, or say `text` to the model."""
        shell_command = user_command(text)
        if shell_command is not None:
            self._app.start_task(self._run_in_shell(shell_command))
            return
        found = self._host.commands.find(text)
        if found is not None:
            command, argument = found
            command.run(argument)
            return
        self._app.start_task(self._prompt(text))

    def interrupt(self) -> bool:
        """Stop the run and take back what was queued; `False` if nothing goes on.

        Without a run the user's command is cancelled, or the one that is being typed taken back.
        """
        services = self._host.services
        if services is None:
            return False
        if services.conversation.is_compacting:
            services.conversation.abort_compaction()
        elif services.conversation.is_streaming:
            self._app.start_task(self._interrupt(services))
        elif services.conversation.is_navigating:
            services.conversation.request_abort()
        elif services.user_bash.is_running:
            services.user_bash.cancel()
        elif self._app.composer.is_command_for_shell:
            self._app.composer.set_text("")
        else:
            return False
        return True

    def follow_up(self) -> bool:
        """Queue what is typed for the end of the run; when nothing goes on it is sent like any other text."""
        services = self._host.services
        composer = self._app.composer
        text = composer.get_expanded_text().strip()
        if services is None or not text:
            return False
        composer.set_text("")
        composer.add_to_history(text)
        conversation = services.conversation
        is_busy = conversation.is_streaming or conversation.is_compacting
        if is_busy and user_command(text) is None:
            self._app.start_task(self._prompt(text, "follow_up"))
        else:
            self.submit(text)
        return True

    def dequeue(self) -> None:
        """Take queued texts back into the editor."""
        services = self._host.services
        if services is not None:
            self._app.start_task(self.take_back(services))

    async def _run_in_shell(self, command: UserCommand) -> None:
        """Run the user's command; one that cannot be run goes back into an empty editor."""
        await self._host.sessions.done()
        services = self._host.services
        if services is None:
            return
        try:
            await self._user_commands().run(command, services)
        except PiError as error:
            self._app.notify(error.with_hint(), "warning")
            self._give_back(command.as_typed)

    async def _prompt(self, text: str, behavior: StreamingBehavior = "steer") -> None:
        """Say something; what cannot be sent goes back into an empty editor."""
        if not await self._is_said(FirstPrompt(text), [text], behavior=behavior):
            self._give_back(text)

    def compaction_ended(self) -> None:
        """Send what was typed meanwhile, in its order."""
        services = self._host.services
        if services is not None:
            self._app.start_task(self._send_waiting(services))

    async def _send_waiting(self, services: Services) -> None:
        await services.conversation.wait_for_idle()
        try:
            async with self._host.watching():
                await services.conversation.queue.send_waiting()
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")

    async def _is_said(
        self, said: FirstPrompt, typed: Sequence[str], *, behavior: StreamingBehavior = "steer"
    ) -> bool:
        """Say something, and return when it is answered or queued; `False` if it could not be sent.

        Without a model it waits until one was chosen; `typed` is this and what comes after it, as it was typed.
        """
        while True:
            await self._host.sessions.done()
            services = self._host.services
            if services is None:
                return False
            try:
                async with self._host.watching():
                    await _say(services.conversation, said, behavior)
                return True
            except NoModelError as error:
                if services.conversation.model is not None:
                    self._host.report(f"Error: {error.with_hint()}")
                if not await self._host.welcome.wait_for_model(typed):
                    return False
            except PiError as error:
                self._host.report(f"Error: {error.with_hint()}")
                return False

    async def first_prompts(self) -> None:
        """Say what stood on the command line, one message after the other, until one cannot be sent."""
        files, messages = self._app.files, list(self._app.messages)
        message = messages[0] if messages else None
        try:
            first = await asyncio.to_thread(
                first_prompt, "", files, message, cwd=self._app.options.cwd
            )
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
            self._give_back("\n\n".join(messages))
            return
        named = " ".join([*(f"@{file}" for file in files), *messages[:1]])
        waiting = [(first, named), *((FirstPrompt(text), text) for text in messages[1:])]
        waiting = [(prompt, typed) for prompt, typed in waiting if prompt.text or prompt.images]
        for prompt, _ in waiting:
            self._app.composer.add_to_history(prompt.text)
        while waiting:
            if not await self._is_said(waiting[0][0], [typed for _, typed in waiting]):
                self._give_back("\n\n".join(prompt.text for prompt, _ in waiting))
                return
            del waiting[0]

    def _give_back(self, text: str) -> None:
        if not self._app.composer.get_text():
            self._app.composer.set_text(text)

    async def _interrupt(self, services: Services) -> None:
        await self.take_back(services)
        services.conversation.request_abort()

    async def take_back(self, services: Services) -> None:
        """Put queued texts back into the editor."""
        texts = await services.conversation.clear_queue()
        waiting = [*texts.steering, *texts.follow_up]
        if waiting:
            self._app.composer.insert_in_front("\n\n".join(waiting))


async def _say(conversation: Conversation, said: FirstPrompt, behavior: StreamingBehavior) -> None:
    """Say something now; when there is no run that it could be queued for, after the compaction that goes on."""
    if conversation.is_compacting and not conversation.is_streaming:
        await conversation.prompt_later(said.text, said.images, behavior=behavior)
    else:
        await conversation.prompt(said.text, said.images, streaming_behavior=behavior)
