"""What a screen shows below its overlays: one component that divides it, or the children as one document."""

from __future__ import annotations

from collections.abc import Iterator

from pi_tui.component import Renderable
from pi_tui.component_tree import parts_of
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.transcript import Transcript


class LayoutRoot:
    """The tree of a screen. Without a `chosen` root the children form a document that follows its end."""

    def __init__(self) -> None:
        self.chosen: Renderable | None = None
        self._document = Transcript()
        self._view = ScrollView(self._document, follow="end", primary=True)

    def component(self, children: list[Renderable]) -> Renderable:
        """Return what is laid out for these children of the screen."""
        if self.chosen is not None:
            return self.chosen
        self._document.follow(children)
        return self._view

    @property
    def primary_view(self) -> ScrollView | None:
        """The scroll view that keys and a wheel over nothing move: the last marked primary, else the first."""
        if self.chosen is None:
            return self._view
        views = list(_views_in(self.chosen))
        marked = [view for view in views if view.primary]
        if marked:
            return marked[-1]
        return views[0] if views else None


def _views_in(component: Renderable) -> Iterator[ScrollView]:
    """Yield the views that scroll: what is in them is a document, of whatever length, in which nothing does."""
    waiting = [component]
    seen: set[int] = set()  # a component may be part of itself, by mistake
    while waiting:
        part = waiting.pop()
        if isinstance(part, ScrollView):
            yield part
        elif id(part) not in seen:
            seen.add(id(part))
            waiting.extend(reversed(parts_of(part)))
