"""Components that break their contract, and what becomes of them."""

from __future__ import annotations

from pi_tui import Component
from pi_tui.components import Text
from pi_tui.gallery.button import Button
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


class Raises(Component):
    """Fails to draw."""

    def render(self, width: int) -> list[str]:
        """Raise."""
        raise ValueError("no idea what to draw")


class TooWide(Component):
    """Ignores its width."""

    def render(self, width: int) -> list[str]:
        """Return a row that is too wide."""
        return ["too wide " * 100]


class NoList(Component):
    """Returns something else than rows."""

    def render(self, width: int) -> list[str]:
        """Return a text."""
        return "not a list"  # type: ignore[return-value]  # the mistake that is shown


class NoText(Component):
    """Returns rows that are no text."""

    def render(self, width: int) -> list[str]:
        """Return a number among the rows."""
        return ["a row", 5]  # type: ignore[list-item]  # the mistake that is shown


class Lines(Component):
    """Returns a row that is two."""

    def render(self, width: int) -> list[str]:
        """Return a row with a line break."""
        return ["one row"[:width] + "\n" + "and another"[:width]]


class Controls(Component):
    """Tries to move the cursor and to clear the screen."""

    def render(self, width: int) -> list[str]:
        """Return a row with control sequences."""
        return ["\x1b[2J\x1b[H" + "home?"[:width] + "\x07"]


def fail() -> None:
    """Raise from a handler of a key."""
    raise RuntimeError("a key that nobody expected")


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    button = Button("Raise from a key", fail, stage.theme)
    return Piece(
        samples(
            stage.theme,
            ("raises", Raises()),
            ("is too wide", TooWide()),
            ("returns no list", NoList()),
            ("returns a row that is a number", NoText()),
            ("returns a row with a line break", Lines()),
            ("writes control sequences", Controls()),
            ("fails with a key", button),
            ("", Text("And this one stands where it should.", 0, 0)),
        ),
        focus=(button,),
    )


PAGE = Page(
    "Misbehaving",
    "What fails costs its own rows, is reported once through `on_component_error`, and the program goes on.",
    build,
    ("LineTooWideError",),
)
