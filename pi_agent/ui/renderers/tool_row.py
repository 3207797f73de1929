"""The row of a tool call: title, output, how it went. Collapsed it shows a few lines of the output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.messages import ImageContent, TextContent
from pi_agent.ui.cached_rows import CachedRows
from pi_agent.ui.plain import plain_text
from pi_tui.theme import Theme
from pi_tui.wrap import apply_background_to_line, wrap_rows

ToolState = Literal["pending", "success", "error"]
_BACKGROUNDS = {"pending": "toolPendingBg", "success": "toolSuccessBg", "error": "toolErrorBg"}
_ERROR_LINES = 10
_TITLE_LINES = 10
_ARGUMENT_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class ToolLook:
    """How calls of one tool look.

    `title(arguments, theme)` is the first line. Collapsed, `lines` rows of the output are shown, counted at
    the current width, from its end if `tail`. `trim(text, details)` removes what a person need not read.
    """

    title: Callable[[Mapping[str, JsonValue], Theme], str]
    lines: int
    tail: bool = False
    trim: Callable[[str, JsonValue], str] = lambda text, details: text


class ToolRow(CachedRows):
    """One call. Fed by events; drawn from what it was fed last."""

    def __init__(self, look: ToolLook, theme: Theme, expand_key: str) -> None:
        self._look = look
        self._theme = theme
        self._expand_key = expand_key
        self._arguments: JsonObject = {}
        self._output = ""
        self._details: JsonValue = None
        self._state: ToolState = "pending"
        self._note = ""
        self._expanded = False

    @property
    def expanded(self) -> bool:
        """Whether all of the output is shown."""
        return self._expanded

    def set_expanded(self, expanded: bool) -> None:
        """Show all of the output, or a few rows."""
        self._expanded = expanded
        self.invalidate()

    def set_arguments(self, arguments: JsonObject) -> None:
        """Take the arguments, as far as they have come."""
        if arguments != self._arguments:
            self._arguments = dict(arguments)
            self.invalidate()

    def set_output(
        self, content: list[TextContent | ImageContent], details: JsonValue, state: ToolState
    ) -> None:
        """Take a partial or the final result."""
        parts = [
            block.text if isinstance(block, TextContent) else f"[image {block.mime_type}]"
            for block in content
        ]
        self._output = plain_text("\n".join(parts))
        self._details = details
        self._state = state
        self.invalidate()

    def set_note(self, note: str) -> None:
        """Set a last line such as `Took 4.2s`."""
        self._note = note
        self.invalidate()

    def make_rows(self, width: int) -> list[str]:
        """Return an empty row, then the call on its background."""
        theme = self._theme
        padding = 1 if width > 2 else 0
        room = width - 2 * padding
        lines = [*self._title_lines(room), *self._output_lines(room)]
        if self._note:
            lines += wrap_rows(theme.fg("muted", self._note), room)
        background = _BACKGROUNDS[self._state]
        margin = " " * padding
        return [
            "",
            *(
                apply_background_to_line(
                    f"{margin}{line}", width, lambda row: theme.bg(background, row)
                )
                + "\x1b[0m"
                for line in lines
            ),
        ]

    def _title_lines(self, width: int) -> list[str]:
        """Return the title; collapsed only its first rows, of arguments that are cut before they are styled."""
        title = self._look.title
        if self._expanded:
            return wrap_rows(title(self._arguments, self._theme), width)
        lines = wrap_rows(title(_cut(self._arguments), self._theme), width)
        if len(lines) <= _TITLE_LINES:
            return lines
        return [*lines[: _TITLE_LINES - 1], self._theme.fg("muted", "…")]

    def _output_lines(self, width: int) -> list[str]:
        text = self._look.trim(self._output, self._details).strip("\n")
        limit = self._look.lines
        tail = self._look.tail
        if self._state == "error":
            limit = max(limit, _ERROR_LINES)
        if not text or (limit == 0 and not self._expanded):
            return []
        token = "error" if self._state == "error" else "toolOutput"
        lines = wrap_rows(text, width)
        hidden = 0 if self._expanded else max(0, len(lines) - limit)
        if hidden:
            lines = lines[-limit:] if tail else lines[:limit]
        rows = [self._theme.fg(token, line) for line in lines]
        if not hidden:
            return rows
        word = "earlier" if tail else "more"
        hint = f"... ({hidden} {word} lines, {self._expand_key} to expand)"
        hint_rows = wrap_rows(self._theme.fg("muted", hint), width)
        return [*hint_rows, *rows] if tail else [*rows, *hint_rows]


def _cut(arguments: JsonObject) -> JsonObject:
    """Return the arguments with long texts cut to what a collapsed title has room for."""
    return {
        name: f"{value[:_ARGUMENT_CHARACTERS]}…"
        if isinstance(value, str) and len(value) > _ARGUMENT_CHARACTERS
        else value
        for name, value in arguments.items()
    }


def shown_argument(arguments: Mapping[str, JsonValue], name: str, theme: Theme) -> str:
    """Return a text argument for a title: `...` while it is missing, marked when it is no text."""
    value = arguments.get(name)
    if value is None:
        return theme.fg("toolOutput", "...")
    if not isinstance(value, str):
        return theme.fg("error", "[invalid arg]")
    return plain_text(value)


def short_path(path: str) -> str:
    """Return a path with the home folder as `~`."""
    home = str(Path.home())
    if path == home or path.startswith(home + "/"):
        return "~" + path[len(home) :]
    return path
