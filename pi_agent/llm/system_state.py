"""What the system messages of a transcript add up to, and the patch from one such state to another.

The first system message of a session says everything; later ones say only what has changed. So a branch
or a resumed session knows exactly what the model was told, and provider caches stay valid.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import field

from pi_agent.llm.messages import Message, SystemMessage, ToolDeclaration, ToolName
from pi_tui.frozen import frozen


@frozen
class SystemState:
    """Prompt text, named sections and declared tools, each in order."""

    content: str = ""
    sections: Mapping[str, str] = field(default_factory=dict)
    tools: tuple[ToolDeclaration, ...] = ()


def replay_system(messages: Iterable[Message]) -> SystemState:
    """Return what the system messages among `messages` add up to."""
    texts: list[str] = []
    sections: dict[str, str] = {}
    tools: dict[str, ToolDeclaration] = {}
    for message in messages:
        if not isinstance(message, SystemMessage):
            continue
        if message.content:
            texts.append(message.content)
        for name, section in (message.sections or {}).items():
            if section is None:
                sections.pop(name, None)
            else:
                sections[name] = section
        for removed in message.tools_removed or ():
            tools.pop(removed.name, None)
        for added in message.tools_added or ():
            tools[added.name] = added
    return SystemState("\n\n".join(texts), sections, tuple(tools.values()))


def render_system(state: SystemState) -> str:
    """Return the prompt as one text: the content, then the sections, with blank lines between."""
    return "\n\n".join(part for part in (state.content, *state.sections.values()) if part)


def system_patch(old: SystemState, new: SystemState, timestamp: int = 0) -> SystemMessage | None:
    """Return the message that leads from `old` to `new`; `None` if they say the same.

    Order counts for nothing: what stays keeps its place. Content can only be given once: other than
    sections, it is never taken back.
    """
    sections = _changed_sections(old.sections, new.sections)
    removed, added = _changed_tools(old.tools, new.tools)
    content = new.content if not old.content else ""
    if not (content or sections or removed or added):
        return None
    return SystemMessage(
        content=content,
        sections=sections or None,
        tools_removed=removed or None,
        tools_added=added or None,
        timestamp=timestamp,
    )


def _changed_sections(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str | None]:
    gone: dict[str, str | None] = {name: None for name in old if name not in new}
    return gone | {name: text for name, text in new.items() if old.get(name) != text}


def _changed_tools(
    old: Iterable[ToolDeclaration], new: Iterable[ToolDeclaration]
) -> tuple[list[ToolName], list[ToolDeclaration]]:
    before = {tool.name: canonical_declaration(tool) for tool in old}
    after = {tool.name: (tool, canonical_declaration(tool)) for tool in new}
    removed = [
        ToolName(name=name)
        for name, told in before.items()
        if name not in after or after[name][1] != told
    ]
    added = [tool for name, (tool, told) in after.items() if before.get(name) != told]
    return removed, added


def canonical_declaration(tool: ToolDeclaration) -> str:
    """Return a declaration as text that is equal exactly if the declarations mean the same."""
    return json.dumps(tool.to_wire(), sort_keys=True, separators=(",", ":"))
