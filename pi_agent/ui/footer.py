"""The footer: where we are, what the conversation has used, which model answers.

Narrow screens keep what matters: of a folder its end and its branch, and the model's name is cut last.
"""

from __future__ import annotations

from dataclasses import replace

from pi_agent.ui.cut import end_of
from pi_agent.ui.plain import plain_line
from pi_tui.component import Component
from pi_tui.frozen import frozen
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width, visible_width

# Columns of the folder that a branch or a long name does not take.
_LEAST_FOLDER = 10


@frozen
class FooterState:
    """What the footer shows. Token counts are totals of the session.

    `context_percent` says how much of `context_window` is used; `None`: nobody knows. Without a window neither shows.
    `is_counting`: the totals are not known yet.
    """

    folder: str = ""
    branch: str | None = None
    session_name: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    is_counting: bool = False
    context_percent: float | None = None
    context_window: int = 0
    auto_compacts: bool = False
    model: str = ""
    provider: str = ""
    thinking_level: str | None = None
    statuses: tuple[str, ...] = ()


class Footer(Component):
    """Two rows, and a third one if extensions have something to say; `lines` is what there is room for."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.state = FooterState()
        self.lines = 2
        self._cache: tuple[tuple[int, int, FooterState], list[str]] | None = None

    def update(self, **changes: object) -> None:
        """Change parts of the state."""
        self.state = replace(self.state, **changes)  # type: ignore[arg-type]  # fields of FooterState

    @property
    def most_lines(self) -> int:
        """How many rows there are to show."""
        return 3 if self.state.statuses else 2

    def invalidate(self) -> None:
        """Drop the rows already made."""
        self._cache = None

    def render(self, width: int) -> list[str]:
        """Return the rows there is room for: the second one first, then the first one."""
        key = (width, self.lines, self.state)
        if self._cache is None or self._cache[0] != key:
            rows = [self._place(width), self._usage(width)]
            if self.lines > 2 and self.state.statuses:
                rows.append(truncate_to_width("  ".join(self.state.statuses), width, "…"))
            self._cache = (key, rows[max(0, 2 - self.lines) :] if self.lines > 0 else [])
        return self._cache[1]

    def _place(self, width: int) -> str:
        state = self.state
        branch = f" ({state.branch})" if state.branch else ""
        name = f" • {state.session_name}" if state.session_name else ""
        rest = plain_line(branch + name)
        room = max(width - visible_width(rest), _LEAST_FOLDER)
        text = end_of(plain_line(state.folder), room) + rest
        return self._theme.fg("dim", truncate_to_width(text, width, "…"))

    def _usage(self, width: int) -> str:
        left, short, model = (
            self._totals(self._share()),
            self._totals(self._share(short=True)),
            self._model(),
        )
        with_provider = (
            f"({plain_line(self.state.provider)}) {model}" if self.state.provider else model
        )
        for used, right in ((left, with_provider), (left, model), (short, model)):
            gap = width - visible_width(used) - visible_width(right)
            if gap >= 2 or (not used and gap >= 0):
                return used + " " * gap + self._theme.fg("dim", right)
        room = width - visible_width(short) - 2
        if not short or room < 8:
            return self._theme.fg("dim", truncate_to_width(model, width, "…"))
        return short + "  " + self._theme.fg("dim", truncate_to_width(model, room, "…"))

    def _model(self) -> str:
        model = plain_line(self.state.model or "no model")
        level = self.state.thinking_level
        return f"{model} • {level}" if level else model

    def _totals(self, share: str) -> str:
        state = self.state
        if state.is_counting:
            return self._theme.fg("dim", "…")
        parts = [
            f"{mark}{format_tokens(count)}"
            for mark, count in (
                ("↑", state.input_tokens),
                ("↓", state.output_tokens),
                ("R", state.cache_read_tokens),
            )
            if count
        ]
        text = self._theme.fg("dim", " ".join(parts)) if parts else ""
        return " ".join(part for part in (text, share) if part)

    def _share(self, *, short: bool = False) -> str:
        state = self.state
        if not state.context_window:
            return ""
        window = format_tokens(state.context_window)
        auto = " (auto)" if state.auto_compacts and not short else ""
        percent = state.context_percent
        if percent is None:
            return self._theme.fg("dim", f"?/{window}{auto}")
        token = "error" if percent > 90 else "warning" if percent > 70 else "dim"
        return self._theme.fg(token, f"{percent:.1f}%/{window}{auto}")


def format_tokens(count: int) -> str:
    """Return a count as people read it: `999`, `1.2k`, `12k`, `1.2M`, `12M`."""
    if count < 1000:
        return str(count)
    for unit, size in (("k", 1000), ("M", 1_000_000)):
        if count < size * 1000 or unit == "M":
            value = count / size
            if value < 9.95:
                return f"{value:.1f}{unit}"
            if round(value) < 1000 or unit == "M":
                return f"{round(value)}{unit}"
    return str(count)
