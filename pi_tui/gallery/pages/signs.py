"""What a program says to the terminal besides its screen."""

from __future__ import annotations

from functools import partial

from pi_tui import BlockedKind, ProgramState, get_capabilities, get_cell_size
from pi_tui.components import Text
from pi_tui.gallery.button import Button
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples

_STATES: tuple[tuple[ProgramState, BlockedKind | None, str], ...] = (
    ("working", None, ""),
    ("blocked", "question", "Which page?"),
    ("blocked", "permission", "May I?"),
    ("done", None, ""),
    ("error", None, "It did not work"),
    ("clear", None, ""),
)


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    tui, theme = stage.tui, stage.theme

    def tell(state: ProgramState, kind: BlockedKind | None, message: str) -> None:
        tui.set_program_status(state, "gallery", kind, message)
        stage.say(f"Told: {state}, in a terminal that asks to know")

    def name(title: str | None) -> None:
        tui.set_title(title)
        stage.say("Look at the window's title" if title else "It has the name that it had")

    def show(is_shown: bool) -> None:
        tui.set_progress(is_shown)
        stage.say("Look at the window's frame or tab" if is_shown else "No progress is shown")

    def forget() -> None:
        tui.set_title(None)
        tui.set_progress(False)
        tui.set_program_status("clear")

    titles = (
        Button("Name the window", partial(name, "A walk through the gallery"), theme),
        Button("Give its name back", partial(name, None), theme),
    )
    progress = (
        Button("Show progress", partial(show, True), theme),
        Button("Show none", partial(show, False), theme),
    )
    states = tuple(
        Button(f"{state} ({kind})" if kind else state, partial(tell, state, kind, message), theme)
        for state, kind, message in _STATES
    )
    rows = [
        ("What this terminal is taken to show", Text(_capabilities(), 0, 0)),
        ("Title", titles[0]),
        ("", titles[1]),
        ("Progress", progress[0]),
        ("", progress[1]),
        ("Status", states[0]),
        *(("", button) for button in states[1:]),
    ]
    return Piece(samples(theme, *rows), focus=(*titles, *progress, *states), close=forget)


def _capabilities() -> str:
    shown = get_capabilities()
    width, height = get_cell_size()
    return (
        f"pictures: {shown.images or 'none'}, all colors: {_yes(shown.true_color)},"
        f" links: {_yes(shown.hyperlinks)}, cells of {width}x{height} pixels"
    )


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


PAGE = Page(
    "Title and status",
    "What a program says besides its screen: the window's title, progress in its frame, and what it does, for terminals"
    " that show that. All of it is taken back when the program ends.",
    build,
    ("get_capabilities", "get_cell_size", "ProgramState", "BlockedKind"),
)
