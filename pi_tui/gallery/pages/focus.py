"""Who has the keys."""

from __future__ import annotations

from pi_tui import is_focusable
from pi_tui.components import Input
from pi_tui.gallery.bar import Bar
from pi_tui.gallery.button import Button
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    tui = stage.tui

    def who() -> str:
        component = tui.focused_component
        return type(component).__name__ if is_focusable(component) else "nobody"

    name = Input("Type here: ")
    give = Button("Give the keys to the input", lambda: tui.set_focus(name), stage.theme)
    nobody = Button("Give them to nobody, until a click", lambda: tui.set_focus(None), stage.theme)
    return Piece(
        samples(
            stage.theme,
            ("has the keys", Bar(who)),
            ("can have them: whatever has the attribute `focused`", name),
            ("", give),
            ("", nobody),
        ),
        focus=(give, nobody, name),
    )


PAGE = Page(
    "Focus",
    "Keys go to one component. Those that it has no use for come to `on_unhandled_key`, which makes Tab go on here."
    " With nobody to take them only input listeners see keys: Ctrl+N still works.",
    build,
    ("is_focusable", "Focusable"),
)
