"""A command that the user ran: between two rules, the command and the end of its output."""

from __future__ import annotations

from pi_agent.base.truncate import count_lines
from pi_agent.host.user_bash import UserCommand
from pi_agent.llm.messages import BashExecutionMessage
from pi_agent.ui.cached_rows import CachedRows
from pi_agent.ui.elapsed import duration
from pi_agent.ui.plain import plain_line, plain_text
from pi_agent.ui.renderers.excerpt import last_rows
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width, visible_width
from pi_tui.wrap import wrap_rows

_COLLAPSED_ROWS = 20
_COMPACT_ROWS = 3


class UserCommandRow(CachedRows):
    """Shows a command while it runs and afterwards. `compact`, it leaves room for what else goes on."""

    def __init__(self, command: UserCommand, theme: Theme, expand_key: str) -> None:
        self.compact = False
        self._command = command
        self._theme = theme
        self._expand_key = expand_key
        self._token = "dim" if command.is_private else "bashMode"
        self._output = ""
        self._seconds = 0
        self._message: BashExecutionMessage | None = None
        self._expanded = False

    def set_compact(self, compact: bool) -> None:
        """Show little, or as much as there is room for in the document."""
        self.compact = compact
        self.invalidate()

    def set_expanded(self, expanded: bool) -> None:
        """Show all of the output, or its last rows."""
        self._expanded = expanded
        self.invalidate()

    def set_elapsed(self, seconds: int) -> None:
        """Show how long the command has been running."""
        self._seconds = seconds
        self.invalidate()

    def set_output(self, text: str) -> None:
        """Take the end of what has been printed so far."""
        self._output = text
        self.invalidate()

    def finish(self, message: BashExecutionMessage) -> None:
        """Take the result."""
        self._message = message
        self.set_output(message.output)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Expand or collapse at a click; a press is left to whoever selects text."""
        if event.type != "click" or event.button != "left" or event.y == 0:
            return None
        self.set_expanded(not self._expanded)
        return MouseResult(handled=True)

    def make_rows(self, width: int) -> list[str]:
        """Return an empty row, then the command between its rules; compact, without them."""
        if self.compact:
            return self._compact_rows(width)
        rule = self._theme.fg(self._token, "─" * width) + "\x1b[0m"
        padding = 1 if width > 2 else 0
        room = width - 2 * padding
        rows = [*self._title_rows(room), *self._output_rows(room), *self._status_rows(room)]
        return ["", rule, *(" " * padding + row for row in rows), rule]

    def _compact_rows(self, width: int) -> list[str]:
        title = self._theme.style(f" $ {plain_line(self._command.text)}", fg=self._token, bold=True)
        if self._message is not None:
            status = " ".join(self._status()) or self._theme.fg("muted", "done")
            room = max(0, width - visible_width(status) - 1)
            return [truncate_to_width(f"{truncate_to_width(title, room, '…')} {status}", width, "")]
        text = plain_text(self._output).rstrip("\n")
        output = last_rows(text, _COMPACT_ROWS, max(1, width - 1)).rows if text else []
        rows = [title, *(self._theme.fg("muted", f" {row}") for row in [*output, self._running()])]
        return [truncate_to_width(row, width, "…") for row in rows]

    def _title_rows(self, width: int) -> list[str]:
        title = plain_text(self._command.text)
        return wrap_rows(self._theme.style(f"$ {title}", fg=self._token, bold=True), width)

    def _output_rows(self, width: int) -> list[str]:
        text = plain_text(self._output).strip("\n")
        if not text:
            return []
        if self._expanded:
            return [self._theme.fg("muted", row) for row in wrap_rows(text, width)]
        shown = last_rows(text, _COLLAPSED_ROWS, width)
        rows = [self._theme.fg("muted", row) for row in shown.rows]
        hidden = count_lines(text) - shown.lines
        if not hidden:
            return rows
        hint = f"... ({hidden} earlier lines, {self._expand_key} to expand)"
        return [*wrap_rows(self._theme.fg("muted", hint), width), *rows]

    def _status_rows(self, width: int) -> list[str]:
        running = self._theme.fg("muted", self._running())
        parts = [running] if self._message is None else self._status()
        return [row for part in parts for row in wrap_rows(part, width)]

    def _running(self) -> str:
        # Beside a run Escape ends that.
        escape = "" if self.compact else " (esc to cancel)"
        seconds = f" {duration(self._seconds)}" if self._seconds else ""
        return f"Running...{seconds}{escape}"

    def _status(self) -> list[str]:
        """Return how the command ended, if that needs saying, and what is not shown."""
        message = self._message
        if message is None:
            return []
        parts: list[str] = []
        if message.cancelled:
            parts.append(self._theme.fg("warning", "(cancelled)"))
        elif message.exit_code:
            parts.append(self._theme.fg("error", f"(exit {message.exit_code})"))
        if message.truncated and not self.compact:
            path = plain_line(message.full_output_path or "")
            where = f" Full output: {path}" if path else ""
            parts.append(self._theme.fg("warning", f"[Output truncated.{where}]"))
        return parts
