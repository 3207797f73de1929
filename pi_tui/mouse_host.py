"""What the routing of the mouse needs: the screen, and somebody for presses that no component takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pi_tui.component import Renderable
from pi_tui.components.scroll_view import ScrollView
from pi_tui.events import MouseEvent
from pi_tui.layout import Layer


class Selects(Protocol):
    """What does something with presses that no component takes."""

    def begin(self, event: MouseEvent) -> None:
        """Take a press."""
        ...

    def extend(self, event: MouseEvent) -> None:
        """Take a drag."""
        ...

    def finish(self) -> None:
        """Take the release."""
        ...

    def clear(self) -> None:
        """Something else was meant."""
        ...

    def abandon(self) -> None:
        """The release will not come."""
        ...


class MouseHost(Protocol):
    """What the routing needs of the screen."""

    @property
    def layers(self) -> Sequence[Layer]:
        """The layers of the last frame, the last one on top."""
        ...

    @property
    def primary_view(self) -> ScrollView | None:
        """What a wheel over nothing scrolls."""
        ...

    @property
    def now(self) -> Callable[[], float]:
        """The clock by which clicks are counted."""
        ...

    def set_focus(self, component: Renderable | None) -> None:
        """Give a component the keys."""
        ...

    def request_render(self, force: bool = False) -> None:
        """Ask for a frame."""
        ...

    def request_view(self) -> None:
        """Ask for a frame of the same content."""
        ...

    def right_clicked(self) -> None:
        """Take a press of the right button that no component takes."""
        ...

    def open_link_at(self, x: int, y: int) -> bool:
        """Open the link in a cell; `False` if there is none."""
        ...
