"""`OverlayHandle`: what whoever shows an overlay can do with it."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.component import Renderable
from pi_tui.focus import UNSET, Focus, Unset
from pi_tui.overlay import OverlayBounds
from pi_tui.overlay_stack import Overlay, OverlayStack


class OverlayHandle:
    """An overlay that was shown. Once it is removed all calls do nothing."""

    def __init__(
        self,
        overlay: Overlay,
        overlays: OverlayStack,
        focus: Focus,
        request_render: Callable[[], None],
    ) -> None:
        self._overlay = overlay
        self._overlays = overlays
        self._focus = focus
        self._request_render = request_render

    @property
    def is_there(self) -> bool:
        """Whether the overlay was not removed; it may be hidden."""
        return self._overlay in self._overlays.entries

    def hide(self) -> None:
        """Remove the overlay for good; the next one, or what had the keys before it, gets its keys."""
        if self._overlay.kept_because:
            raise RuntimeError(self._overlay.kept_because)
        self._remove()

    def keep(self, reason: str) -> Callable[[], None]:
        """Let `hide` raise `RuntimeError` with a reason from now on; returns what removes the overlay."""
        self._overlay.kept_because = reason
        return self._remove

    def set_hidden(self, hidden: bool) -> None:
        """Hide the overlay for a while, or show it again, in front and with the keys if it captures them."""
        overlay = self._overlay
        if not self.is_there or hidden == overlay.is_hidden:
            return
        overlay.is_hidden = hidden
        overlay.bounds = None
        if hidden:
            self._focus.gone(overlay)
        elif not overlay.options.non_capturing and self._overlays.is_visible(overlay):
            self._focus.take(overlay)
        self._request_render()

    def is_hidden(self) -> bool:
        """Return whether `set_hidden(True)` was said last."""
        return self._overlay.is_hidden

    def focus(self) -> None:
        """Bring the overlay to the front and give it the keys; nothing happens while it does not show."""
        if self._overlays.is_visible(self._overlay):
            self._focus.take(self._overlay)
            self._request_render()

    def unfocus(self, target: Renderable | Unset | None = UNSET) -> None:
        """Give the keys up: to `target` (`None` is nobody), else to the next overlay or what had them before."""
        if self.is_there:
            self._focus.release(self._overlay, target)
            self._request_render()

    def is_focused(self) -> bool:
        """Return whether the overlay has the keys."""
        return self.is_there and self._overlay.holds(self._focus.component)

    def get_bounds(self) -> OverlayBounds | None:
        """Return where the overlay lay in the last frame; `None` if it did not show."""
        return self._overlay.bounds if self.is_there else None

    def _remove(self) -> None:
        if self.is_there:
            self._overlays.remove(self._overlay)
            self._focus.gone(self._overlay)
            self._request_render()
