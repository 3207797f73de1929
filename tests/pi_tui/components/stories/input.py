"""Fields: empty, with a hint, typed into, longer than the row, secret."""

from __future__ import annotations

from functools import partial

from pi_tui.components.input import Input
from pi_tui.events import PasteEvent
from pi_tui.theme import Theme


def _field(theme: Theme, text: str = "", *, focused: bool = True, mask: str | None = None) -> Input:
    field = Input("> ", "Type to search", partial(theme.fg, "dim"), mask=mask)
    field.focused = focused
    field.handle_paste(PasteEvent(text))
    return field


def _secret(theme: Theme) -> Input:
    field = _field(theme, "sk-0123456789abcdef", mask="•")
    field.clear_at_end = 4
    return field


STORIES = {
    "empty": lambda theme: _field(theme),
    "without-the-keys": lambda theme: _field(theme, "short", focused=False),
    "usual": lambda theme: _field(theme, "short"),
    "longer-than-the-row": lambda theme: _field(
        theme,
        "A longer text with wide 日本語 that does not fit on narrow rows, nor on wide ones as it is",
    ),
    "secret": _secret,
}
