"""What extensions put above and below the editor."""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.extensions.owner import Owner, OwnerEndings
from pi_agent.extensions.ui import WidgetFactory, WidgetPlacement
from pi_agent.ui.cached_rows import CachedRows
from pi_agent.ui.guarded import Guarded, as_component
from pi_agent.ui.plain import styled_line
from pi_tui.app import TUI
from pi_tui.component import Component
from pi_tui.components.container import Container
from pi_tui.frozen import frozen
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width
from pi_tui.wrap import wrap_rows

_MOST_LINES = 10
_CUT = "... (widget truncated)"


@frozen
class _Widget:
    placement: WidgetPlacement
    piece: Component


class Widgets:
    """The widgets by extension and key, in the order in which they were set.

    A widget that fails shows why for a frame; one that fails too often shows nothing.
    """

    def __init__(self, tui: TUI, theme: Theme) -> None:
        self.above = Container()
        self.below = Container()
        self._tui = tui
        self._theme = theme
        self._widgets: dict[tuple[Owner, str], _Widget] = {}
        self._endings = OwnerEndings(self._remove_all)

    def set(
        self,
        owner: Owner,
        key: str,
        content: Sequence[str] | WidgetFactory | None,
        placement: WidgetPlacement,
    ) -> None:
        """Show lines, or the component that a factory makes, in the place of what the key had.

        If the factory fails, what was there stays.
        """
        piece = None if content is None else self._made(owner, key, content)
        if content is not None and piece is None:
            return
        old = self._widgets.get((owner, key))
        if old is not None and (piece is None or old.placement != placement):
            del self._widgets[owner, key]
        if piece is not None:
            self._widgets[owner, key] = _Widget(placement, piece)
            self._endings.watch(owner)
        if old is not None:
            old.piece.dispose()
        self._show()

    def _made(
        self, owner: Owner, key: str, content: Sequence[str] | WidgetFactory
    ) -> Component | None:
        if not callable(content):
            return WidgetLines(content, self._theme)
        guard = owner.guard(f'component:widget "{key}"')
        attempt = guard.call(lambda: as_component(content(self._tui, self._theme)))
        if attempt.value is None:
            return None

        def fallback(width: int, problem: str | None) -> list[str]:
            if problem is None:
                return []
            text = styled_line(f'[{owner.name}] widget "{key}" failed: {problem}')
            return [truncate_to_width(self._theme.fg("error", text), width, "…")]

        return Guarded(attempt.value, guard, fallback)

    def _remove_all(self, owner: Owner) -> None:
        gone = [place for place in self._widgets if place[0] is owner]
        for place in gone:
            self._widgets.pop(place).piece.dispose()
        self._show()

    def _show(self) -> None:
        for area, placement in ((self.above, "above_editor"), (self.below, "below_editor")):
            area.clear()
            for widget in self._widgets.values():
                if widget.placement == placement:
                    area.add_child(widget.piece)
        self._tui.request_render()


class WidgetLines(CachedRows):
    """Lines, wrapped, with a column free at both sides. Of many lines the first ten are shown."""

    def __init__(self, lines: Sequence[str], theme: Theme) -> None:
        self._lines = [part for line in lines for part in str(line).splitlines() or [""]]
        self._theme = theme

    def make_rows(self, width: int) -> list[str]:
        """Return the rows."""
        pad = " " if width > 2 else ""
        room = width - 2 * len(pad)
        shown = [styled_line(line) for line in self._lines[:_MOST_LINES]]
        rows = [row for line in shown for row in wrap_rows(line, room)]
        if len(self._lines) > _MOST_LINES:
            rows.append(self._theme.fg("muted", truncate_to_width(_CUT, room, "…")))
        return [pad + row for row in rows]
