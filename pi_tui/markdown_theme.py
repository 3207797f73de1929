"""How Markdown looks: a style for each part, and the styles of plain text around it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pi_tui.component import Style
from pi_tui.frozen import frozen
from pi_tui.highlight import highlight_code
from pi_tui.theme import Theme, get_current_theme

# Gets code and the first word of its info string; returns a styled row for each line.
HighlightCode = Callable[[str, str], list[str]]


@frozen
class MarkdownTheme:
    """The style of each part of a Markdown text; without `highlight_code` code is in one colour."""

    heading: Style
    link: Style
    link_url: Style
    code: Style
    code_block: Style
    code_block_border: Style
    quote: Style
    quote_border: Style
    hr: Style
    list_bullet: Style
    bold: Style
    italic: Style
    strikethrough: Style
    underline: Style
    highlight_code: HighlightCode | None = None
    code_block_indent: str = "  "


@frozen
class MarkdownTextStyle:
    """How plain text looks: not code, not headings, not quotes. `bg` covers whole rows, padding included."""

    color: Style | None = None
    bg: Style | None = None
    bold: bool = False
    italic: bool = False
    strikethrough: bool = False
    underline: bool = False


def get_markdown_theme(theme: Theme | None = None) -> MarkdownTheme:
    """Return the looks of Markdown in a theme, else in the current one; a `ThemeHandle` may switch."""
    theme = theme or get_current_theme()

    def fg(token: str) -> Style:
        return partial(theme.fg, token)

    return MarkdownTheme(
        heading=fg("mdHeading"),
        link=fg("mdLink"),
        link_url=fg("mdLinkUrl"),
        code=fg("mdCode"),
        code_block=fg("mdCodeBlock"),
        code_block_border=fg("mdCodeBlockBorder"),
        quote=fg("mdQuote"),
        quote_border=fg("mdQuoteBorder"),
        hr=fg("mdHr"),
        list_bullet=fg("mdListBullet"),
        bold=theme.bold,
        italic=theme.italic,
        strikethrough=theme.strikethrough,
        underline=theme.underline,
        highlight_code=partial(highlight_code, theme),
    )
