"""What the page shows of formatted text: a small tree of elements, as JSON.

A node is text, or a list: the name of an element, with classes behind dots, its attributes if it has any, and its
children. The page makes elements of it by an allow-list and text of all else, so nothing in it can be markup.
"""

from __future__ import annotations

from pi_agent.base.wire import JsonValue
from pi_tui.ansi import sanitize_output, strip_terminal_sequences
from pi_tui.patterns import pattern

Node = JsonValue

# Makes a browser show what follows in another order than it is in.
_REORDERING = pattern("[\u202a-\u202e\u2066-\u2069]")
# What can be opened from the page, and what can be shown in it without asking a network.
_LINK = pattern(r"(?:https?:|mailto:)[^\s\x00-\x1f]*", flags=2)
_PICTURE = pattern(r"data:image/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/=]*", flags=2)


def element(name: str, *children: Node, **attributes: JsonValue) -> Node:
    """Return an element."""
    return [name, attributes, *children] if attributes else [name, *children]


def plain(text: str) -> str:
    """Return text without control sequences; what would reorder it is replaced visibly."""
    clean = strip_terminal_sequences(sanitize_output(text))
    return clean if clean.isascii() else _REORDERING.sub("\ufffd", clean)


def link_target(href: str) -> str | None:
    """Return where a link may lead; `None` if it may not be one."""
    return href if _LINK.fullmatch(href) else None


def picture_source(source: str) -> str | None:
    """Return what a picture may be made of; `None` if that is not in the text itself."""
    return source if _PICTURE.fullmatch(source) else None
