"""`ctx.ui` on the screen: dialogs in the editor's place, notices in the document, pieces around the editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

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
from pi_agent.resources.theme_catalog import ThemeInfo
from pi_agent.ui import dialogs
from pi_agent.ui.asking import ask
from pi_agent.ui.contributions import Contributions
from pi_agent.ui.custom import CustomScreens
from pi_agent.ui.plain import plain_line
from pi_agent.ui.screen import AgentScreen
from pi_agent.ui.theming import Theming
from pi_tui.abort import AbortSignal
from pi_tui.overlay import OverlayOptionsSource
from pi_tui.overlay_handle import OverlayHandle
from pi_tui.theme import Theme

T = TypeVar("T")


class ScreenUIHost:
    """The screen as a place for extensions."""

    def __init__(self, screen: AgentScreen, theming: Theming) -> None:
        self._screen = screen
        self._theming = theming

    def for_extension(self, owner: Owner) -> ScreenUI:
        """Return the screen for one extension."""
        return ScreenUI(self._screen, self._theming, owner)


class ScreenUI:
    """Shows what one extension asks for. Dialogs stack: the newest has the keys."""

    def __init__(self, screen: AgentScreen, theming: Theming, owner: Owner) -> None:
        self._screen = screen
        self._theming = theming
        self._owner = owner
        self._custom = CustomScreens(screen, owner)

    @property
    def theme(self) -> Theme:
        """The theme in use."""
        return self._screen.theme

    def get_all_themes(self) -> list[ThemeInfo]:
        """Return all themes that can be chosen."""
        return self._theming.infos()

    def get_theme(self, name: str) -> Theme | None:
        """Return a theme as it would look here."""
        return self._theming.load(name)

    def set_theme(self, theme: str | Theme) -> ThemeResult:
        """Draw with a theme."""
        return self._theming.use(theme)

    async def select(
        self,
        title: str,
        options: Sequence[str],
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> str | None:
        """Let somebody choose an option; `None` when cancelled."""
        nothing: int | None = None
        number = await ask(
            self._screen,
            lambda answer: dialogs.SelectDialog(
                title, options, self.theme, answer, keep=self._screen.keep
            ),
            nothing,
            timeout=timeout,
            signal=signal,
            blocked=Blocked("question", title),
        )
        return None if number is None else options[number]

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Ask yes or no; `False` when cancelled."""
        return await ask(
            self._screen,
            lambda answer: dialogs.ConfirmDialog(
                title, message, self.theme, answer, keep=self._screen.keep
            ),
            False,
            timeout=timeout,
            signal=signal,
            blocked=Blocked("permission", title),
        )

    async def custom(
        self,
        factory: ScreenFactory[T],
        *,
        overlay: bool = False,
        overlay_options: OverlayOptionsSource | None = None,
        on_handle: Callable[[OverlayHandle], None] | None = None,
        blocked: Blocked | None = None,
    ) -> T | None:
        """Show a component of the extension until it is done."""
        if overlay:
            return await self._custom.show_over(factory, overlay_options, on_handle, blocked)
        return await self._custom.show_inline(factory, blocked)

    async def input(
        self,
        title: str,
        placeholder: str = "",
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> str | None:
        """Ask for a line; `None` when cancelled."""
        return await ask(
            self._screen,
            lambda answer: dialogs.InputDialog(title, placeholder, self.theme, answer),
            None,
            timeout=timeout,
            signal=signal,
            blocked=Blocked("question", title),
        )

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Add a line to the document."""
        self._screen.notices.notify(message, type)

    def set_status(self, key: str, text: str | None) -> None:
        """Keep a text in the footer's third line."""
        self._screen.footer.statuses.set(self._owner, key, text)

    def set_widget(
        self,
        key: str,
        content: Sequence[str] | WidgetFactory | None,
        *,
        placement: WidgetPlacement = "above_editor",
    ) -> None:
        """Keep a widget beside the editor."""
        self._screen.widgets.set(self._owner, key, content, placement)

    def set_footer(self, factory: FooterFactory | None) -> None:
        """Draw the footer."""
        self._screen.footer.set(self._owner, factory)

    def set_working_message(self, text: str | None = None) -> None:
        """Say what the working row says."""
        self._contribute(self._screen.status.working.messages, text)

    def set_working_visible(self, visible: bool) -> None:
        """Show or hide the working row."""
        self._contribute(self._screen.status.working.visibility, visible)

    def set_working_indicator(self, options: WorkingIndicatorOptions | None = None) -> None:
        """Draw what turns in the working row."""
        self._contribute(self._screen.status.working.indicators, options)

    def set_title(self, text: str | None) -> None:
        """Name the terminal's window."""
        self._contribute(self._screen.titles, None if text is None else plain_line(text))

    def set_editor_text(self, text: str) -> None:
        """Replace what stands in the editor."""
        self._screen.composer.set_text(text)
        self._screen.tui.request_render()

    def set_editor_suggestion(self, text: str | None) -> None:
        """Suggest a text in the empty editor."""
        self._contribute(self._screen.suggestions, None if text is None else plain_line(text))

    def get_editor_text(self) -> str:
        """Return what stands in the editor, large pastes in full."""
        return self._screen.composer.get_expanded_text()

    def set_editor_component(self, factory: EditorFactory | None) -> None:
        """Have the prompt written in another editor."""
        self._screen.editor.set(self._owner, factory)

    def get_editor_component(self) -> EditorFactory | None:
        """Return what made the editor."""
        return self._screen.editor.factory()

    def add_autocomplete_provider(self, factory: AutocompleteFactory) -> None:
        """Ask another provider for suggestions in the editor."""
        self._screen.completions.add(self._owner, factory)

    def _contribute(self, place: Contributions[T], value: T | None) -> None:
        if value is None:
            place.clear(self._owner)
        else:
            place.set(self._owner, value)
