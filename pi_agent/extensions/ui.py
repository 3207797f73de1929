"""What `ctx.ui` offers, and what a mode brings to offer it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from pi_agent.extensions.owner import Owner
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen

if TYPE_CHECKING:
    from pi_agent.resources.theme_catalog import ThemeInfo
    from pi_tui.app import TUI
    from pi_tui.autocomplete import AutocompleteProvider
    from pi_tui.component import Renderable
    from pi_tui.components.editor import Editor
    from pi_tui.keybindings import KeybindingsManager
    from pi_tui.overlay import OverlayOptionsSource
    from pi_tui.overlay_handle import OverlayHandle
    from pi_tui.theme import EditorTheme, Theme

NotifyType = Literal["info", "warning", "error"]
WidgetPlacement = Literal["above_editor", "below_editor"]
WidgetFactory = Callable[["TUI", "Theme"], "Renderable"]
AutocompleteFactory = Callable[["AutocompleteProvider"], "AutocompleteProvider"]
EditorFactory = Callable[["TUI", "EditorTheme", "KeybindingsManager"], "Editor"]
FooterFactory = Callable[["TUI", "Theme", "FooterData"], "Renderable"]


class FooterData(Protocol):
    """What the footer of an extension can show besides what `ctx` knows."""

    def get_git_branch(self) -> str | None:
        """Return the branch of the working folder: `"detached"` without one, `None` outside a repository."""
        ...

    def on_branch_change(self, callback: Callable[[], object]) -> Callable[[], None]:
        """Call `callback` when the branch has changed; returns the unsubscriber."""
        ...

    def get_extension_statuses(self) -> Mapping[str, str]:
        """Return the texts of `set_status` by key, in the order of first use."""
        ...

    def get_available_provider_count(self) -> int:
        """Return how many providers have a model that can be asked."""
        ...

    def below(self) -> Renderable:
        """Return the footer that lies under this one, to wrap it; at the bottom it is the built-in one."""
        ...


@frozen
class WorkingIndicatorOptions:
    """What turns in the working row: the frames as they are drawn, and the seconds that each stays.

    One frame stands still, none shows nothing.
    """

    frames: Sequence[str]
    interval: float = 0.08


@frozen
class Blocked:
    """What pi waits for somebody for, as terminals show it that tell what programs do."""

    kind: Literal["permission", "question", "auth"]
    message: str = ""


@frozen
class ThemeResult:
    """Whether `set_theme` has changed the theme; if not, `error` says why."""

    success: bool
    error: str | None = None


T = TypeVar("T")
Value = TypeVar("Value", contravariant=True)
Result = TypeVar("Result", covariant=True)


class Done(Protocol[Value]):
    """Ends a screen of an extension; only the first call counts."""

    def __call__(self, value: Value | None = None) -> None:
        """Let `ctx.ui.custom` return `value`."""
        ...


class ScreenFactory(Protocol[Result]):
    """Makes the component of `ctx.ui.custom`, a new one each time; it may take its time to."""

    def __call__(
        self, tui: TUI, theme: Theme, keybindings: KeybindingsManager, done: Done[Result], /
    ) -> Renderable | Awaitable[Renderable]:
        """Return the component."""
        ...


class ExtensionUI(Protocol):
    """How an extension talks to the person, in every mode."""

    @property
    def theme(self) -> Theme:
        """The theme in use, for styles: `theme.fg("accent", text)`."""
        ...

    def get_all_themes(self) -> list[ThemeInfo]:
        """Return all themes that can be chosen: `system` first, the others by name."""
        ...

    def get_theme(self, name: str) -> Theme | None:
        """Return a theme without drawing with it; `None` if there is none of that name that can be used."""
        ...

    def set_theme(self, theme: str | Theme) -> ThemeResult:
        """Draw with the theme of a name, or with `"light/dark"` as the terminal is; it becomes the user's choice.

        A `Theme` is drawn with until something is chosen, also when the terminal becomes light or dark.
        """
        ...

    # Asking

    async def select(
        self,
        title: str,
        options: Sequence[str],
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> str | None:
        """Let somebody choose an option. Cancelled, after `timeout` seconds and once `signal` fires: `None`."""
        ...

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Ask yes or no. Cancelled, after `timeout` seconds and once `signal` fires the answer is no."""
        ...

    async def custom(
        self,
        factory: ScreenFactory[T],
        *,
        overlay: bool = False,
        overlay_options: OverlayOptionsSource | None = None,
        on_handle: Callable[[OverlayHandle], None] | None = None,
        blocked: Blocked | None = None,
    ) -> T | None:
        """Show an own component in the editor's place, or over the screen, until it calls `done(value)`.

        Returns the value; where there is no screen, `None` at once. What the factory raises is raised here. With
        `blocked` terminals that show what programs do say that pi waits for somebody.
        """
        ...

    async def input(
        self,
        title: str,
        placeholder: str = "",
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> str | None:
        """Ask for a line, which may be empty. Cancelled, after `timeout` seconds and once `signal` fires: `None`."""
        ...

    # Telling

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Show a line without waiting for anybody."""
        ...

    def set_status(self, key: str, text: str | None) -> None:
        """Keep a text in the footer's last line; `None` takes it away."""
        ...

    def set_widget(
        self,
        key: str,
        content: Sequence[str] | WidgetFactory | None,
        *,
        placement: WidgetPlacement = "above_editor",
    ) -> None:
        """Keep lines, or the component that `content(tui, theme)` makes, beside the editor; `None` takes it away."""
        ...

    def set_footer(self, factory: FooterFactory | None) -> None:
        """Draw the footer with what `factory(tui, theme, data)` makes; `None` brings back what was under it."""
        ...

    def set_working_message(self, text: str | None = None) -> None:
        """Say what the working row says while a run goes on; without a text it says the usual."""
        ...

    def set_working_visible(self, visible: bool) -> None:
        """Show or hide the working row."""
        ...

    def set_working_indicator(self, options: WorkingIndicatorOptions | None = None) -> None:
        """Draw what turns in the working row; without options the usual."""
        ...

    def set_title(self, text: str | None) -> None:
        """Name the terminal's window; `None` gives back the name that it had."""
        ...

    # The editor

    def set_editor_text(self, text: str) -> None:
        """Replace what stands in the editor."""
        ...

    def set_editor_suggestion(self, text: str | None) -> None:
        """Suggest a text in the empty editor: Enter sends it, typing takes its place; `None` takes it away.

        It is gone once it was sent.
        """
        ...

    def get_editor_text(self) -> str:
        """Return what stands in the editor, large pastes in full."""
        ...

    def set_editor_component(self, factory: EditorFactory | None) -> None:
        """Have the prompt written in the `CustomEditor` that `factory(tui, editor_theme, keybindings)` makes.

        It has the draft, the cursor and the history at once. `None` brings back what was under it, with what was
        written since. While a dialog is open it appears when that closes.
        """
        ...

    def get_editor_component(self) -> EditorFactory | None:
        """Return what made the editor, to wrap it in one's own; `None` for the built-in one."""
        ...

    def add_autocomplete_provider(self, factory: AutocompleteFactory) -> None:
        """Ask what `factory(current)` makes for suggestions in the editor; it asks `current` for what it leaves."""
        ...


class UIHost(Protocol):
    """What a mode brings: a screen, or nobody to ask."""

    def for_extension(self, owner: Owner) -> ExtensionUI:
        """Return the UI of one extension in one generation; what it puts on the screen ends with `owner`."""
        ...
