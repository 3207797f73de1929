"""How a `bash` call looks: the command, the end of its output, how it ended and how long it took."""

from __future__ import annotations

from collections.abc import Mapping

from pi_agent.base.wire import JsonValue
from pi_agent.ui.plain import plain_line
from pi_agent.ui.renderers.tool_row import ToolRow, shown_argument
from pi_agent.ui.renderers.truncation import truncation_of
from pi_tui.patterns import pattern
from pi_tui.wrap import wrap_rows

# What the tool adds to the output for the model: here it has rows of its own.
_FOOTER = pattern(
    r"\n*\[Showing [^\n]*(?:Full output|Beginning of the output|The rest could not be kept)[^\n]*\]"
    r"(?=\n*(?:Command [^\n]*)?\Z)"
)
_STATUS = pattern(r"(?:\A|\n+)(Command (?:exited with code|aborted|timed out)[^\n]*)\Z")


class BashRow(ToolRow):
    """Shows a command."""

    collapsed_rows = 5
    shows_end = True
    is_timed = True

    def title(self, arguments: Mapping[str, JsonValue]) -> str:
        """Return the command as in a shell."""
        command = shown_argument(arguments, "command", self.theme)
        title = self.theme.style(f"$ {command}", fg="toolTitle", bold=True)
        timeout = arguments.get("timeout")
        if isinstance(timeout, int | float):
            title += self.theme.fg("muted", f" (timeout {timeout:g}s)")
        return title

    def body(self, width: int) -> list[str]:
        """Return the output, what is not in it, and the reason of a failure."""
        text = _FOOTER.sub("", self.output)
        status = _STATUS.search(text) if self.state == "error" else None
        if status is not None:
            text = text[: status.start()]
        token = "error" if self.state == "error" and status is None else "toolOutput"
        rows = self.cut_rows(text, width, token, self.collapsed_rows)
        rows += self._warning_rows(width)
        if status is not None:
            rows += wrap_rows(self.theme.fg("error", status[1]), width)
        return rows

    def _warning_rows(self, width: int) -> list[str]:
        cut = truncation_of(self.details)
        if cut is None or not isinstance(self.details, dict):
            return []
        path = plain_line(str(self.details.get("fullOutputPath", "")))
        problem = plain_line(str(self.details.get("fullOutputProblem", "")))
        where = (
            f"{'Beginning of the output' if problem else 'Full output'}: {path}. " if path else ""
        )
        why = f" ({problem})" if problem else ""
        what = f"showing {cut.shown_lines} of {cut.total_lines} lines"
        return self.warning(f"[{where}Truncated: {what}{why}]", width)
