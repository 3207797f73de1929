"""`/fork` and `/clone`: go on in a new session that has the past of this one."""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.base.errors import PiError
from pi_agent.host.replacements import Replacement, clone, fork
from pi_agent.ui import dialogs
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command


class ForkChoice:
    """Lets the user choose a message to say otherwise; what `/fork`, `/clone` and the key do."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host

    def commands(self) -> list[Command]:
        """Return the commands."""
        return [
            Command("fork", "Begin a session before one of your messages", lambda _: self.choose()),
            Command("clone", "Go on in a copy of this session", lambda _: self._clone()),
        ]

    def choose(self) -> None:
        """Offer what the user has said on this branch."""
        services = self._host.services
        if services is None:
            return
        choices = dialogs.fork_choices(services.conversation.session)
        if not choices:
            self._host.app.notify("Nothing has been said yet.")
            return
        screen = self._host.app.screen

        def pick(entry_id: str) -> None:
            screen.close_dialog(picker)
            self._start(lambda: fork(services.conversation, entry_id), "Forked: a new session.")

        picker = dialogs.Picker(
            dialogs.PickerTexts(
                title="Fork from a message", nothing="No message matches", pick="fork"
            ),
            screen.theme,
            on_pick=pick,
            on_close=lambda: screen.close_dialog(picker),
        )
        picker.set_choices(choices, choices[-1].value)
        screen.show_dialog(picker)

    def _clone(self) -> None:
        services = self._host.services
        if services is not None:
            self._start(lambda: clone(services.conversation), "Cloned: a new session.")

    def _start(self, make: Callable[[], Replacement], told: str) -> None:
        try:
            self._host.sessions.start(make(), told)
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
