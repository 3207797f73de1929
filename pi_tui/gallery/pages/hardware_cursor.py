"""The terminal's own cursor."""

from __future__ import annotations

from pi_tui.components import Input
from pi_tui.gallery.button import Button
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    tui = stage.tui
    before = tui.get_show_hardware_cursor()

    def toggle() -> None:
        tui.set_show_hardware_cursor(not tui.get_show_hardware_cursor())

    text = Input("Type: ", "日本語でも")
    button = Button("The terminal's cursor, or not", toggle, stage.theme)
    return Piece(
        samples(stage.theme, ("", text), ("", button)),
        focus=(text, button),
        close=lambda: tui.set_show_hardware_cursor(before),
    )


PAGE = Page(
    "Hardware cursor",
    "A component marks where one types with CURSOR_MARKER. The cursor stands there even while it is hidden: input"
    " methods open their windows beside it.",
    build,
    ("CURSOR_MARKER", "render_fake_cursor"),
)
