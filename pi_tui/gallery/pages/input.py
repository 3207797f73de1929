"""One line of text to edit."""

from __future__ import annotations

from functools import partial

from pi_tui.components import Input
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    name = Input("Name: ", "with a placeholder", partial(stage.theme.fg, "dim"))
    long = Input()
    long.set_value("longer than the row, so that it scrolls sideways: " + "日本語 👨‍👩‍👧 abc " * 4)
    secret = Input("Key: ", mask="•")
    secret.clear_at_end = 4  # the last characters are shown
    secret.set_value("sk-0123456789")
    for each in (name, long, secret):
        each.on_submit = lambda text: stage.say(f"submitted: {text}")
        each.on_change = lambda text: stage.say(f"changed: {text}")
        each.on_escape = lambda: stage.say("escape")
    return Piece(
        samples(
            stage.theme, ("Input(prompt, placeholder)", name), ("", long), ('mask="•"', secret)
        ),
        focus=(name, long, secret),
    )


PAGE = Page(
    "Input",
    "Type, paste, press Enter; words, kill ring and undo as in the editor. Tab goes on to the next one.",
    build,
    ("Input",),
)
