"""Loaders: usual, a long message, frames of one's own, none."""

from __future__ import annotations

from pi_tui.components.loader import Indicator, Loader
from pi_tui.theme import Theme
from tests.pi_tui.components.stories.stage import Host


def _loader(theme: Theme, message: str, indicator: Indicator | None = None) -> Loader:
    def accent(mark: str) -> str:
        return theme.fg("accent", mark)

    return Loader(Host(), accent, lambda text: theme.fg("muted", text), message, indicator)


STORIES = {
    "no-message": lambda theme: _loader(theme, ""),
    "usual": lambda theme: _loader(theme, "Looking around"),
    "long-and-wide": lambda theme: _loader(theme, "Looking around the house for 日本語 and 👍🏽"),
    "frames-of-ones-own": lambda theme: _loader(theme, "still", Indicator(frames=["*"])),
    "no-frames": lambda theme: _loader(theme, "no mark at all", Indicator(frames=[])),
}
