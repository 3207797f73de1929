"""What the program itself says in the document."""

from __future__ import annotations

from pi_agent.ui.messages.notice import NoticeKind, notice
from pi_agent.ui.messages.themed import ThemedText
from pi_tui.component import ComponentHost
from pi_tui.components.transcript import Transcript
from pi_tui.theme import Theme


class Notices:
    """Adds notices to a document. Of consecutive `info` ones only the last stays."""

    def __init__(self, host: ComponentHost, document: Transcript, theme: Theme) -> None:
        self._host = host
        self._document = document
        self._theme = theme
        self._passing: ThemedText | None = None

    def notify(self, text: str, kind: NoticeKind = "info") -> None:
        """Say something."""
        if kind == "info" and self._passing is not None:
            self._document.remove(self._passing)
        line = notice(text, kind, self._theme)
        self._document.append(line)
        self._passing = line if kind == "info" else None
        self._host.request_render()

    def say(self, text: str) -> None:
        """Add lines that stay, whatever is said afterwards."""
        self.keep_last()
        self.notify(text)
        self.keep_last()

    def keep_last(self) -> None:
        """Let the newest notice stay: something else follows it."""
        self._passing = None
