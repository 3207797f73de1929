"""`samples`: components one below the other, each with a word about it."""

from __future__ import annotations

from functools import partial

from pi_tui import Container, Renderable, Theme
from pi_tui.components import Spacer, Text


def samples(theme: Theme, *rows: tuple[str, Renderable]) -> Container:
    """Return the components below their labels."""
    container = Container()
    for number, (label, component) in enumerate(rows):
        if number:
            container.add_child(Spacer())
        if label:
            container.add_child(Text(label, 0, 0, style=partial(theme.fg, "muted")))
        container.add_child(component)
    return container
