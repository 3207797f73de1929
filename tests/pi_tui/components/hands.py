"""Hands that use a component the way a terminal's user does: what a measured session's steps send."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.key_parser import parse_key
from tests.pi_tui import look

# One colour for each slot of a theme, so that the rows tell which slot drew what.
SLOT_COLORS = {
    slot: number
    for number, slot in enumerate(
        (
            "selected_text",
            "description",
            "scroll_info",
            "no_match",
            "label",
            "selected_label",
            "value",
            "selected_value",
            "hint",
        ),
        start=100,
    )
}


class Used(Protocol):
    """A component that takes keys."""

    def render(self, width: int) -> list[str]:
        """Return the rows."""
        ...

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key."""
        ...

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste."""
        ...


def play(
    component: Used,
    width: int,
    keys: list[str],
    raw: list[list[str] | None],
    program: Mapping[str, Callable[[str], object]],
) -> int:
    """Do each step: a paste, something of the program's, or the pieces of input that a terminal sends.

    Returns the width in the end.
    """
    component.render(width)
    for step, pieces in zip(keys, raw, strict=True):
        kind, _, rest = step.partition(":")
        if kind == "paste" and step != kind:
            component.handle_paste(PasteEvent(rest))
        elif kind == "resize":
            width = int(rest)
        elif kind in program and step != kind:
            program[kind](rest)
        for piece in (pieces or []) if kind != "paste" else []:
            event = parse_key(piece.encode())
            assert event is not None, f"not a key: {piece!r}"
            component.handle_key(event)
            component.render(width)
        component.render(width)
    return width


def slot_style(slot: str) -> Callable[[str], str]:
    """Return the style that marks a slot of a theme."""
    return lambda text: f"\x1b[38;5;{SLOT_COLORS[slot]}m{text}\x1b[39m"


def plain(rows: list[str]) -> list[str]:
    """Return rows as text."""
    return [strip_terminal_sequences(row) for row in rows]


def slot_spans(rows: list[str], slots: tuple[str, ...]) -> list[list[list[str]]]:
    """Return rows as parts of one slot each."""
    names = {f"fg={SLOT_COLORS[slot]}": slot for slot in slots}
    return [[[text, names.get(style, style)] for text, style in look.parts(row)] for row in rows]
