"""Who has the keys: one component at a time."""

from __future__ import annotations

from pi_tui.component import Renderable, is_focusable


class Focus:
    """Remembers the focused component and tells old and new one with their `focused` attribute."""

    def __init__(self) -> None:
        self.component: Renderable | None = None

    def set(self, component: Renderable | None) -> bool:
        """Move the focus; returns whether it moved. Focusing the same component again is harmless."""
        moved = component is not self.component
        if moved and self.component is not None and is_focusable(self.component):
            setattr(self.component, "focused", False)  # noqa: B010  # a component is anything that renders
        self.component = component
        if component is not None and is_focusable(component):
            setattr(component, "focused", True)  # noqa: B010
        return moved
