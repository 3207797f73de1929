"""`/welcome`, and what comes up by itself while there is no model: the ways to one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing
from functools import partial
from typing import Final

from pi_agent.host.services import Services
from pi_agent.llm.local_servers import FoundServer
from pi_agent.llm.provider import Provider
from pi_agent.llm.resolve import ModelChoice as Chosen
from pi_agent.ui import dialogs
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.login import Login
from pi_agent.ui.commands.model import ModelChoice
from pi_agent.ui.commands.small_model import NAMES as SMALL_MODEL
from pi_agent.ui.commands.small_model import SmallModel
from pi_agent.ui.commands.table import Command

_TOUR: Final = ("demo", "tour")


class Welcome:
    """Opens the welcome screen, and does what is chosen there.

    It stays under the dialogs that a way leads to, so that leaving one of them leads back, and goes once a model
    was chosen.
    """

    def __init__(self, host: CommandHost, models: ModelChoice, login: Login) -> None:
        self._host = host
        self._app = host.app
        self._models = models
        self._login = login
        self._small_model = SmallModel(host)
        self._dialog: dialogs.WelcomeDialog | None = None
        self._servers: dict[str, FoundServer] = {}
        self._waiting: list[Sequence[str]] = []
        self._gone = asyncio.Event()
        self._is_busy = False
        models.on_change = self.close

    @property
    def waiting(self) -> Sequence[str]:
        """What was to be sent, and waits for a model."""
        return [text for texts in self._waiting for text in texts]

    def command(self) -> Command:
        """Return the command."""
        return Command("welcome", "Ways to a model: sign in, local servers, the tour", self._run)

    def open(self) -> None:
        """Show the ways, and look for servers on this machine meanwhile."""
        services = self._host.services
        if services is None or self._dialog is not None:
            return
        dialog = dialogs.WelcomeDialog(
            self._app.theme,
            on_pick=self._pick,
            on_close=self._leave,
            keep=self._app.screen.keep,
        )
        self._dialog = dialog
        self._servers = {}
        self._gone.clear()
        self._show()
        self._app.screen.show_dialog(dialog)
        self._app.start_task(self._look_around(dialog, services))

    def close(self) -> None:
        """Take the screen away; what waits goes on if there is a model now, and back into the editor if not."""
        self._models.persist = False
        if self._dialog is not None:
            self._app.screen.close_dialog(self._dialog)
            self._dialog = None
            self._gone.set()
            self._app.tui.request_render()

    async def wait_for_model(self, texts: Sequence[str]) -> bool:
        """Ask for a model because `texts` are to be sent. Returns whether there is one now."""
        self._waiting.append(texts)
        self.open()
        self._show()
        await self._gone.wait()
        # Not where this is cancelled: the program ends then, and says what was never sent.
        self._waiting.remove(texts)
        services = self._host.services
        model = services.conversation.model if services is not None else None
        return (
            services is not None
            and model is not None
            and services.registry.why_unavailable(model) is None
        )

    def _run(self, argument: str) -> None:
        self.open()

    def _leave(self) -> None:
        self.close()
        services = self._host.services
        if services is not None and services.conversation.model is None:
            self._app.notify("There is no model yet: /welcome shows the ways to one again.")

    # The ways

    def _show(self) -> None:
        services, dialog = self._host.services, self._dialog
        if services is None or dialog is None:
            return
        dialog.note = dialogs.waiting_note(self.waiting)
        has_small = services.registry.find(*SMALL_MODEL) is not None
        about_small = self._small_model.about() if has_small else None
        candidates = services.registry.candidates()
        dialog.set_ways(dialogs.ways_to_a_model(candidates, self._servers, about_small))
        self._app.tui.request_render()

    async def _look_around(self, dialog: dialogs.WelcomeDialog, services: Services) -> None:
        servers = services.registry.find_servers(services.options.local_servers)
        async with aclosing(servers):
            async for server in servers:
                if self._dialog is not dialog:
                    return
                self._servers[server.kind.id] = server
                self._show()

    def _pick(self, value: str, persist: bool) -> None:
        services = self._host.services
        if services is None:
            return
        # Who wants a choice to be remembered does not mean to begin with the tour for ever.
        self._models.persist = persist and value != "tour"
        ways: dict[str, Callable[[], object]] = {
            "models": self._models.choose,
            "login": self._login.choose,
            "local": lambda: self._begin(self._use_small_model(services)),
            "tour": lambda: self._begin(self._use(services, _TOUR)),
            "quit": self._app.quit,
        }
        for server in self._servers.values():
            ways[server.url] = partial(self._begin_server, services, server)
        ways[value]()

    def _begin_server(self, services: Services, server: FoundServer) -> None:
        self._begin(self._use_server(services, server))

    def _begin(self, work: Coroutine[object, object, None]) -> None:
        """Do something that takes a moment, in which nothing else is begun."""

        async def run() -> None:
            try:
                await work
            finally:
                self._is_busy = False

        if self._is_busy:
            work.close()
            return
        self._is_busy = True
        self._app.start_task(run())

    async def _use(self, services: Services, names: tuple[str, str]) -> None:
        model = services.registry.find(*names)
        if model is None:
            self._host.report(f"Error: there is no model {'/'.join(names)}.")
            return
        await self._models.use(Chosen(model))

    # Servers on this machine

    async def _use_server(self, services: Services, server: FoundServer) -> None:
        """Take a server as a provider of this run, and one of its models."""
        registry = services.registry
        if not server.reading.models:
            # It may have got a model since it was found.
            async with aclosing(registry.find_servers({server.kind.id: server.url})) as again:
                server = await anext(again, server)
        if not server.reading.models and not server.reading.wants_key:
            where = f"{server.kind.name} at {server.address}"
            told = f"{where} has no models yet. {server.kind.without_models}"
            self._app.notify(told, "warning")
            return
        provider = registry.add_server(server)
        if server.reading.wants_key:
            self._login.choose(provider.id, on_done=partial(self._keep_address, services, provider))
            return
        known = set(registry.notices)
        await registry.refresh([provider.id])
        for text in registry.notices:
            if text not in known:
                self._app.notify(text, "warning")
        models = [model for model in registry.available() if model.provider == provider.id]
        if len(models) == 1:
            await self._models.use(Chosen(models[0]))
        elif models:
            self._models.choose(f"{provider.id}/")

    def _keep_address(self, services: Services, provider: Provider, is_stored: bool) -> None:
        """Let a key that was stored be the key of this server next time, too."""
        if is_stored:
            self._app.start_task(services.keep_provider(provider.id))

    async def _use_small_model(self, services: Services) -> None:
        if await self._small_model.is_there():
            await self._use(services, SMALL_MODEL)
        self._show()
