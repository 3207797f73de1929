"""Progress at its beginning, under way, at its end, and without one."""

from __future__ import annotations

from pi_tui.component_themes import get_progress_theme
from pi_tui.components.progress import Progress
from pi_tui.figures import format_bytes
from pi_tui.theme import Theme

_SECONDS = 8


def _progress(theme: Theme, total: float | None, label: str, done: float) -> Progress:
    """Return work of which so much was done in eight seconds."""
    now = [0.0]
    shown = Progress(get_progress_theme(theme), total, label, format_bytes, clock=lambda: now[0])
    for second in range(1, _SECONDS + 1):
        now[0] = float(second)
        shown.update(done * second / _SECONDS)
    return shown


STORIES = {
    "nothing-done": lambda theme: Progress(get_progress_theme(theme), 93e6, "Waiting"),
    "under-way": lambda theme: _progress(theme, 93e6, "Fetching the model", 35e6),
    "done": lambda theme: _progress(theme, 93e6, "Fetching the model", 93e6),
    "no-end-in-sight": lambda theme: _progress(theme, None, "Reading", 1.2e9),
    "wide-label": lambda theme: _progress(
        theme, 93e6, "日本語の長いラベルがここにあります 👍🏽", 2e6
    ),
    "no-label": lambda theme: _progress(theme, 93e6, "", 50e6),
}
