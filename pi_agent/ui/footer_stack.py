"""The place of the footer: the built-in one, and over it those of extensions; the newest draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pi_agent.extensions.guard import ExtensionGuard
from pi_agent.extensions.owner import Owner
from pi_agent.extensions.ui import FooterFactory
from pi_agent.ui.contributions import Contributions
from pi_agent.ui.footer import Footer
from pi_agent.ui.guarded import Guarded, as_component
from pi_agent.ui.statuses import Statuses
from pi_tui.app import TUI
from pi_tui.component import Component, Renderable, render_child
from pi_tui.frozen import frozen
from pi_tui.layout import LayoutContext, natural_height
from pi_tui.theme import Theme

_PLACE = "component:footer"


class FooterStack(Component):
    """Draws the footer on top; while that fails, the one under it."""

    def __init__(self, tui: TUI, theme: Theme) -> None:
        self.built_in = Footer(theme)
        self.statuses = Statuses(self._show_statuses)
        self.count_providers: Callable[[], int] = lambda: 0
        self._tui = tui
        self._theme = theme
        self._footers = Contributions[Guarded](tui.request_render, Guarded.dispose)
        self._on_branch: list[_BranchListener] = []

    def update(self, **changes: object) -> None:
        """Change parts of what the built-in footer shows."""
        branch = self.built_in.state.branch
        self.built_in.update(**changes)
        if self.built_in.state.branch != branch:
            for listener in tuple(self._on_branch):
                listener.guard.call(listener.callback)

    def set(self, owner: Owner, factory: FooterFactory | None) -> None:
        """Put the footer of an extension on top, or take its own away. If the factory fails, nothing changes."""
        if factory is None:
            self._footers.clear(owner)
            return
        guard = owner.guard(_PLACE)
        data = _Data(self, owner, guard)
        attempt = guard.call(lambda: as_component(factory(self._tui, self._theme, data)))
        if attempt.value is None:
            return
        below = _Below(self, owner)
        piece = Guarded(attempt.value, guard, lambda width, problem: below.render(width))
        self._footers.set(owner, piece)

    def most_rows(self, width: int, context: LayoutContext) -> int:
        """Return how many rows there are to show."""
        if self._footers.top() is None:
            return self.built_in.most_lines
        # What it wraps has all its rows: what does not fit is cut from the whole.
        self.built_in.lines = self.built_in.most_lines
        return natural_height(self, width, context)

    def render(self, width: int) -> list[str]:
        """Return the rows of the footer on top."""
        return render_child(self._footers.top() or self.built_in, width)

    def invalidate(self) -> None:
        """Drop all caches."""
        self.built_in.invalidate()
        for footer in self._footers.values():
            footer.invalidate()

    def under(self, owner: Owner) -> Renderable:
        """Return what lies under the footer of an extension."""
        return self._footers.below(owner) or self.built_in

    def watch_branch(
        self, callback: Callable[[], object], owner: Owner, guard: ExtensionGuard
    ) -> Callable[[], None]:
        """Call back when the branch changes, until told otherwise or until the generation ends."""
        listener = _BranchListener(callback, guard)
        self._on_branch.append(listener)

        def stop() -> None:
            if listener in self._on_branch:
                self._on_branch.remove(listener)

        owner.ending.on_abort(stop)
        return stop

    def _show_statuses(self) -> None:
        self.built_in.update(statuses=tuple(self.statuses.texts().values()))
        self._tui.request_render()


@frozen(eq=False)
class _BranchListener:
    """Who hears of another branch; two may have the same function."""

    callback: Callable[[], object]
    guard: ExtensionGuard


class _Below(Component):
    """The footer under that of an extension, whichever that is at the time."""

    def __init__(self, stack: FooterStack, owner: Owner) -> None:
        self._stack = stack
        self._owner = owner

    def render(self, width: int) -> list[str]:
        """Return its rows."""
        return self._stack.under(self._owner).render(width)


class _Data:
    """The `FooterData` of one extension."""

    def __init__(self, stack: FooterStack, owner: Owner, guard: ExtensionGuard) -> None:
        self._stack = stack
        self._owner = owner
        self._guard = guard

    def get_git_branch(self) -> str | None:
        """Return the branch of the working folder."""
        return self._stack.built_in.state.branch

    def on_branch_change(self, callback: Callable[[], object]) -> Callable[[], None]:
        """Call `callback` when the branch has changed; returns the unsubscriber."""
        return self._stack.watch_branch(callback, self._owner, self._guard)

    def get_extension_statuses(self) -> Mapping[str, str]:
        """Return the texts of `set_status` by key."""
        return self._stack.statuses.texts()

    def get_available_provider_count(self) -> int:
        """Return how many providers have a model that can be asked."""
        return self._stack.count_providers()

    def below(self) -> Renderable:
        """Return the footer that lies under this one."""
        return _Below(self._stack, self._owner)
