"""Changes of the system prompt where they were made, for models that take system messages amid a conversation.

What a provider has cached of a conversation stays valid then: nothing that was sent before is sent otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.llm.messages import Message, SystemMessage


def with_notices(messages: Sequence[Message]) -> tuple[list[SystemMessage], list[Message]] | None:
    """Return the system messages that lead, and all others with later system messages put into words.

    `None` if none leads: then the whole prompt has to.
    """
    start = next(
        (at for at, message in enumerate(messages) if not isinstance(message, SystemMessage)),
        len(messages),
    )
    leading = [message for message in messages[:start] if isinstance(message, SystemMessage)]
    if not leading:
        return None
    return leading, [
        message.model_copy(update={"content": notice_text(message)})
        if isinstance(message, SystemMessage)
        else message
        for message in messages[start:]
    ]


def notice_text(message: SystemMessage) -> str:
    """Return what a patch of the system prompt says, in words."""
    parts = [message.content] if message.content else []
    for name, section in (message.sections or {}).items():
        if section is None:
            parts.append(f"The section `{name}` of your instructions no longer applies.")
        else:
            parts.append(f"The section `{name}` of your instructions now reads:\n{section}")
    added = [tool.name for tool in message.tools_added or ()]
    removed = [tool.name for tool in message.tools_removed or () if tool.name not in added]
    if added:
        parts.append(f"Tools that were added or have changed: {', '.join(added)}.")
    if removed:
        parts.append(f"Tools that are gone: {', '.join(removed)}.")
    return "\n\n".join(parts)
