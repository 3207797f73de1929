"""Lines that pi itself says: notices, warnings, errors."""

from __future__ import annotations

from typing import Literal

from pi_agent.ui.messages.themed import ThemedText
from pi_agent.ui.plain import plain_text
from pi_tui.theme import Theme

NoticeKind = Literal["info", "warning", "error"]
_TOKENS = {"info": "dim", "warning": "warning", "error": "error"}


def notice(message: str, kind: NoticeKind, theme: Theme) -> ThemedText:
    """Return the view of a notice."""
    plain = plain_text(message)
    return ThemedText(lambda: theme.fg(_TOKENS[kind], plain))
