"""`ctx.ui` of the modes without a screen: every question is answered at once, and nothing is shown."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from pi_agent.extensions.owner import Owner
from pi_agent.extensions.ui import (
    AutocompleteFactory,
    Blocked,
    EditorFactory,
    FooterFactory,
    NotifyType,
    ScreenFactory,
    ThemeResult,
    WidgetFactory,
    WidgetPlacement,
    WorkingIndicatorOptions,
)
from pi_agent.resources.themes import load_bundled_theme
from pi_tui.abort import AbortSignal
from pi_tui.theme import Theme

if TYPE_CHECKING:
    from pi_agent.resources.theme_catalog import ThemeInfo
    from pi_tui.overlay import OverlayOptionsSource
    from pi_tui.overlay_handle import OverlayHandle

T = TypeVar("T")

_log = logging.getLogger("pi.extensions")


class NoUIHost:
    """Nobody can be asked. `note` gets one line the first time an extension asks for an answer."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._noted: set[tuple[str, str]] = set()

    def for_extension(self, owner: Owner) -> NoUI:
        """Return the answers for one extension."""
        return NoUI(owner.name, self._note_once)

    def _note_once(self, extension: str, member: str, text: str) -> None:
        if (extension, member) not in self._noted:
            self._noted.add((extension, member))
            self._note(text)


class NoUI:
    """Answers no, or nothing, at once."""

    def __init__(self, extension: str, note: Callable[[str, str, str], None]) -> None:
        self._extension = extension
        self._note = note

    @property
    def theme(self) -> Theme:
        """The dark theme: text can be styled with it, even if nobody sees it."""
        return load_bundled_theme("dark", color_mode="mono")

    def get_all_themes(self) -> list[ThemeInfo]:
        """Return none: nothing is drawn."""
        return []

    def get_theme(self, name: str) -> Theme | None:
        """Return none: nothing is drawn."""
        return None

    def set_theme(self, theme: str | Theme) -> ThemeResult:
        """Change nothing."""
        self._not_shown("set_theme", theme)
        return ThemeResult(success=False, error="UI not available")

    async def select(
        self,
        title: str,
        options: Sequence[str],
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> str | None:
        """Choose nothing."""
        self._nobody_to_ask("select", f'"{title}" is not answered')
        return None

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Answer no."""
        self._nobody_to_ask("confirm", f'"{title}" is answered with no')
        return False

    async def custom(
        self,
        factory: ScreenFactory[T],
        *,
        overlay: bool = False,
        overlay_options: OverlayOptionsSource | None = None,
        on_handle: Callable[[OverlayHandle], None] | None = None,
        blocked: Blocked | None = None,
    ) -> T | None:
        """Return nothing; the factory is not called."""
        self._nobody_to_ask("custom", "its screen is not shown")
        return None

    async def input(
        self,
        title: str,
        placeholder: str = "",
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> str | None:
        """Answer nothing."""
        self._nobody_to_ask("input", f'"{title}" is not answered')
        return None

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Show nothing."""
        self._not_shown("notify", message)

    def set_status(self, key: str, text: str | None) -> None:
        """Show nothing."""
        self._not_shown("set_status", key)

    def set_widget(
        self,
        key: str,
        content: Sequence[str] | WidgetFactory | None,
        *,
        placement: WidgetPlacement = "above_editor",
    ) -> None:
        """Show nothing; a factory is not called."""
        self._not_shown("set_widget", key)

    def set_footer(self, factory: FooterFactory | None) -> None:
        """Show nothing; the factory is not called."""
        self._not_shown("set_footer", factory)

    def set_working_message(self, text: str | None = None) -> None:
        """Show nothing."""
        self._not_shown("set_working_message", text)

    def set_working_visible(self, visible: bool) -> None:
        """Show nothing."""
        self._not_shown("set_working_visible", visible)

    def set_working_indicator(self, options: WorkingIndicatorOptions | None = None) -> None:
        """Show nothing."""
        self._not_shown("set_working_indicator", options)

    def set_title(self, text: str | None) -> None:
        """Name nothing."""
        self._not_shown("set_title", text)

    def set_editor_text(self, text: str) -> None:
        """Keep nothing: there is no editor."""
        self._not_shown("set_editor_text", text)

    def set_editor_suggestion(self, text: str | None) -> None:
        """Show nothing: there is no editor."""
        self._not_shown("set_editor_suggestion", text)

    def get_editor_text(self) -> str:
        """Return nothing: there is no editor."""
        return ""

    def set_editor_component(self, factory: EditorFactory | None) -> None:
        """Show nothing; the factory is not called."""
        self._not_shown("set_editor_component", factory)

    def get_editor_component(self) -> EditorFactory | None:
        """Return nothing: there is no editor."""
        return None

    def add_autocomplete_provider(self, factory: AutocompleteFactory) -> None:
        """Suggest nothing: there is no editor. The factory is not called."""
        self._not_shown("add_autocomplete_provider", factory)

    def _not_shown(self, member: str, what: object) -> None:
        _log.debug("%s: ctx.ui.%s(%r) is not shown in this mode", self._extension, member, what)

    def _nobody_to_ask(self, member: str, result: str) -> None:
        self._note(
            self._extension,
            member,
            f"{self._extension}: ctx.ui.{member} cannot ask anybody in this mode, {result}",
        )
