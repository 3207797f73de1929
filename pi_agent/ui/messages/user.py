"""What the user said, on a background of its own."""

from __future__ import annotations

from pi_agent.ui.messages.themed import ThemedText
from pi_agent.ui.plain import plain_text
from pi_tui.theme import Theme


def user_message(text: str, theme: Theme) -> ThemedText:
    """Return the view of a user message."""
    plain = plain_text(text).strip("\n")
    return ThemedText(
        lambda: theme.fg("userMessageText", plain),
        padding_y=1,
        bg=lambda line: theme.bg("userMessageBg", line),
    )
