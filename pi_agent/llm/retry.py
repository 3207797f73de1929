"""Which failed answers are worth asking for again, by what their error says."""

from __future__ import annotations

import re

from pi_agent.llm.messages import AssistantMessage
from pi_agent.llm.overflow import is_context_overflow
from pi_tui.patterns import pattern

# What no waiting mends. Looked at first: servers give these the numbers of passing troubles.
_LASTING = pattern(
    r"quota.{0,20}exceeded|exceeded.{0,40}quota"
    r"|insufficient_quota"
    r"|billing"
    r"|out of budget"
    r"|available balance"
    r"|usage[ _-]?limit"
    r"|\b1308\b",
    re.IGNORECASE,
)
_PASSING = pattern(
    r"overloaded|\bbusy\b|high demand|(at|over) capacity"
    r"|rate.?limit|too many requests|throttl"
    r"|service.?unavailable|server.?error|internal.?error"
    r"|provider returned error|upstream"
    r"|network.?error"
    r"|connection.{0,9}(error|refused|lost|closed|reset)"
    r"|fetch failed|socket hang up|other side closed"
    r"|\bECONN[A-Z]*|\bETIMEDOUT|\bEPIPE|\bENOTFOUND|\bEAI_AGAIN"
    r"|timed.?out|time.?out|\bterminated\b"
    r"|websocket.{0,9}(closed|error)"
    r"|stream (ended|disconnected)|ended (without|before)"
    r"|retry delay|retry your request|please retry|try again (later|in \d)",
    re.IGNORECASE,
)
_PASSING_STATUS = "429|500|502|503|504|520|524|529"
_STATUS = pattern(r"(?P<status>\d{3}): ")
_NUMBER = pattern(rf"(?<![\w.#/-])(?:{_PASSING_STATUS})(?![\w-]|\.\d)")


def is_retryable(message: AssistantMessage) -> bool:
    """Return whether the same request may succeed a little later."""
    text = message.error_message or ""
    if message.stop_reason != "error" or is_context_overflow(text) or _LASTING.search(text):
        return False
    return bool(_PASSING.search(text)) or _has_passing_status(text)


def requested_delay_ms(message: AssistantMessage) -> int:
    """Return how long the server asked to be left alone; 0 if it did not say."""
    noted = message.diagnostics.get("retryAfterMs") if isinstance(message.diagnostics, dict) else 0
    return noted if isinstance(noted, int) else 0


def _has_passing_status(text: str) -> bool:
    """Look for a status; where one leads the text, other numbers are counts or parts of ids."""
    leading = _STATUS.match(text)
    if leading is not None:
        return re.fullmatch(_PASSING_STATUS, leading["status"]) is not None
    return bool(_NUMBER.search(text))
