"""A component of the toolkit as a dialog: under a title, between rules where there are rows for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from pi_agent.ui.dialogs.frame import frame
from pi_tui.component import Component
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.theme import Theme

_ROWS_FOR_CONTENT = 6


class Content(Protocol):
    """What can be framed."""

    focused: bool
    max_rows: int | None

    def render(self, width: int) -> list[str]:
        """Return the rows."""
        ...

    def invalidate(self) -> None:
        """Drop all caches."""
        ...

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key."""
        ...

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste."""
        ...

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Take a mouse event."""
        ...


class FramedDialog(Component):
    """Hands all input on to its content."""

    captures_viewport_input = True

    def __init__(self, title: str, content: Content, theme: Theme) -> None:
        self.max_rows: int | None = None
        self._title = title
        self._content = content
        self._theme = theme
        self._content_top = 0

    @property
    def focused(self) -> bool:
        """Whether the content has the keys."""
        return self._content.focused

    @focused.setter
    def focused(self, focused: bool) -> None:
        self._content.focused = focused

    def invalidate(self) -> None:
        """Drop all caches."""
        self._content.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the content's rows in the frame."""
        around = frame(self._title, self._theme, width, None, self.max_rows, keep=_ROWS_FOR_CONTENT)
        taken = len(around.above) + len(around.below)
        self._content.max_rows = None if self.max_rows is None else max(1, self.max_rows - taken)
        self._content_top = len(around.above)
        return [*around.above, *self._content.render(width), *around.below]

    def handle_key(self, event: KeyEvent) -> bool:
        """Hand a key on."""
        return self._content.handle_key(event)

    def handle_paste(self, event: PasteEvent) -> None:
        """Hand a paste on."""
        self._content.handle_paste(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Hand on what lies over the content."""
        return self._content.handle_mouse(replace(event, y=event.y - self._content_top))
