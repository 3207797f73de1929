"""Any component can take the mouse."""

from __future__ import annotations

from functools import partial

from pi_tui import MouseEvent, StackEntry
from pi_tui.components import HStack, MouseRegion, Text
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def build(stage: Stage) -> Piece:
    """Return the page's piece."""

    def on_mouse(name: str, event: MouseEvent) -> bool:
        # Who takes clicks alone is not in the way of selecting text.
        if event.type == "click":
            stage.say(f"{name}: click {event.click_count} at {event.x},{event.y}")
        return event.type == "click"

    def region(name: str, token: str) -> MouseRegion:
        panel = Text(name, 1, 1, bg=partial(stage.theme.bg, token))
        return MouseRegion(panel, partial(on_mouse, name))

    pair = HStack(
        [
            StackEntry(region("left", "toolSuccessBg"), basis=0, grow=1),
            StackEntry(region("right", "toolErrorBg"), basis=0, grow=1),
        ],
        gap=1,
    )
    inner = region("inside of another", "selectedBg")
    outer = MouseRegion(inner, partial(on_mouse, "never asked: the inner one takes it"))
    return Piece(samples(stage.theme, ("side by side", pair), ("nested", outer)))


PAGE = Page(
    "MouseRegion",
    "Click, twice and three times. Coordinates are those of the component.",
    build,
    ("MouseRegion", "MouseEvent"),
)
