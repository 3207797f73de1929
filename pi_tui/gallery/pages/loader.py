"""Something is going on."""

from __future__ import annotations

from functools import partial

from pi_tui.components import CancellableLoader, Indicator, Loader
from pi_tui.gallery.button import Button
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    theme = stage.theme
    make = partial(Loader, stage.tui, partial(theme.fg, "accent"), partial(theme.fg, "muted"))
    loaders = (
        make("Working"),
        make("Frames of your own", Indicator("◐◓◑◒", interval=0.2)),
        make("One frame stands still", Indicator("●")),
        make("No frames at all", Indicator(())),
    )
    cancellable = CancellableLoader(
        stage.tui, partial(theme.fg, "accent"), str, "Escape calls this off"
    )
    cancellable.on_abort = lambda: cancellable.set_message("Called off")
    cancellable.signal.on_abort(cancellable.stop)

    def stop() -> None:
        for loader in loaders:
            loader.stop()

    def start() -> None:
        for loader in loaders:
            loader.start()

    def close() -> None:
        stop()
        cancellable.dispose()

    buttons = Button("Stop", stop, theme), Button("Start", start, theme)
    rows = [("", part) for part in (*loaders, *buttons, cancellable)]
    return Piece(samples(theme, *rows), focus=(*buttons, cancellable), close=close)


PAGE = Page(
    "Loader",
    "A loader asks for a frame whenever it turns. Whoever made one stops it when it is no longer shown.",
    build,
    ("Loader", "CancellableLoader", "Indicator"),
)
