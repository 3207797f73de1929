"""`/resume`: go on with another session of this folder."""

from __future__ import annotations

from pi_agent.session.catalog import SessionCatalog
from pi_agent.session.overview import SessionInfo
from pi_agent.session.store import SessionManager
from pi_agent.ui import dialogs
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command


class ResumeChoice:
    """Lets the user choose a session; what `/resume` and its key do."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host
        options = host.app.options
        folder = options.paths.sessions_of(options.cwd)
        self._catalog = SessionCatalog(folder, options.cwd)
        self._picker: dialogs.SessionPicker | None = None

    def command(self) -> Command:
        """Return the command."""
        return Command("resume", "Go on with another session", lambda argument: self.choose())

    def choose(self) -> None:
        """Offer the sessions in the editor's place."""
        if self._picker is not None or self._host.services is None:
            return
        screen = self._host.app.screen
        self._picker = dialogs.SessionPicker(screen.theme, on_pick=self._pick, on_close=self._close)
        screen.show_dialog(self._picker)
        self._host.app.start_task(self._load(self._picker))

    async def _load(self, picker: dialogs.SessionPicker) -> None:
        found: list[SessionInfo] = []
        async for known in self._catalog.load():
            if self._picker is not picker:
                return
            found = [info for info in known if info.path != self._current()]
            self._show(picker, found, is_loading=True)
        self._show(picker, found, is_loading=False)

    def _show(
        self, picker: dialogs.SessionPicker, found: list[SessionInfo], *, is_loading: bool
    ) -> None:
        picker.set_sessions(found, is_loading=is_loading)
        self._host.app.tui.request_render()

    def _pick(self, info: SessionInfo) -> None:
        self._close()
        cwd = self._host.app.options.cwd
        self._host.sessions.start(
            lambda: SessionManager.open(info.path, cwd=cwd), "resume", "Session resumed."
        )

    def _close(self) -> None:
        if self._picker is None:
            return
        self._host.app.screen.close_dialog(self._picker)
        self._picker = None

    def _current(self) -> object:
        services = self._host.services
        return services.conversation.session.get_session_file() if services is not None else None
