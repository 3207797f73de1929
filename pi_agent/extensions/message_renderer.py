"""What draws the messages that extensions put into the conversation, and what it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_agent.extensions.owner import Owner
from pi_agent.extensions.registry import Callback
from pi_agent.llm.messages import CustomMessage
from pi_tui.frozen import frozen
from pi_tui.keybindings import key_display_text, key_text

if TYPE_CHECKING:
    from pi_tui.component import Renderable
    from pi_tui.theme import Theme


@frozen
class MessageRenderOptions:
    """How a message is to be drawn: all of it if `expanded`, with `output_pad` columns free at both sides."""

    expanded: bool = False
    output_pad: int = 1

    def key_text(self, action: str) -> str:
        """Return the keys that the user has for an action, `ctrl+o`; empty if there are none."""
        return key_text(action)

    def key_hint(self, action: str, text: str) -> str:
        """Return the keys and what they do, `Ctrl+O expand`; empty if there are none."""
        keys = key_display_text(action)
        return f"{keys} {text}" if keys else ""


MessageRenderer = (
    Callable[[CustomMessage, MessageRenderOptions, "Theme"], "Renderable | None"]
    | Callable[[CustomMessage, MessageRenderOptions], "Renderable | None"]
    | Callable[[CustomMessage], "Renderable | None"]
)


@frozen
class OwnedRenderer:
    """A renderer, and the extension that it belongs to."""

    owner: Owner
    render: Callback
