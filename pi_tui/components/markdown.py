"""`Markdown`: formatted text that may still be arriving.

Text that grows is parsed and drawn from its last stable boundary on, so a token costs a piece of the last
block, and what it returns is what a new component would return for the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.component import Component, Style
from pi_tui.components.markdown_blocks import BlockDrawer, DrawnBlocks
from pi_tui.components.markdown_text import Look, Margin, MarkdownWork, RowMaker
from pi_tui.frozen import frozen, slotted
from pi_tui.markdown_growth import GrowingMarkdown
from pi_tui.markdown_theme import MarkdownTextStyle, MarkdownTheme
from pi_tui.padding import padding_of, whole

_TAB = "   "
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@frozen
class MarkdownOptions:
    """What is shown as it was written, and what the terminal can do.

    `transform` gets the text and the width for it, and returns what is parsed instead. With `hyperlinks`
    a link is one for the terminal, too; else its address is shown behind it. With `render_latex` formulas are
    drawn in plain characters.
    """

    preserve_list_markers: bool = False
    preserve_backslash_escapes: bool = False
    transform: Callable[[str, int], str] | None = None
    hyperlinks: bool = False
    render_latex: bool = True


class Markdown(Component):
    """Markdown with paddings and an optional style of plain text; blank text takes no rows at all.

    `work` counts what was parsed, coloured and wrapped.
    """

    def __init__(
        self,
        text: str,
        padding_x: int,
        padding_y: int,
        theme: MarkdownTheme,
        default_style: MarkdownTextStyle | None = None,
        options: MarkdownOptions | None = None,
    ) -> None:
        self.work = MarkdownWork()
        self._text = text
        self._plain = ""  # what was found to have no control characters
        self._padding_x = whole(padding_x, 0)
        self._padding_y = whole(padding_y, 0)
        self._theme = theme
        self._style = default_style or MarkdownTextStyle()
        self._options = options or MarkdownOptions()
        self._document = GrowingMarkdown(self.work, math=self._options.render_latex)
        self._page: _Page | None = None

    @property
    def text(self) -> str:
        """The text as it was set."""
        return self._text

    def set_text(self, text: str) -> None:
        """Change the text. One that begins as the last one is parsed from where it may have changed."""
        self._text = text

    def invalidate(self) -> None:
        """Drop the rows already made; what was parsed is kept."""
        self._page = None

    def render(self, width: int) -> list[str]:
        """Return rows of exactly `width` cells."""
        if self._page is None or self._page.width != width:
            self._page = self._new_page(width)
        page = self._page
        if page.lines is None or (page.text is not self._text and page.text != self._text):
            page.text = self._text
            self._document.update(self._source(page.margin.room))
            page.lines = self._draw(page)
        return page.lines

    def _new_page(self, width: int) -> _Page:
        padding = padding_of(self._padding_x, width)
        maker = RowMaker(self._theme, width, self._style.bg, self._options.hyperlinks, self.work)
        drawer = BlockDrawer(
            maker,
            keeps_marks=self._options.preserve_list_markers,
            keeps_escapes=self._options.preserve_backslash_escapes,
            math=self._options.render_latex,
        )
        blanks = " " * padding
        margin = Margin(blanks, blanks, padding, max(1, width - 2 * padding))
        drawn = self._page.drawn if self._page is not None else DrawnBlocks()
        return _Page(width, maker, drawer, margin, drawn)

    def _source(self, room: int) -> str:
        """Return what is parsed: lines without tabs and control sequences."""
        text = self._text
        if self._options.transform is not None:
            text = self._options.transform(text, room)
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        if self._has_controls(text):
            text = _CONTROLS.sub("", strip_terminal_sequences(text))
        return text.replace("\t", _TAB)

    def _has_controls(self, text: str) -> bool:
        """Whether there are control characters; of a text that has grown only what is new is looked at."""
        looked_at = len(self._plain) if text.startswith(self._plain) else 0
        if _CONTROLS.search(text, looked_at):
            return True
        self._plain = text
        return False

    def _draw(self, page: _Page) -> list[str]:
        look = Look(tuple(self._plain_styles()))
        page.drawn = page.drawer.draw(
            self._document.blocks, self._document.definitions, page.margin, look, page.drawn
        )
        rows = page.drawn.rows
        if not rows or not self._padding_y:
            return rows
        blank = [page.maker.row("", "", 0)] * self._padding_y
        return [*blank, *rows, *blank]

    def _plain_styles(self) -> Iterator[Style]:
        style, theme = self._style, self._theme
        if style.color is not None:
            yield style.color
        if style.bold:
            yield theme.bold
        if style.italic:
            yield theme.italic
        if style.strikethrough:
            yield theme.strikethrough
        if style.underline:
            yield theme.underline


@slotted
class _Page:
    """What is known about the text at one width."""

    width: int
    maker: RowMaker
    drawer: BlockDrawer
    margin: Margin
    drawn: DrawnBlocks
    text: str = ""
    lines: list[str] | None = None
