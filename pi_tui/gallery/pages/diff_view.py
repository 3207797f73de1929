"""What has changed."""

from __future__ import annotations

from pi_tui import get_diff_theme
from pi_tui.components import DiffView
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples

_OLD = """\
def area(radius):
    # roughly
    return 3.14 * radius ** 2


def main():
    print(area(1))
    print(area(2))
    print("done")


main()
"""
_NEW = """\
import math


def area(radius: float) -> float:
    return math.pi * radius ** 2


def main():
    print(area(1))
    print(area(2))
    print("できました")


main()
"""


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    looks = get_diff_theme(stage.theme)
    return Piece(
        samples(
            stage.theme,
            ("one below the other", DiffView(_OLD, _NEW, looks, "unified")),
            ("side by side", DiffView(_OLD, _NEW, looks, "sideBySide", context=1)),
            ("no changes", DiffView(_OLD, _OLD, looks)),
        )
    )


PAGE = Page(
    "DiffView",
    "Left to itself it chooses: side by side from 100 columns on. Words that changed within a line stand out.",
    build,
    ("DiffView", "DiffTheme", "get_diff_theme"),
)
