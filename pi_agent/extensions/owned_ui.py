"""`ctx.ui` as an extension holds it: gone with its generation, usable from any thread."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar, get_args

from pi_agent.extensions.lifetime import Lifetime
from pi_agent.extensions.ui import (
    AutocompleteFactory,
    Blocked,
    EditorFactory,
    ExtensionUI,
    FooterFactory,
    NotifyType,
    ScreenFactory,
    ThemeResult,
    WidgetFactory,
    WidgetPlacement,
    WorkingIndicatorOptions,
)
from pi_agent.extensions.waiting import dialog_open
from pi_tui.abort import AbortController, AbortSignal
from pi_tui.theme import Theme

if TYPE_CHECKING:
    from pi_agent.resources.theme_catalog import ThemeInfo
    from pi_tui.overlay import OverlayOptionsSource
    from pi_tui.overlay_handle import OverlayHandle

T = TypeVar("T")


class OwnedUI:
    """Passes on what is asked for while the generation lives."""

    def __init__(self, ui: ExtensionUI, lifetime: Lifetime) -> None:
        self._ui = ui
        self._lifetime = lifetime

    @property
    def theme(self) -> Theme:
        """The theme in use, for styles: `theme.fg("accent", text)`."""
        self._lifetime.check()
        return self._ui.theme

    def get_all_themes(self) -> list[ThemeInfo]:
        """Return all themes that can be chosen."""
        return self._lifetime.call(self._ui.get_all_themes)

    def get_theme(self, name: str) -> Theme | None:
        """Return a theme without drawing with it."""
        _require_text("get_theme", "name", name)
        return self._lifetime.call(lambda: self._ui.get_theme(name))

    def set_theme(self, theme: str | Theme) -> ThemeResult:
        """Draw with a theme; a name becomes the user's choice."""
        if not isinstance(theme, str | Theme):
            raise TypeError(f"set_theme needs a name or a Theme, got {_named(theme)}")
        return self._lifetime.call(lambda: self._ui.set_theme(theme))

    async def select(
        self,
        title: str,
        options: Sequence[str],
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> str | None:
        """Let somebody choose an option. Raises `StaleContextError` if the session goes while it is open."""
        _require_question("select", title, timeout)
        _require_texts("select", "options", options)
        return await self._ask(
            lambda closing: self._ui.select(title, options, timeout=timeout, signal=closing),
            signal,
            None,
        )

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Ask yes or no. Raises `StaleContextError` if the session goes while the dialog is open."""
        _require_question("confirm", title, timeout)
        _require_text("confirm", "message", message)
        return await self._ask(
            lambda closing: self._ui.confirm(title, message, timeout=timeout, signal=closing),
            signal,
            False,
        )

    async def input(
        self,
        title: str,
        placeholder: str = "",
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> str | None:
        """Ask for a line. Raises `StaleContextError` if the session goes while the dialog is open."""
        _require_question("input", title, timeout)
        _require_text("input", "placeholder", placeholder)
        return await self._ask(
            lambda closing: self._ui.input(title, placeholder, timeout=timeout, signal=closing),
            signal,
            None,
        )

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Show a line without waiting for anybody."""
        _require_text("notify", "message", message)
        known: NotifyType = type if type in get_args(NotifyType) else "info"
        self._lifetime.call(lambda: self._ui.notify(message, known))

    def set_status(self, key: str, text: str | None) -> None:
        """Keep a text in the footer's last line; `None` takes it away."""
        _require_text("set_status", "key", key)
        _require_text_or_none("set_status", text)
        self._lifetime.call(lambda: self._ui.set_status(key, text))

    def set_widget(
        self,
        key: str,
        content: Sequence[str] | WidgetFactory | None,
        *,
        placement: WidgetPlacement = "above_editor",
    ) -> None:
        """Keep lines, or the component that `content(tui, theme)` makes, beside the editor; `None` takes it away."""
        _require_text("set_widget", "key", key)
        if content is not None and not callable(content):
            _require_texts("set_widget", "content", content)
        if placement not in get_args(WidgetPlacement):
            raise ValueError(f"set_widget knows no place {placement!r}")
        self._lifetime.call(lambda: self._ui.set_widget(key, content, placement=placement))

    def set_footer(self, factory: FooterFactory | None) -> None:
        """Draw the footer with what `factory(tui, theme, data)` makes; `None` brings back what was under it."""
        if factory is not None and not callable(factory):
            raise TypeError(f"set_footer needs a function or None, got {_named(factory)}")
        self._lifetime.call(lambda: self._ui.set_footer(factory))

    def set_working_message(self, text: str | None = None) -> None:
        """Say what the working row says while a run goes on; without a text it says the usual."""
        _require_text_or_none("set_working_message", text)
        self._lifetime.call(lambda: self._ui.set_working_message(text))

    def set_working_visible(self, visible: bool) -> None:
        """Show or hide the working row."""
        self._lifetime.call(lambda: self._ui.set_working_visible(bool(visible)))

    def set_working_indicator(self, options: WorkingIndicatorOptions | None = None) -> None:
        """Draw what turns in the working row; without options the usual."""
        if options is not None:
            if not isinstance(options, WorkingIndicatorOptions):
                raise TypeError(
                    "set_working_indicator: options should be WorkingIndicatorOptions, "
                    f"got {_named(options)}"
                )
            _require_texts("set_working_indicator", "frames", options.frames)
        self._lifetime.call(lambda: self._ui.set_working_indicator(options))

    def set_title(self, text: str | None) -> None:
        """Name the terminal's window; `None` gives back the name that it had."""
        _require_text_or_none("set_title", text)
        self._lifetime.call(lambda: self._ui.set_title(text))

    def set_editor_text(self, text: str) -> None:
        """Replace what stands in the editor."""
        _require_text("set_editor_text", "text", text)
        self._lifetime.call(lambda: self._ui.set_editor_text(text))

    def set_editor_suggestion(self, text: str | None) -> None:
        """Suggest a text in the empty editor; `None` takes it away."""
        _require_text_or_none("set_editor_suggestion", text)
        self._lifetime.call(lambda: self._ui.set_editor_suggestion(text))

    def get_editor_text(self) -> str:
        """Return what stands in the editor, large pastes in full."""
        return self._lifetime.call(self._ui.get_editor_text)

    def set_editor_component(self, factory: EditorFactory | None) -> None:
        """Have the prompt written in the `CustomEditor` that `factory(tui, editor_theme, keybindings)` makes."""
        if factory is not None and not callable(factory):
            raise TypeError(f"set_editor_component needs a function or None, got {_named(factory)}")
        self._lifetime.call(lambda: self._ui.set_editor_component(factory))

    def get_editor_component(self) -> EditorFactory | None:
        """Return what made the editor; `None` for the built-in one."""
        return self._lifetime.call(self._ui.get_editor_component)

    def add_autocomplete_provider(self, factory: AutocompleteFactory) -> None:
        """Ask what `factory(current)` makes for suggestions in the editor; it asks `current` for what it leaves."""
        if not callable(factory):
            raise TypeError(f"add_autocomplete_provider needs a function, got {_named(factory)}")
        self._lifetime.call(lambda: self._ui.add_autocomplete_provider(factory))

    async def _ask(
        self,
        ask: Callable[[AbortSignal], Awaitable[T]],
        signal: AbortSignal | None,
        default: T,
    ) -> T:
        self._lifetime.check()
        if signal is not None and signal.aborted:
            return default
        with dialog_open(), _first_of(self._lifetime.ending, signal) as closing:
            answer = await ask(closing)
        self._lifetime.check()
        return answer

    async def custom(
        self,
        factory: ScreenFactory[T],
        *,
        overlay: bool = False,
        overlay_options: OverlayOptionsSource | None = None,
        on_handle: Callable[[OverlayHandle], None] | None = None,
        blocked: Blocked | None = None,
    ) -> T | None:
        """Show an own component until it is done. Raises `StaleContextError` if the session goes meanwhile."""
        self._lifetime.check()
        if blocked is not None and not isinstance(blocked, Blocked):
            raise TypeError(f"custom: blocked should be a Blocked, got {_named(blocked)}")
        value = await self._ui.custom(
            factory,
            overlay=overlay,
            overlay_options=overlay_options,
            on_handle=on_handle,
            blocked=blocked,
        )
        self._lifetime.check()
        return value


def _require_question(member: str, title: object, timeout: object) -> None:
    """Raise `TypeError` for what no dialog can show or count."""
    _require_text(member, "title", title)
    if timeout is not None and not isinstance(timeout, int | float):
        raise TypeError(f"{member}: timeout should be a number of seconds, got {_named(timeout)}")


def _require_text(member: str, what: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{member}: {what} should be a text, got {_named(value)}")


def _require_text_or_none(member: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{member} needs a text or None, got {_named(value)}")


def _require_texts(member: str, what: str, values: object) -> None:
    """Raise `TypeError` unless `values` is a list of texts; one text is none, it would be taken letter by letter."""
    items = values if isinstance(values, Sequence) and not isinstance(values, str) else [None]
    if not all(isinstance(item, str) for item in items):
        raise TypeError(f"{member}: {what} should be a list of texts, got {_named(values)}")


def _named(value: object) -> str:
    return type(value).__name__


@contextmanager
def _first_of(ending: AbortSignal, other: AbortSignal | None) -> Iterator[AbortSignal]:
    """Give a signal that fires with either, and leaves no listener behind."""
    controller = AbortController()
    signals = [ending] if other is None else [ending, other]
    unsubscribers = [
        signal.on_abort(lambda signal=signal: controller.abort(signal.reason))  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
        for signal in signals
    ]
    try:
        yield controller.signal
    finally:
        for unsubscribe in unsubscribers:
            unsubscribe()
