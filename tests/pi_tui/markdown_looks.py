"""A theme that gives each part of a Markdown text a colour of its own, so that a test can tell them apart."""

from __future__ import annotations

from pi_tui.component import Style
from pi_tui.markdown_theme import MarkdownTheme

COLORS = {
    "heading": 20,
    "link": 21,
    "link_url": 22,
    "code": 23,
    "code_block": 24,
    "code_block_border": 25,
    "quote": 26,
    "quote_border": 27,
    "hr": 28,
    "list_bullet": 29,
    "default": 30,
}


def color(slot: str) -> Style:
    """Return the style that colours text as `slot`."""
    return lambda text: f"\x1b[38;5;{COLORS[slot]}m{text}\x1b[39m"


def attribute(on: int, off: int) -> Style:
    """Return the style that sets an attribute."""
    return lambda text: f"\x1b[{on}m{text}\x1b[{off}m"


def slot_theme(highlight: bool = False) -> MarkdownTheme:
    """Return the theme; with `highlight` the colour of a line of code depends on those before it."""
    return MarkdownTheme(
        heading=color("heading"),
        link=color("link"),
        link_url=color("link_url"),
        code=color("code"),
        code_block=color("code_block"),
        code_block_border=color("code_block_border"),
        quote=color("quote"),
        quote_border=color("quote_border"),
        hr=color("hr"),
        list_bullet=color("list_bullet"),
        bold=attribute(1, 22),
        italic=attribute(3, 23),
        strikethrough=attribute(9, 29),
        underline=attribute(4, 24),
        highlight_code=_color_lines if highlight else None,
    )


def _color_lines(code: str, language: str) -> list[str]:
    lines = code.removesuffix("\n").split("\n")
    return [
        f"\x1b[{31 + index % 7}m{line}\x1b[39m" if line else "" for index, line in enumerate(lines)
    ]
