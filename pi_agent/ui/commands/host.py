"""What a slash command may use of the running program."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol

from pi_agent.host.problems import Problem
from pi_agent.host.services import Services
from pi_agent.ui.app import InteractiveApp
from pi_agent.ui.commands.table import CommandTable
from pi_tui.autocomplete import SlashCommand

if TYPE_CHECKING:
    from pi_agent.ui.commands.model import ModelChoice
    from pi_agent.ui.commands.welcome import Welcome
    from pi_agent.ui.session_switch import SessionSwitch


class CommandHost(Protocol):
    """The loaded program, as its commands see it."""

    @property
    def app(self) -> InteractiveApp:
        """The frame of the program: screen, editor, tasks, leaving."""
        ...

    @property
    def services(self) -> Services | None:
        """The conversation and what it is made of; `None` while it loads."""
        ...

    @property
    def commands(self) -> CommandTable:
        """All built-in commands."""
        ...

    def extension_commands(self) -> Sequence[SlashCommand]:
        """Return the commands of extensions."""
        ...

    def watching(self) -> AbstractAsyncContextManager[None]:
        """Name extensions that keep everybody waiting while the block runs."""
        ...

    def show_extensions(self) -> None:
        """Show anew which extensions there are, and which commands they have."""
        ...

    def restore_status(self) -> None:
        """Say in the status row what goes on, if anything does."""
        ...

    def update_footer(self) -> None:
        """Show the footer anew: the model, the session or the totals changed."""
        ...

    @property
    def sessions(self) -> SessionSwitch:
        """What puts another session in the place of this one."""
        ...

    @property
    def model_choice(self) -> ModelChoice:
        """What offers the models."""
        ...

    @property
    def welcome(self) -> Welcome:
        """What helps to a model."""
        ...

    async def take_back(self, services: Services) -> None:
        """Put queued texts back into the editor."""
        ...

    async def show_session(self) -> None:
        """Show the session of the services in the place of what is shown."""
        ...

    def show_problem(self, problem: Problem) -> None:
        """Say what is wrong with what a conversation is built of."""
        ...

    def report(self, text: str) -> None:
        """Say what went wrong."""
        ...
