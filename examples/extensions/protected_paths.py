"""Let the model read everything, but change nothing that is protected.

Start it with `pi -e examples/extensions/protected_paths.py` and let it write a `.env` file. The gate looks at the tools
`write` and `edit`; what a shell command does is for a gate like `permission_gate.py`, or a sandbox.
"""

from __future__ import annotations

import os
from pathlib import Path

from pi_agent import ExtensionAPI, ExtensionContext, ToolCallDecision, ToolCallEvent

# Names of files and folders, wherever they are.
PROTECTED = frozenset({".git", ".env", ".ssh", "node_modules"})
CHANGES_FILES = frozenset({"write", "edit"})


def protected_part(path: str, cwd: str) -> str | None:
    """Return what is protected about a path, given as the model writes it."""
    written = Path(cwd, Path(path.removeprefix("@")).expanduser())
    # Both what is written and where it leads: neither `a/../.git` nor a symlink is a way around.
    for candidate in (Path(os.path.normpath(written)), Path(os.path.realpath(written))):
        for part in candidate.parts:
            name = part.casefold()
            if name in PROTECTED or name.startswith(".env."):
                return part
    return None


def setup(pi: ExtensionAPI) -> None:
    """Put the gate before every tool call."""

    @pi.on("tool_call")
    def protect(event: ToolCallEvent, ctx: ExtensionContext) -> ToolCallDecision | None:
        if event.tool_name not in CHANGES_FILES:
            return None
        part = protected_part(str(event.input.get("path", "")), ctx.cwd)
        if part is None:
            return None
        # The model reads the reason: it should say what to do instead.
        reason = f"{part} is protected. Tell the user what you wanted to change in it, and go on."
        return ToolCallDecision(block=True, reason=reason)
