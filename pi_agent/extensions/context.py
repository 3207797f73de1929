"""What handlers, commands and tools get as `ctx`: the session as it is at the moment of asking."""

from __future__ import annotations

from typing import Literal, Protocol

from pi_agent.extensions.lifetime import Lifetime
from pi_agent.extensions.ui import ExtensionUI
from pi_agent.llm.model import Model, ThinkingLevel
from pi_tui.abort import AbortSignal

Mode = Literal["tui", "rpc", "json", "print"]


class ContextSource(Protocol):
    """The live session that contexts read."""

    @property
    def mode(self) -> Mode:
        """How pi was started."""
        ...

    @property
    def has_ui(self) -> bool:
        """Whether dialogs and notifications can reach a person."""
        ...

    @property
    def cwd(self) -> str:
        """The session's working directory."""
        ...

    @property
    def model(self) -> Model | None:
        """The selected model."""
        ...

    @property
    def thinking_level(self) -> ThinkingLevel:
        """The thinking level in effect."""
        ...

    @property
    def signal(self) -> AbortSignal | None:
        """The signal of the run; `None` when nothing runs."""
        ...

    def is_idle(self) -> bool:
        """Return whether nothing runs or is about to."""
        ...

    def abort(self) -> None:
        """Abort the current operation; returns at once."""
        ...

    def shutdown(self) -> None:
        """Ask for an orderly exit; returns at once."""
        ...


class ExtensionContext:
    """The session, as an event handler sees it. A kept `ctx` shows what is true now.

    After the session was replaced or reloaded every member raises `StaleContextError`.
    """

    def __init__(self, source: ContextSource, ui: ExtensionUI, lifetime: Lifetime) -> None:
        self._source_if_alive = source
        self._ui = ui
        self._lifetime = lifetime

    @property
    def ui(self) -> ExtensionUI:
        """Dialogs and notifications."""
        self._lifetime.check()
        return self._ui

    @property
    def mode(self) -> Mode:
        """How pi was started: guard what needs a terminal with `ctx.mode == "tui"`."""
        return self._source.mode

    @property
    def has_ui(self) -> bool:
        """Whether dialogs and notifications can reach a person."""
        return self._source.has_ui

    @property
    def cwd(self) -> str:
        """The session's working directory."""
        return self._source.cwd

    @property
    def model(self) -> Model | None:
        """The selected model."""
        return self._source.model

    @property
    def thinking_level(self) -> ThinkingLevel:
        """The thinking level in effect."""
        return self._source.thinking_level

    @property
    def signal(self) -> AbortSignal | None:
        """The signal of the run, for nested work; `None` when nothing runs."""
        return self._source.signal

    def is_idle(self) -> bool:
        """Return whether nothing runs or is about to."""
        return self._lifetime.call(self._source.is_idle)

    def abort(self) -> None:
        """Abort the current operation; returns at once."""
        self._lifetime.call(self._source.abort)

    def shutdown(self) -> None:
        """Ask for an orderly exit once pi is idle; returns at once. Does nothing in json and print."""
        self._lifetime.call(self._source.shutdown)

    @property
    def _source(self) -> ContextSource:
        self._lifetime.check()
        return self._source_if_alive


class ExtensionToolContext(ExtensionContext):
    """The session, as a tool's `execute` sees it."""


class ExtensionCommandContext(ExtensionContext):
    """The session, as the handler of a command sees it."""
