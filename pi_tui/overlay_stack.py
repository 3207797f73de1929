"""The overlays of a screen: which there are, which show, and their layers in a frame.

What an extension's options or `visible` do wrong costs them their say, not the screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from pi_tui.component import Renderable
from pi_tui.component_tree import contains
from pi_tui.frozen import slotted
from pi_tui.layout import Box, Layer, LayoutContext, divides, layout_box, natural_height
from pi_tui.overlay import (
    OverlayBounds,
    OverlayOptions,
    OverlayOptionsSource,
    OverlaySpace,
    overlay_corner,
    overlay_max_height,
    overlay_width,
)


@slotted(eq=False)
class Overlay:
    """A component over the frame; `front` orders those that overlap, the highest on top.

    `pre_focus` is what had the keys before it, `kept_because` why nobody may hide it.
    """

    component: Renderable
    source: OverlayOptionsSource
    front: int = 0
    pre_focus: Renderable | None = None
    is_hidden: bool = False
    kept_because: str = ""
    bounds: OverlayBounds | None = None
    options: OverlayOptions = field(default_factory=OverlayOptions)

    def holds(self, component: Renderable | None) -> bool:
        """Tell whether `component` is this overlay's, or a part of it."""
        return component is not None and contains([self.component], component)


class OverlayStack:
    """All overlays, in the order in which they were shown."""

    def __init__(
        self, size: Callable[[], tuple[int, int]], report: Callable[[Renderable, Exception], None]
    ) -> None:
        self.entries: list[Overlay] = []
        self._size = size
        self._report = report
        self._front = 0

    def add(self, component: Renderable, source: OverlayOptionsSource) -> Overlay:
        """Put a component in front of all others."""
        overlay = Overlay(component, source)
        self._refresh_options(overlay)
        self.entries.append(overlay)
        self.raise_to_front(overlay)
        return overlay

    def remove(self, overlay: Overlay) -> None:
        """Take an overlay off; whatever was to return to it returns to what it would have returned to."""
        self.entries.remove(overlay)
        for other in self.entries:
            if overlay.holds(other.pre_focus):
                other.pre_focus = overlay.pre_focus

    def raise_to_front(self, overlay: Overlay) -> None:
        """Draw an overlay over all others."""
        self._front += 1
        overlay.front = self._front

    def is_visible(self, overlay: Overlay) -> bool:
        """Tell whether an overlay shows on a terminal of the present size."""
        if overlay.is_hidden or overlay not in self.entries:
            return False
        visible = overlay.options.visible
        if visible is None:
            return True
        try:
            return bool(visible(*self._size()))
        except Exception as error:
            self._report(overlay.component, error)
            return True

    def find(self, component: Renderable | None) -> Overlay | None:
        """Return the overlay that `component` is, or is a part of."""
        return next((overlay for overlay in self.entries if overlay.holds(component)), None)

    def topmost_capturing(self, *, but: Overlay) -> Overlay | None:
        """Return the front-most visible overlay that takes keys, other than `but`."""
        candidates = [
            overlay
            for overlay in self.entries
            if overlay is not but and not overlay.options.non_capturing and self.is_visible(overlay)
        ]
        return max(candidates, key=lambda overlay: overlay.front, default=None)

    def lay_out(self, context: LayoutContext, uncovered: Box | None = None) -> list[Layer]:
        """Return the layers of the visible overlays, the front-most last, and note where they lie.

        They end above the rows of `uncovered`: what holds the input in spite of them must be seen.
        """
        layers: list[Layer] = []
        for overlay in sorted(self.entries, key=lambda overlay: overlay.front):
            self._refresh_options(overlay)
            overlay.bounds = None
            if self.is_visible(overlay):
                layer = self._layer(overlay, context, uncovered)
                width = min(layer.box.width, context.viewport.width - layer.column)
                overlay.bounds = OverlayBounds(layer.row, layer.column, width, layer.box.height)
                layers.append(layer)
        return layers

    def _layer(self, overlay: Overlay, context: LayoutContext, uncovered: Box | None) -> Layer:
        """Lay an overlay out; wishes that mean nothing, such as a list for a width, are dropped."""
        try:
            return _layer_of(overlay, context, uncovered)
        except Exception as error:
            self._report(overlay.component, error)
            overlay.options = OverlayOptions()
            return _layer_of(overlay, context, uncovered)

    def _refresh_options(self, overlay: Overlay) -> None:
        """Ask for the options anew; what was said last counts if that fails."""
        try:
            options = (
                overlay.source if isinstance(overlay.source, OverlayOptions) else overlay.source()
            )
            if not isinstance(options, OverlayOptions):
                raise TypeError(f"overlay options are {type(options).__name__}, not OverlayOptions")
            overlay.options = options
        except Exception as error:
            self._report(overlay.component, error)


def _layer_of(overlay: Overlay, context: LayoutContext, uncovered: Box | None) -> Layer:
    """Lay an overlay out. What divides its space gets no more than there is, anything else is cut at the end."""
    columns, rows = context.viewport.width, context.viewport.height
    options, component = overlay.options, overlay.component
    space = OverlaySpace.inside(options.margin, columns, rows)
    width = overlay_width(options, columns, space)
    limit = overlay_max_height(options, rows, space)
    if limit is None and divides(component):
        limit = space.height
    height = natural_height(component, width, context)
    if limit is not None:
        height = min(height, limit)
    row, column = overlay_corner(options, space, width, height)
    height = max(0, min(height, rows - row))
    if uncovered is not None and row < uncovered.y + uncovered.height:
        height = max(0, min(height, uncovered.y - row))
    return Layer(layout_box(component, context, 0, width, height, 0, height), row, column)
