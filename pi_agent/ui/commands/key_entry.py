"""Ask for the key of one provider, store it, and see whether its server takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pi_agent.base.text_paths import with_tilde
from pi_agent.host.keys import auth_file_of, store_key
from pi_agent.host.services import Services
from pi_agent.llm.key_status import without_stored
from pi_agent.llm.key_words import told_of_other
from pi_agent.llm.provider import Provider
from pi_agent.resources.auth_file import AuthFileError
from pi_agent.ui import dialogs
from pi_agent.ui.asking import ask
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.key_removal import remove_and_tell
from pi_tui.abort import AbortController

_REFUSED = ("401", "403")
_MOST_REASON = 200

# What can be done about a refused key, in the order of the rows.
_AFTER_REFUSAL: tuple[tuple[Literal["again", "keep", "remove"], str], ...] = (
    ("again", "Enter another key"),
    ("keep", "Leave it stored"),
    ("remove", "Remove it"),
)


class KeyEntry:
    """What happens from the question for a key to a key that is stored, or to none."""

    def __init__(self, host: CommandHost, services: Services, provider: Provider) -> None:
        self._host = host
        self._services = services
        self._provider = provider
        self._is_storing = False

    async def run(self) -> bool:
        """Return whether a key was stored and is still there."""
        while await self._ask():
            reason = await self._refusal()
            answer = "keep" if reason is None else await self._ask_after_refusal(reason)
            if answer == "keep":
                return True
            if answer == "remove":
                await remove_and_tell(self._host, self._services, self._provider.id)
                return False
        return False

    # The key

    async def _ask(self) -> bool:
        """Return whether a key was stored; one that cannot be stays in the dialog."""

        def make(settle: Callable[[bool], None]) -> dialogs.ApiKeyDialog:
            dialog = dialogs.ApiKeyDialog(
                self._texts(),
                self._host.app.theme,
                environ=self._services.options.environ,
                on_store=lambda written: start(self._store(written, dialog, settle)),
                on_back=lambda: settle(False),
            )
            return dialog

        start = self._host.app.start_task
        return await ask(self._host.app.screen, make, False)

    async def _store(
        self, written: str, dialog: dialogs.ApiKeyDialog, settle: Callable[[bool], None]
    ) -> None:
        if self._is_storing:
            return  # another program may have the file, and Enter may be pressed twice
        self._is_storing = True
        dialog.say("Storing it…")
        self._host.app.tui.request_render()
        try:
            problems = await store_key(self._services, self._provider.id, written)
        except AuthFileError as error:
            dialog.say("Not stored: the reason stands above.", "error")
            self._host.report(f"Error: {error.with_hint()}")
            return
        finally:
            self._is_storing = False
        for text in problems:
            self._host.app.notify(text, "warning")
        self._host.app.screen.notices.say(
            f"The key of {self._provider.name} is stored in {self._place()}."
        )
        settle(True)

    def _texts(self) -> dialogs.ApiKeyTexts:
        registry, provider = self._services.registry, self._provider
        notes = []
        if provider.id in registry.keys.auth.accounts:
            notes.append("It replaces the account that another program has stored.")
        if provider.id in registry.keys.auth.keys:
            notes.append("It replaces the key that is stored.")
        other = told_of_other(registry.keys.status(without_stored(provider)))
        if other is not None:
            notes.append(other)
        notes.append(f"Kept in {self._place()}, which only you can read.")
        return dialogs.ApiKeyTexts(f"Key for {provider.name}", notes)

    def _place(self) -> str:
        options = self._services.options
        return with_tilde(str(auth_file_of(options)), options.environ.get("HOME"))

    # Whether it is taken

    async def _refusal(self) -> str | None:
        """Ask the server for its models; return why it refuses the key, if it does."""
        registry, screen, name = self._services.registry, self._host.app.screen, self._provider.name
        controller = AbortController()
        dialog = dialogs.WaitingDialog(
            f"Key for {name}",
            f"It is stored. Now {name} is asked for its models.",
            screen.tui,
            screen.theme,
            stop_label="do not wait",
            on_stop=controller.abort,
        )
        screen.show_dialog(dialog)
        try:
            await registry.refresh([self._provider.id], controller.signal)
        finally:
            dialog.dispose()
            screen.close_dialog(dialog)
        reason = registry.list_failure(self._provider.id)
        return reason if reason is not None and reason.startswith(_REFUSED) else None

    async def _ask_after_refusal(self, reason: str) -> Literal["again", "keep", "remove"]:
        name = self._provider.name
        self._host.app.notify(f"{name} refused the key: {reason[:_MOST_REASON]}", "warning")
        title = f"{name} refused the key, which is stored now."
        options = [label for _, label in _AFTER_REFUSAL]
        theme = self._host.app.theme

        def make(settle: Callable[[int | None], None]) -> dialogs.SelectDialog:
            return dialogs.SelectDialog(
                title, options, theme, settle, keep=self._host.app.screen.keep
            )

        index = await ask(self._host.app.screen, make, None)
        return _AFTER_REFUSAL[index][0] if index is not None else "keep"
