"""How an `edit` call looks: the path and what changes; first what is asked for, then the lines of the file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pi_agent.base.wire import JsonValue
from pi_agent.ui.plain import plain_text
from pi_agent.ui.renderers.diff_rows import diff_rows, marked_rows
from pi_agent.ui.renderers.tool_row import MOST_ROWS, ToolRow
from pi_tui.theme import Theme
from pi_tui.wrap import wrap_rows

# The ends of growing texts that are looked at for each frame.
_TAIL_CHARACTERS = 2000
_DIFF_ROWS = 40


class EditRow(ToolRow):
    """Shows a change of a file."""

    def __init__(self, theme: Theme, expand_key: str, *, links_from: Path | None = None) -> None:
        super().__init__(theme, expand_key, links_from=links_from)
        self._preview = ""
        self._problem = ""

    def set_preview(self, diff: str, problem: str = "") -> None:
        """Take what the change would be, or why it cannot be made, before it is."""
        self._preview = diff
        self._problem = plain_text(problem)
        self.invalidate()

    def title(self, arguments: Mapping[str, JsonValue]) -> str:
        """Return the path."""
        return self.path_title("edit", arguments)

    def body(self, width: int) -> list[str]:
        """Return the change, as far as it is known, and the reason of a failure."""
        if self.state == "error":
            asked = self._asked_rows(width) if self.expanded else []
            return asked + self.output_rows(width)
        if self._problem and self.state == "pending":
            return wrap_rows(self.theme.fg("error", self._problem), width)
        diff = self._diff()
        if not diff:
            return self._asked_rows(width)
        limit = MOST_ROWS if self.expanded else _DIFF_ROWS
        rows, left = diff_rows(plain_text(diff), width, self.theme, limit)
        return [*rows, *self.hint(f"{left} more lines", width)] if left else rows

    def _diff(self) -> str:
        found = self.details.get("diff") if isinstance(self.details, dict) else None
        return found if isinstance(found, str) else self._preview

    def _asked_rows(self, width: int) -> list[str]:
        """Return what is to be replaced by what; collapsed only the end, which is what grows."""
        edits = _edits_of(self.arguments)
        if self.expanded:
            lines = [line for edit in edits for line in _marked(*edit)]
            return marked_rows(lines[:MOST_ROWS], width, self.theme)
        if not edits:
            return []
        old, new = edits[-1]
        lines = _marked(old[-_TAIL_CHARACTERS:], new[-_TAIL_CHARACTERS:])[-self.collapsed_rows :]
        return marked_rows(lines, width, self.theme)[-self.collapsed_rows :]


def _edits_of(arguments: Mapping[str, JsonValue]) -> list[tuple[str, str]]:
    """Return the old and the new texts, as far as they have come and are texts."""
    edits = arguments.get("edits")
    found = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    pairs = [(edit.get("oldText", ""), edit.get("newText", "")) for edit in [*found, arguments]]
    return [
        (old, new)
        for old, new in pairs
        if isinstance(old, str) and isinstance(new, str) and (old or new)
    ]


def _marked(old: str, new: str) -> list[str]:
    return [
        f"{sign}{line}"
        for sign, text in (("-", old), ("+", new))
        if text
        for line in plain_text(text).removesuffix("\n").split("\n")
    ]
