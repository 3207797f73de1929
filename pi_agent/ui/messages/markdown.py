"""Messages as Markdown: the same looks for what the user says and what the model answers."""

from __future__ import annotations

from functools import partial

from pi_tui.components.markdown import Markdown, MarkdownOptions
from pi_tui.markdown_theme import MarkdownTextStyle, get_markdown_theme
from pi_tui.theme import Theme


def answer_markdown(theme: Theme, *, hyperlinks: bool = False) -> Markdown:
    """Return an empty view for a text of an answer."""
    return Markdown(
        "", 1, 0, get_markdown_theme(theme), options=MarkdownOptions(hyperlinks=hyperlinks)
    )


def thinking_markdown(theme: Theme, *, hyperlinks: bool = False) -> Markdown:
    """Return an empty view for what a model thinks: slanted, in a colour of its own."""
    style = MarkdownTextStyle(color=partial(theme.fg, "thinkingText"), italic=True)
    return Markdown(
        "", 1, 0, get_markdown_theme(theme), style, MarkdownOptions(hyperlinks=hyperlinks)
    )


def user_markdown(text: str, theme: Theme, *, hyperlinks: bool = False) -> Markdown:
    """Return the view of what the user typed, with its marks and backslashes, on a background."""
    style = MarkdownTextStyle(
        color=partial(theme.fg, "userMessageText"), bg=partial(theme.bg, "userMessageBg")
    )
    options = MarkdownOptions(
        preserve_list_markers=True, preserve_backslash_escapes=True, hyperlinks=hyperlinks
    )
    return Markdown(text, 1, 1, get_markdown_theme(theme), style, options)


def warm_up_markdown(theme: Theme) -> None:
    """Load what the first answer is parsed and coloured with. It takes a tenth of a second: do it in a thread."""
    Markdown("`code`\n```python\npass\n```", 0, 0, get_markdown_theme(theme)).render(80)
