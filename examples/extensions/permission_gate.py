"""Ask before the model runs a dangerous shell command.

Start it with `pi -e examples/extensions/permission_gate.py`. Commands that delete whole folders without asking,
run as administrator or open files to everybody need a yes; where nobody can be asked they are blocked.
"""

from __future__ import annotations

import re

from pi_agent import ExtensionAPI, ExtensionContext, ToolCallDecision, ToolCallEvent

# Options of one command: everything up to the next command of the line.
_REST = r"[^;&|\n]*\s"
_DANGERS = {
    "deletes folders without asking": re.compile(
        rf"\brm\b(?={_REST}(-\w*r|--recursive))(?={_REST}(-\w*f|--force))", re.IGNORECASE
    ),
    "runs as administrator": re.compile(r"\bsudo\b"),
    "opens files to everybody": re.compile(rf"\bchmod\b{_REST}0?777\b"),
}


def danger_in(command: str) -> str | None:
    """Return what is dangerous about a command."""
    command = command.replace("\\\n", " ")
    return next((danger for danger, pattern in _DANGERS.items() if pattern.search(command)), None)


def setup(pi: ExtensionAPI) -> None:
    """Put the gate before every tool call."""

    @pi.on("tool_call")
    async def gate(event: ToolCallEvent, ctx: ExtensionContext) -> ToolCallDecision | None:
        if event.tool_name != "bash":
            return None
        command = str(event.input.get("command", ""))
        danger = danger_in(command)
        if danger is None:
            return None
        # A gate that cannot ask must not let the call pass.
        if not ctx.has_ui:
            reason = f"Blocked: this command {danger}, and nobody can be asked"
            return ToolCallDecision(block=True, reason=reason)
        # With the signal the dialog closes, and answers no, when the run is aborted.
        if await ctx.ui.confirm(f"This command {danger}. Run it?", command, signal=ctx.signal):
            return None
        return ToolCallDecision(block=True, reason="Blocked by the user")
