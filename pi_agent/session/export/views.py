"""What of an entry has to be read to be shown: Markdown, code, and what programs wrote in colours.

The view of an entry has a part for each block of its content, `None` for what the page shows as it is.
"""

from __future__ import annotations

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.session.entries import Entry
from pi_agent.session.export.code import code_nodes
from pi_agent.session.export.markdown import markdown_nodes
from pi_agent.session.export.nodes import Node
from pi_agent.session.export.terminal_text import terminal_nodes
from pi_tui.highlight import get_language_from_path

Nodes = list[Node] | None

_SUMMARIES = ("compaction", "branch_summary")
_MARKDOWN_ROLES = ("user", "assistant", "custom")


class EntryViews:
    """Makes the views of a session's entries in their order, since a result is shown by what was called."""

    def __init__(self) -> None:
        self._calls: dict[str, JsonObject] = {}

    def of(self, entry: Entry) -> list[Nodes] | None:
        """Return the view of an entry; `None` if it needs none."""
        if entry.type in _SUMMARIES:
            parts: list[Nodes] = [_markdown(entry.raw.get("summary"))]
        elif entry.type == "custom_message":
            parts = [_block(block, "custom") for block in _blocks(entry.raw.get("content"))]
        else:
            message = entry.raw.get("message")
            parts = self._message(message) if isinstance(message, dict) else []
        return parts if any(part is not None for part in parts) else None

    def _message(self, message: JsonObject) -> list[Nodes]:
        role = message.get("role")
        blocks = _blocks(message.get("content"))
        if role == "toolResult":
            call = self._calls.get(str(message.get("toolCallId")), {})
            return [_output(block, call) for block in blocks]
        if role == "bashExecution":
            return [_terminal(message.get("output"))]
        if role == "assistant":
            self._calls |= {str(block.get("id")): block for block in blocks if _is_call(block)}
        return [_block(block, str(role)) for block in blocks]


def _blocks(content: JsonValue) -> list[JsonObject]:
    """Return the blocks of a message, each in its place; text alone is one."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    blocks = content if isinstance(content, list) else []
    return [block if isinstance(block, dict) else {} for block in blocks]


def _is_call(block: JsonObject) -> bool:
    return block.get("type") == "toolCall"


def _block(block: JsonObject, role: str) -> Nodes:
    if _is_call(block):
        return _arguments(block)
    kind = block.get("type")
    is_markdown = kind == "thinking" or (kind == "text" and role in _MARKDOWN_ROLES)
    return _markdown(block.get(str(kind))) if is_markdown else None


def _markdown(text: JsonValue) -> Nodes:
    return markdown_nodes(text) if isinstance(text, str) and text.strip() else None


def _arguments(call: JsonObject) -> Nodes:
    """Return the code that is a call's argument."""
    name, arguments = call.get("name"), call.get("arguments")
    if not isinstance(arguments, dict):
        return None
    if name == "bash":
        return _code(arguments.get("command"), "bash")
    if name == "write":
        return _code(arguments.get("content"), _language(arguments))
    return None


def _output(block: JsonObject, call: JsonObject) -> Nodes:
    """Return what a tool gave back: a file that was read as code, else what a terminal would show."""
    text, arguments = block.get("text"), call.get("arguments")
    if call.get("name") == "read" and isinstance(arguments, dict):
        return _code(text, _language(arguments))
    return _terminal(text)


def _terminal(text: JsonValue) -> Nodes:
    return terminal_nodes(text) if isinstance(text, str) else None


def _code(text: JsonValue, language: str) -> Nodes:
    if not isinstance(text, str) or not language:
        return None
    nodes = code_nodes(text, language)
    # Text alone is in the entry already.
    return nodes if any(isinstance(node, list) for node in nodes) else None


def _language(arguments: JsonObject) -> str:
    path = arguments.get("path")
    return get_language_from_path(path) or "" if isinstance(path, str) else ""
