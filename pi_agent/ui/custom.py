"""`ctx.ui.custom`: an extension's own component, in the editor's place or over the screen, until it is done.

A component that was made is disposed of once, however its screen ends: done, cancelled, failed, or gone with
its generation.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Generic, TypeVar

from pi_agent.extensions.owner import Owner
from pi_agent.extensions.ui import Blocked, ScreenFactory
from pi_agent.extensions.waiting import dialog_open
from pi_agent.ui.guarded import Guarded, guard_component
from pi_agent.ui.guarded_options import guarded_options
from pi_agent.ui.screen import AgentScreen
from pi_tui.component import Renderable
from pi_tui.keybindings import get_keybindings
from pi_tui.overlay import OverlayOptions, OverlayOptionsSource
from pi_tui.overlay_handle import OverlayHandle
from pi_tui.width import truncate_to_width

T = TypeVar("T")

_KEPT = "This overlay belongs to ctx.ui.custom(): its component ends it by calling done()"

# Puts a component on the screen; returns what takes it away.
_Place = Callable[[Guarded], Callable[[], None]]


class CustomScreens:
    """The screens of one extension in one generation; they end with it, the newest first."""

    def __init__(self, screen: AgentScreen, owner: Owner) -> None:
        self._screen = screen
        self._owner = owner
        self._open: list[_CustomScreen[object]] = []
        owner.ending.on_abort(self._end_all)

    async def show_inline(self, factory: ScreenFactory[T], blocked: Blocked | None) -> T | None:
        """Show a component in the editor's place; it has the keys until it is done."""

        def place(component: Guarded) -> Callable[[], None]:
            shown = ExitStack()
            shown.enter_context(self._screen.doing.waiting(blocked, component))
            self._screen.show_dialog(component)
            shown.callback(self._screen.close_dialog, component)
            return shown.close

        return await self._run(factory, place, dialog_open())

    async def show_over(
        self,
        factory: ScreenFactory[T],
        options: OverlayOptionsSource | None,
        on_handle: Callable[[OverlayHandle], None] | None,
        blocked: Blocked | None,
    ) -> T | None:
        """Show a component over the screen; `on_handle` gets its handle once it can be seen."""
        guard = self._owner.guard("overlay_options")
        wanted = None if options is None else guarded_options(options, guard)

        def place(component: Guarded) -> Callable[[], None]:
            tui = self._screen.tui
            own = OverlayOptions(width=getattr(component.child, "width", None))
            handle = tui.show_overlay(component, own if wanted is None else wanted)
            remove = handle.keep(_KEPT)
            if on_handle is not None:
                tui.render_now()
                try:
                    on_handle(handle)
                except BaseException:
                    remove()
                    raise
            return remove

        passive = isinstance(options, OverlayOptions) and options.non_capturing
        with self._screen.doing.waiting(blocked):
            return await self._run(factory, place, nullcontext() if passive else dialog_open())

    async def _run(
        self, factory: ScreenFactory[T], place: _Place, shown: AbstractContextManager[None]
    ) -> T | None:
        custom: _CustomScreen[T] = _CustomScreen()
        self._open.append(custom)  # type: ignore[arg-type]  # only its end without a value is asked for
        try:
            await self._make(factory, custom)
            with shown:
                return await custom.show(place)
        finally:
            self._open = [other for other in self._open if other is not custom]
            custom.close()

    async def _make(self, factory: ScreenFactory[T], custom: _CustomScreen[T]) -> None:
        tui = self._screen.tui
        focused = tui.focused_component
        try:
            made = factory(tui, self._screen.theme, get_keybindings(), custom.done)
            component = await made if inspect.isawaitable(made) else made
            custom.component = self._guarded(component, custom)
        except BaseException:
            if tui.focused_component is not focused:
                tui.set_focus(focused)
            raise

    def _guarded(self, component: Renderable, custom: _CustomScreen[T]) -> Guarded:
        """Return the component behind its boundary; failing again and again, it ends its screen."""
        if not callable(getattr(component, "render", None)):
            raise TypeError(
                f"The factory of ctx.ui.custom() returned {type(component).__name__}, "
                "which has no render(width)"
            )

        def fallback(width: int, problem: str | None) -> list[str]:
            row = f"[{self._owner.name}] screen failed: {problem or 'too often'}"
            return [self._screen.theme.fg("error", truncate_to_width(row, width))]

        guarded = guard_component(component, self._owner.guard("custom"), fallback)
        guarded.on_quarantine = custom.fail
        return guarded

    def _end_all(self) -> None:
        for custom in reversed(self._open):
            custom.done()
            custom.close()


class _CustomScreen(Generic[T]):
    """One screen from its factory's call to its end."""

    def __init__(self) -> None:
        self.component: Guarded | None = None
        self._thread = threading.get_ident()
        self._loop = asyncio.get_running_loop()
        self._result: asyncio.Future[T | None] = self._loop.create_future()
        self._take_away: Callable[[], None] = lambda: None

    def done(self, value: T | None = None) -> None:
        """End with a value; it may be called on any thread, and only once counts."""
        if threading.get_ident() == self._thread:
            self._end(value)
        else:
            self._loop.call_soon_threadsafe(self._end, value)

    async def show(self, place: _Place) -> T | None:
        """Show the component, unless it is done already, and wait for the value."""
        if not self._result.done() and self.component is not None:
            self._take_away = place(self.component)
            if self._result.done():
                self._remove()
        return await self._result

    def fail(self, error: BaseException) -> None:
        """End with what broke the component."""
        if not self._result.done():
            self._result.set_exception(error)
            self._remove()

    def close(self) -> None:
        """Take the component off the screen and dispose of it."""
        self._remove()
        if self.component is not None:
            self.component.dispose()

    def _end(self, value: T | None) -> None:
        """Keep the value; the screen is gone before the next key."""
        if not self._result.done():
            self._result.set_result(value)
            self._remove()

    def _remove(self) -> None:
        take_away, self._take_away = self._take_away, lambda: None
        take_away()
