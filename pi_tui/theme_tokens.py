"""The colour tokens of a theme: where each may be used, and which other token stands in when it is missing."""

from __future__ import annotations

import re
from typing import Literal

from pi_tui.frozen import frozen

TokenSlot = Literal["fg", "bg"]


@frozen
class ThemeToken:
    """A named colour of a theme, for text (`fg`) or for what is behind it (`bg`)."""

    name: str
    slot: TokenSlot
    fallback: str | None = None

    @property
    def is_required(self) -> bool:
        """Whether every theme has to define it."""
        return self.fallback is None


THEME_TOKENS: dict[str, ThemeToken] = {
    token.name: token
    for token in (
        ThemeToken("accent", "fg"),
        ThemeToken("border", "fg"),
        ThemeToken("borderAccent", "fg"),
        ThemeToken("borderMuted", "fg"),
        ThemeToken("success", "fg"),
        ThemeToken("error", "fg"),
        ThemeToken("warning", "fg"),
        ThemeToken("muted", "fg"),
        ThemeToken("dim", "fg"),
        ThemeToken("text", "fg"),
        ThemeToken("thinkingText", "fg"),
        ThemeToken("scrollbarTrack", "fg", fallback="muted"),
        ThemeToken("scrollbarThumb", "fg", fallback="text"),
        ThemeToken("selectedBg", "bg"),
        ThemeToken("searchMatchBg", "bg", fallback="selectedBg"),
        ThemeToken("searchMatchText", "fg", fallback="text"),
        ThemeToken("userMessageBg", "bg"),
        ThemeToken("userMessageText", "fg"),
        ThemeToken("customMessageBg", "bg"),
        ThemeToken("customMessageText", "fg"),
        ThemeToken("customMessageLabel", "fg"),
        ThemeToken("toolPendingBg", "bg"),
        ThemeToken("toolSuccessBg", "bg"),
        ThemeToken("toolErrorBg", "bg"),
        ThemeToken("toolTitle", "fg"),
        ThemeToken("toolOutput", "fg"),
        ThemeToken("mdHeading", "fg"),
        ThemeToken("mdLink", "fg"),
        ThemeToken("mdLinkUrl", "fg"),
        ThemeToken("mdCode", "fg"),
        ThemeToken("mdCodeBlock", "fg"),
        ThemeToken("mdCodeBlockBorder", "fg"),
        ThemeToken("mdQuote", "fg"),
        ThemeToken("mdQuoteBorder", "fg"),
        ThemeToken("mdHr", "fg"),
        ThemeToken("mdListBullet", "fg"),
        ThemeToken("toolDiffAdded", "fg"),
        ThemeToken("toolDiffRemoved", "fg"),
        ThemeToken("toolDiffContext", "fg"),
        ThemeToken("syntaxComment", "fg"),
        ThemeToken("syntaxKeyword", "fg"),
        ThemeToken("syntaxFunction", "fg"),
        ThemeToken("syntaxVariable", "fg"),
        ThemeToken("syntaxString", "fg"),
        ThemeToken("syntaxNumber", "fg"),
        ThemeToken("syntaxType", "fg"),
        ThemeToken("syntaxOperator", "fg"),
        ThemeToken("syntaxPunctuation", "fg"),
        ThemeToken("thinkingOff", "fg"),
        ThemeToken("thinkingMinimal", "fg"),
        ThemeToken("thinkingLow", "fg"),
        ThemeToken("thinkingMedium", "fg"),
        ThemeToken("thinkingHigh", "fg"),
        ThemeToken("thinkingXhigh", "fg"),
        ThemeToken("thinkingMax", "fg", fallback="thinkingXhigh"),
        ThemeToken("bashMode", "fg"),
    )
}

# `user_message_bg` for `userMessageBg`: how the tokens are spelled as attributes.
TOKEN_BY_ATTRIBUTE: dict[str, str] = {
    re.sub("[A-Z]", lambda upper: "_" + upper[0].lower(), name): name for name in THEME_TOKENS
}
