"""The pictures of a message or of a tool's result, below its text: drawn, or told of in a line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pi_agent.llm.messages import ImageContent, TextContent
from pi_agent.ui.picture_look import PictureLook
from pi_tui.component import Component
from pi_tui.components.box import Box
from pi_tui.theme import Theme

if TYPE_CHECKING:  # loaded with the first picture
    from pi_tui.components.image import Image


class Pictures(Component):
    """The pictures one below the other. `look` is asked anew for each drawing."""

    def __init__(self, theme: Theme, look: Callable[[], PictureLook] = PictureLook) -> None:
        self._theme = theme
        self._look = look
        self._contents: list[ImageContent] = []
        self._made_for: PictureLook | None = None
        self._box = Box(1, 0)
        self._parts: tuple[list[str], list[str]] | None = None
        self._rows: list[str] = []

    def show(self, content: Sequence[TextContent | ImageContent] | str) -> None:
        """Take the pictures of a content."""
        blocks = [] if isinstance(content, str) else content
        pictures = [block for block in blocks if isinstance(block, ImageContent)]
        if pictures != self._contents:
            self._contents, self._made_for = pictures, None

    def invalidate(self) -> None:
        """Drop the rows already made."""
        self._box.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the rows of the pictures; none if there are none."""
        if self._contents:
            self._follow_look()
        return self._box.render(width) if self._contents else []

    def below(self, rows: list[str], width: int) -> list[str]:
        """Return rows with the pictures below them; the same list while nothing changed."""
        below, known = self.render(width), self._parts
        if not below:
            return rows
        if known is None or known[0] is not rows or known[1] is not below:
            self._parts = (rows, below)
            self._rows = [*rows, *below]
        return self._rows

    def _follow_look(self) -> None:
        look = self._look()
        if look == self._made_for:
            return
        self._made_for = look
        self._box.clear()
        for content in self._contents:
            self._box.add_child(_image(content, self._theme, look))


def _image(content: ImageContent, theme: Theme, look: PictureLook) -> Image:
    from pi_tui.components import image

    colors = image.ImageTheme(lambda text: theme.fg("toolOutput", text))
    options = image.ImageOptions(max_width_cells=look.columns, is_drawn=look.are_drawn)
    return image.Image(content.data, content.mime_type, colors, options)
