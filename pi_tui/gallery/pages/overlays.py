"""Components over the frame."""

from __future__ import annotations

from functools import partial
from typing import Final

from pi_tui import OverlayAnchor, OverlayHandle, Theme
from pi_tui.components import Box, Text
from pi_tui.gallery.button import Button
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples

_ANCHORS: Final[tuple[OverlayAnchor, ...]] = (
    *("top-left", "top-center", "top-right"),
    *("left-center", "center", "right-center"),
    *("bottom-left", "bottom-center", "bottom-right"),
)


class Labels:
    """A label at every anchor, none of which takes the keys."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._handles: list[OverlayHandle] = []

    def toggle(self) -> None:
        """Show them all, or none."""
        if self._handles:
            self.hide()
            return
        for anchor in _ANCHORS:
            card = panel(self._stage.theme, anchor)
            self._handles.append(
                self._stage.tui.show_overlay(
                    card, anchor=anchor, width="30%", margin=1, non_capturing=True
                )
            )

    def hide(self) -> None:
        """Take them away."""
        for handle in self._handles:
            handle.hide()
        self._handles = []


class Dialog(Box):
    """A question with a button, which has the keys while it shows."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(2, 1, partial(stage.theme.bg, "customMessageBg"))
        self._tui = stage.tui
        self._button = Button("Close", self.hide, stage.theme)
        self._handle: OverlayHandle | None = None
        self.add_child(Text("This has the keys, and lies over the rest.", 0, 0))
        self.add_child(self._button)

    def show(self) -> None:
        """Open in the middle; it keeps the keys from what is below."""
        if self._handle is None:
            self._handle = self._tui.show_overlay(self, width="50%", min_width=18)
            self._tui.set_focus(self._button)

    def hide(self) -> None:
        """Go away; the keys return to where they were."""
        if self._handle is not None:
            self._handle.hide()
            self._handle = None


def panel(theme: Theme, text: str) -> Box:
    """Return a panel with a text."""
    box = Box(1, 0, partial(theme.bg, "selectedBg"))
    box.add_child(Text(text, 0, 0))
    return box


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    labels, dialog = Labels(stage), Dialog(stage)
    buttons = (
        Button("A label at every anchor", labels.toggle, stage.theme),
        Button("A dialog", dialog.show, stage.theme),
    )

    def close() -> None:
        labels.hide()
        dialog.hide()

    below = "What lies below is not laid out anew: 世界 stays whole at the edges. " * 12
    rows = [("", button) for button in buttons]
    return Piece(
        samples(stage.theme, *rows, ("", Text(below, 0, 0))),
        focus=buttons,
        close=close,
    )


PAGE = Page(
    "Overlays",
    "Cards over the frame, at nine anchors or by cells and shares, with the keys or without.",
    build,
    ("OverlayAnchor", "OverlayHandle", "OverlayOptions"),
)
