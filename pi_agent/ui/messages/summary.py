"""A summary that stands for a part of the conversation: one line that says so, or all of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pi_agent.session.entries import BranchSummaryEntry, CompactionEntry, Entry
from pi_agent.ui.messages.markdown import custom_markdown
from pi_agent.ui.messages.themed import ThemedText
from pi_agent.ui.plain import plain_text
from pi_tui.component import Component, Renderable
from pi_tui.components.box import Box
from pi_tui.components.container import Container
from pi_tui.components.spacer import Spacer
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.theme import Theme


class SummaryView(Component):
    """An empty row, then a box with a label and the summary. A click shows more of it, or less."""

    def __init__(
        self,
        label: str,
        line: str,
        summary: str,
        theme: Theme,
        *,
        expand_key: str = "",
        expanded: bool = False,
        hyperlinks: bool = False,
    ) -> None:
        self._label = label
        self._line = line + (f" ({expand_key} to expand)" if expand_key else "")
        self._summary = plain_text(summary).strip()
        self._theme = theme
        self._expanded = expanded
        self._hyperlinks = hyperlinks
        self._rows: Renderable | None = None

    def set_expanded(self, expanded: bool) -> None:
        """Show the summary, or one line in its place."""
        self._expanded = expanded
        self.invalidate()

    def invalidate(self) -> None:
        """Draw it anew: in other colours, or more of it."""
        self._rows = None

    def render(self, width: int) -> list[str]:
        """Return the rows."""
        if self._rows is None:
            self._rows = self._build()
        return self._rows.render(width)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Expand or collapse at a click; a press is left to whoever selects text."""
        if event.type != "click" or event.button != "left" or event.y == 0:
            return None
        self.set_expanded(not self._expanded)
        return MouseResult(handled=True)

    def _build(self) -> Renderable:
        theme = self._theme
        box = Box(1, 1, partial(theme.bg, "customMessageBg"))
        box.add_child(_flat(lambda: theme.style(self._label, fg="customMessageLabel", bold=True)))
        box.add_child(Spacer())
        if self._expanded:
            box.add_child(custom_markdown(self._summary, theme, hyperlinks=self._hyperlinks))
        else:
            box.add_child(_flat(lambda: theme.fg("customMessageText", self._line)))
        rows = Container()
        rows.add_child(Spacer())
        rows.add_child(box)
        return rows


def summary_view(
    entry: Entry, theme: Theme, *, expand_key: str, expanded: bool, hyperlinks: bool
) -> SummaryView | None:
    """Return the view of an entry that is a summary; `None` for any other."""
    if isinstance(entry, BranchSummaryEntry):
        label, line = "[branch]", "Summary of a branch that was left"
    elif isinstance(entry, CompactionEntry):
        label, line = "[compaction]", f"Compacted from {entry.tokens_before:,} tokens"
    else:
        return None
    return SummaryView(
        label,
        line,
        entry.summary,
        theme,
        expand_key=expand_key,
        expanded=expanded,
        hyperlinks=hyperlinks,
    )


def _flat(build: Callable[[], str]) -> ThemedText:
    return ThemedText(build, padding_x=0, spaced=False)
