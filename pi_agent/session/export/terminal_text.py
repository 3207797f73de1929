"""What a program wrote to a terminal as nodes of the page, with its colours."""

from __future__ import annotations

from functools import lru_cache

from pi_agent.base.wire import JsonValue
from pi_agent.session.export.nodes import Node, plain
from pi_tui.ansi import AnsiState, sanitize_output, split_sequences
from pi_tui.colors import color_to_hex, indexed_color, rgb_color

_CLASSES = {
    "1": "bold",
    "2": "faint",
    "3": "italic",
    "4": "underline",
    "7": "inverse",
    "9": "struck",
}
_PALETTE_STARTS = {"3": 0, "9": 8, "4": 0, "10": 8}


def terminal_nodes(text: str) -> list[Node] | None:
    """Return the text with its colours; `None` if it is just text."""
    if "\x1b" not in text:
        return None
    state = AnsiState()
    nodes: list[Node] = []
    for is_sequence, piece in split_sequences(sanitize_output(text)):
        if is_sequence:
            state.feed(piece)
        else:
            nodes.append(_styled(plain(piece), state.open_codes()))
    return nodes


def _styled(text: str, codes: str) -> Node:
    name, attributes = _look(codes)
    if attributes:
        return [name, dict(attributes), text]
    return text if name == "span" else [name, text]


@lru_cache(maxsize=256)
def _look(codes: str) -> tuple[str, tuple[tuple[str, JsonValue], ...]]:
    """Return the element with its classes, and its colours, for the codes that are active."""
    name = "span"
    colors: dict[str, JsonValue] = {}
    parts = codes.removeprefix("\x1b[").partition("m")[0].split(";")
    while parts:
        code = parts.pop(0)
        if code in ("38", "48"):
            count = 1 if parts[:1] == ["5"] else 3
            kind, arguments = parts[:1], parts[1 : 1 + count]
            del parts[: 1 + count]
            color = _color(kind, arguments)
            if color is not None:
                colors["color" if code == "38" else "background"] = color
        elif code in _CLASSES:
            name += f".{_CLASSES[code]}"
        elif code[:-1] in _PALETTE_STARTS and code[-1] < "8":
            slot = "color" if code[:-1] in ("3", "9") else "background"
            colors[slot] = f"ansi-{int(code[-1]) + _PALETTE_STARTS[code[:-1]]}"
    return name, tuple(colors.items())


def _color(kind: list[str], arguments: list[str]) -> str | None:
    """Return a colour as the page takes it: one of the 16 by its number, others as they are."""
    numbers = [int(number) for number in arguments if number.isdigit() and int(number) < 256]
    if kind == ["5"] and len(numbers) == 1:
        return f"ansi-{numbers[0]}" if numbers[0] < 16 else color_to_hex(indexed_color(numbers[0]))
    return color_to_hex(rgb_color(*numbers)) if kind == ["2"] and len(numbers) == 3 else None
