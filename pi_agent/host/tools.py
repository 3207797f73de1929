"""Which tools are active."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from pi_agent.base.errors import PiError
from pi_agent.loop.tool import ToolDefinition


def select_tools(
    available: Sequence[ToolDefinition],
    *,
    chosen: Sequence[str] | None = None,
    excluded: Sequence[str] = (),
    none: bool = False,
) -> list[ToolDefinition]:
    """Return the active tools, in the order of `available`.

    `chosen` is a list of names or patterns, or of changes (`+name`, `-name`) to what is on by default.
    `excluded` comes last. Raises `PiError` for a name that no tool has, and for a mix of both forms.
    """
    if none:
        return []
    active = {tool.name for tool in available if tool.default_active}
    if chosen is not None:
        active = _chosen(available, active, [part.strip() for part in chosen if part.strip()])
    names = [name for name in active if not any(fnmatchcase(name, part) for part in excluded)]
    return [tool for tool in available if tool.name in names]


def _chosen(
    available: Sequence[ToolDefinition], default: set[str], parts: Sequence[str]
) -> set[str]:
    changes = [part for part in parts if part[0] in "+-"]
    if changes and len(changes) != len(parts):
        raise PiError(
            "--tools mixes names with changes (+name, -name).",
            "Give either a list of names, or only changes to the default tools.",
        )
    active = set(default) if changes else set()
    for part in parts:
        pattern = part[1:] if changes else part
        matches = {tool.name for tool in available if fnmatchcase(tool.name, pattern)}
        if not matches:
            names = ", ".join(tool.name for tool in available)
            raise PiError(f'There is no tool "{pattern}".', f"There are: {names}.")
        active = active - matches if part.startswith("-") else active | matches
    return active
