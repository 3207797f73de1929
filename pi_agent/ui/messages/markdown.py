"""Messages as Markdown: the same looks for what the user says and what the model answers.

The component comes through the lazy packages, so that it is loaded with the first message, or by
`warm_up_markdown`, and not with this module.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pi_tui
from pi_tui import components

if TYPE_CHECKING:
    from pi_tui.components.markdown import Markdown
    from pi_tui.theme import Theme


def answer_markdown(theme: Theme, *, hyperlinks: bool = False) -> Markdown:
    """Return an empty view for a text of an answer."""
    options = components.MarkdownOptions(hyperlinks=hyperlinks)
    return components.Markdown("", 1, 0, pi_tui.get_markdown_theme(theme), options=options)


def thinking_markdown(theme: Theme, *, hyperlinks: bool = False) -> Markdown:
    """Return an empty view for what a model thinks: slanted, in a colour of its own."""
    style = pi_tui.MarkdownTextStyle(color=partial(theme.fg, "thinkingText"), italic=True)
    options = components.MarkdownOptions(hyperlinks=hyperlinks)
    return components.Markdown("", 1, 0, pi_tui.get_markdown_theme(theme), style, options)


def user_markdown(text: str, theme: Theme, *, hyperlinks: bool = False) -> Markdown:
    """Return the view of what the user typed, with its marks and backslashes, on a background."""
    style = pi_tui.MarkdownTextStyle(
        color=partial(theme.fg, "userMessageText"), bg=partial(theme.bg, "userMessageBg")
    )
    options = components.MarkdownOptions(
        preserve_list_markers=True, preserve_backslash_escapes=True, hyperlinks=hyperlinks
    )
    return components.Markdown(text, 1, 1, pi_tui.get_markdown_theme(theme), style, options)


def custom_markdown(text: str, theme: Theme, *, hyperlinks: bool = False) -> Markdown:
    """Return the view of what an extension says."""
    style = pi_tui.MarkdownTextStyle(color=partial(theme.fg, "customMessageText"))
    options = components.MarkdownOptions(hyperlinks=hyperlinks)
    return components.Markdown(text, 0, 0, pi_tui.get_markdown_theme(theme), style, options)


def warm_up_markdown(theme: Theme) -> None:
    """Load what the first answer is parsed and coloured with. It takes a tenth of a second: do it in a thread."""
    sample = "`code`\n```python\npass\n```"
    components.Markdown(sample, 0, 0, pi_tui.get_markdown_theme(theme)).render(80)
