"""Text: none, wide, styled over several rows, on a background, with tabs."""

from __future__ import annotations

from pi_tui.components.text import Text
from pi_tui.theme import Theme
from tests.pi_tui.components.stories.stage import MIXED


def _on_panel(theme: Theme) -> Text:
    styled = theme.style("Bold on a panel", fg="accent", bold=True)
    return Text(f"{styled} then plain", 2, 1, lambda row: theme.bg("userMessageBg", row))


def _styled(theme: Theme) -> Text:
    link = "\x1b]8;;https://example.org\x1b\\a link that goes on in the next row\x1b]8;;\x1b\\"
    return Text(
        f"Before {theme.underline(link)} {theme.fg('error', 'and red to the end of it')}", 0, 0
    )


STORIES = {
    "empty": lambda theme: Text("", 1, 1),
    "usual": lambda theme: Text("A few words that wrap where the room is short.", 1, 0),
    "wide-and-long": lambda theme: Text(MIXED, 1, 0),
    "on-a-panel": _on_panel,
    "styled": _styled,
    "tabs-and-breaks": lambda theme: Text("a\tb\r\nc\n\nd", 0, 0),
}
