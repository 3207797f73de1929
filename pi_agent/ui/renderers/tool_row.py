"""The row of a tool call: title, what it did, how it went. Collapsed it shows a few rows of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from pi_agent.base.text_paths import resolve_text_path
from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.messages import ImageContent, TextContent
from pi_agent.ui.cached_rows import CachedRows
from pi_agent.ui.elapsed import duration
from pi_agent.ui.messages.pictures import Pictures
from pi_agent.ui.plain import plain_text
from pi_tui.ansi import hyperlink
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.theme import Theme
from pi_tui.wrap import apply_background_to_line, wrap_rows

ToolState = Literal["pending", "success", "error"]
_BACKGROUNDS = {"pending": "toolPendingBg", "success": "toolSuccessBg", "error": "toolErrorBg"}
_ERROR_ROWS = 10
_TITLE_ROWS = 10
_ARGUMENT_CHARACTERS = 2000
# What an expanded row shows: nobody scrolls through more, and drawing it would hold up the keys.
MOST_ROWS = 2000
_MOST_CHARACTERS = 100_000
# Enough for the rows of a collapsed one.
_FEW_CHARACTERS = 4000


class ToolRow(CachedRows):
    """One call. Fed by events; drawn from what it was fed last.

    A tool's own row says what its `title` is and, where that is more than the output, its `body`. Collapsed,
    `collapsed_rows` of the output are shown, counted at the current width; the last ones if `shows_end`.
    Paths are links if `links_from`, the folder that they are relative to, is given.
    """

    collapsed_rows = 10
    shows_end = False
    is_timed = False

    def __init__(self, theme: Theme, expand_key: str, *, links_from: Path | None = None) -> None:
        self.theme = theme
        self._links_from = links_from
        self.arguments: JsonObject = {}
        self.has_all_arguments = False
        self.details: JsonValue = None
        self.state: ToolState = "pending"
        self._expand_key = expand_key
        self._raw_output = ""
        self._output: str | None = ""
        self._note = ""
        self._expanded = False
        self.pictures = Pictures(theme)
        self.on_clicked: Callable[[], None] = lambda: None  # before it expands or collapses

    # What it is fed with

    @property
    def expanded(self) -> bool:
        """Whether everything is shown."""
        return self._expanded

    def set_expanded(self, expanded: bool) -> None:
        """Show everything, or a few rows."""
        self._expanded = expanded
        self.invalidate()

    def set_arguments(self, arguments: JsonObject, *, complete: bool = False) -> None:
        """Take the arguments, as far as they have come."""
        if arguments != self.arguments or complete != self.has_all_arguments:
            self.arguments = dict(arguments)
            self.has_all_arguments = complete
            self.invalidate()

    def set_output(
        self, content: list[TextContent | ImageContent], details: JsonValue, state: ToolState
    ) -> None:
        """Take a partial or the final result."""
        texts = (block.text for block in content if isinstance(block, TextContent))
        self._raw_output = "\n".join(texts)
        self.pictures.show(content)
        self._output = None
        self.details = details
        self.state = state
        self.invalidate()

    def set_note(self, note: str) -> None:
        """Set a last line such as `Took 4.2s`."""
        if note != self._note:
            self._note = note
            self.invalidate()

    def set_elapsed(self, seconds: int) -> None:
        """Show how long the call has been running."""
        self.set_note(f"Elapsed {duration(seconds)}")

    def render(self, width: int) -> list[str]:
        """Return the rows with the pictures of the result below them."""
        return self.pictures.below(super().render(width), width)

    def invalidate(self) -> None:
        """Drop the rows already made."""
        super().invalidate()
        self.pictures.invalidate()

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Expand at a click, collapse at one on the title: presses, and clicks on the output, select text."""
        if event.type != "click" or event.button != "left" or event.y == 0:
            return None
        if self._expanded and event.y > 1:
            return None
        self.on_clicked()
        self.set_expanded(not self._expanded)
        return MouseResult(handled=True)

    # How it looks

    def title(self, arguments: Mapping[str, JsonValue]) -> str:
        """Return the first line; long arguments are cut before."""
        raise NotImplementedError

    def path_title(self, tool: str, arguments: Mapping[str, JsonValue]) -> str:
        """Return the title of a tool that works on a file."""
        path = shown_argument(arguments, "path", self.theme)
        shown = self.theme.fg("accent", short_path(path))
        url = self._url_of(arguments.get("path"))
        title = self.theme.style(tool, fg="toolTitle", bold=True)
        return f"{title} {hyperlink(shown, url) if url else shown}"

    def body(self, width: int) -> list[str]:
        """Return what is below the title."""
        return self.output_rows(width)

    @property
    def output(self) -> str:
        """The text of the result, safe to show."""
        if self._output is None:
            self._output = plain_text(self._raw_output).strip("\n")
        return self._output

    def output_rows(self, width: int) -> list[str]:
        """Return the output, cut to a few rows when collapsed."""
        limit = self.collapsed_rows
        if self.state == "error":
            limit = max(limit, _ERROR_ROWS)
        token = "error" if self.state == "error" else "toolOutput"
        return self.cut_rows(self.output, width, token, limit)

    def cut_rows(self, text: str, width: int, token: str, limit: int) -> list[str]:
        """Return a text wrapped and coloured, collapsed `limit` rows of it and how many there are more."""
        if not text or (limit == 0 and not self._expanded):
            return []
        if self._expanded:
            limit = MOST_ROWS
        part = self._part_shown(text)
        lines = wrap_rows(part, width)
        hidden = max(0, len(lines) - limit) + text.count("\n") - part.count("\n")
        lines = lines[-limit:] if self.shows_end else lines[:limit]
        rows = [self.theme.fg(token, line) for line in lines]
        if not hidden:
            return rows
        if self.shows_end:
            return [*self.hint(f"{hidden} earlier lines", width), *rows]
        return [*rows, *self.hint(f"{hidden} more lines", width)]

    def _part_shown(self, text: str) -> str:
        """Return as much of a text as is worth wrapping for what is shown of it."""
        most = _MOST_CHARACTERS if self._expanded else _FEW_CHARACTERS
        if len(text) <= most:
            return text
        return text[-most:] if self.shows_end else text[:most]

    def hint(self, what: str, width: int) -> list[str]:
        """Return what tells that something is hidden, and how to see it."""
        how = "" if self._expanded else f", {self._expand_key} to expand"
        return wrap_rows(self.theme.fg("muted", f"... ({what}{how})"), width)

    def warning(self, text: str, width: int) -> list[str]:
        """Return a warning."""
        return wrap_rows(self.theme.fg("warning", text), width)

    def make_rows(self, width: int) -> list[str]:
        """Return an empty row, then the call on its background."""
        padding = 1 if width > 2 else 0
        room = width - 2 * padding
        lines = [*self._title_rows(room), *self.body(room)]
        if self._note:
            lines += wrap_rows(self.theme.fg("muted", self._note), room)
        return ["", *(self._on_background(line, width, " " * padding) for line in lines)]

    def _on_background(self, line: str, width: int, margin: str) -> str:
        background = _BACKGROUNDS[self.state]
        row = apply_background_to_line(
            f"{margin}{line}", width, lambda text: self.theme.bg(background, text)
        )
        return row + "\x1b[0m"

    def _url_of(self, path: JsonValue) -> str:
        """Return where a path leads, once it has come whole."""
        if self._links_from is None or not self.has_all_arguments or not isinstance(path, str):
            return ""
        try:
            return resolve_text_path(path, self._links_from).as_uri()
        except ValueError:  # no file can have that name
            return ""

    def _title_rows(self, width: int) -> list[str]:
        """Return the title; collapsed only its first rows, of arguments that are cut before they are styled."""
        if self._expanded:
            return wrap_rows(self.title(self.arguments), width)
        lines = wrap_rows(self.title(_cut(self.arguments)), width)
        if len(lines) <= _TITLE_ROWS:
            return lines
        return [*lines[: _TITLE_ROWS - 1], self.theme.fg("muted", "…")]


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


def _cut(arguments: JsonObject) -> JsonObject:
    """Return the arguments with long texts cut to what a collapsed title has room for."""
    return {
        name: f"{value[:_ARGUMENT_CHARACTERS]}…"
        if isinstance(value, str) and len(value) > _ARGUMENT_CHARACTERS
        else value
        for name, value in arguments.items()
    }
