"""What is said, and how the run begins that answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from pi_agent.llm.messages import (
    CustomMessage,
    ImageContent,
    TextContent,
    UserMessage,
    text_of,
)
from pi_tui.frozen import frozen


@frozen
class Input:
    """A text with its pictures; `waited` is the message of one that was queued."""

    text: str
    images: Sequence[ImageContent] = ()
    waited: UserMessage | None = None

    @classmethod
    def queued(cls, message: UserMessage) -> Input:
        """Say what waited, as it is."""
        blocks = [] if isinstance(message.content, str) else message.content
        images = [block for block in blocks if isinstance(block, ImageContent)]
        return cls(text_of(message.content), images, message)

    def message(self, now_ms: int) -> UserMessage:
        """Return it as the model gets it."""
        if self.waited is not None:
            return self.waited
        content: list[TextContent | ImageContent] = [TextContent(text=self.text), *self.images]
        return UserMessage(content=content, timestamp=now_ms)


@frozen(kw_only=True)
class RunStart:
    """What a run begins with besides what was said.

    `sections` make the system prompt, unless `forced_prompt` takes its place in every request; the transcript
    keeps the sections in any case. `messages` follow the one that was said.
    """

    sections: Mapping[str, str] = field(default_factory=dict)
    left_out_tools: frozenset[str] = frozenset()
    messages: Sequence[CustomMessage] = ()
    forced_prompt: str | None = None
