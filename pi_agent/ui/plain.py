"""Foreign text made safe to show: without control sequences, control characters and halves of characters."""

from __future__ import annotations

from pi_tui.ansi import replace_control_characters, sanitize_output, strip_terminal_sequences


def plain_text(text: str) -> str:
    """Return text of any number of lines with nothing in it that a terminal would act on."""
    return strip_terminal_sequences(sanitize_output(text)).replace("\t", "   ")


def plain_line(text: str) -> str:
    """Return text as one line."""
    return replace_control_characters(plain_text(text))
