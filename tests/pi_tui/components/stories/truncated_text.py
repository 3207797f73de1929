"""Text in one row: it fits, it does not, it has more rows than that."""

from __future__ import annotations

from pi_tui.components.truncated_text import TruncatedText
from tests.pi_tui.components.stories.stage import MIXED

STORIES = {
    "empty": lambda theme: TruncatedText("", 1, 0),
    "fits": lambda theme: TruncatedText("Short", 1, 0),
    "wide-and-long": lambda theme: TruncatedText(theme.fg("muted", MIXED), 1, 0),
    "several-rows": lambda theme: TruncatedText("The first row\nthe second", 0, 1),
}
