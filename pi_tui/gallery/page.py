"""What a page of the gallery is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pi_tui import TUI, Renderable, ThemeHandle


def _nothing() -> None:
    """Have nothing to put away."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What a page may use: the screen, the theme, and a row below it that says what happened."""

    tui: TUI
    theme: ThemeHandle
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Piece:
    """What a page shows. Tab goes through `focus`; `close` puts away what lives on by itself.

    A piece that `fills` divides the height that there is; any other scrolls when it is higher.
    """

    component: Renderable
    focus: tuple[Renderable, ...] = ()
    fills: bool = False
    close: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name in the list, what there is to see and to try, and which public names it is about."""

    title: str
    about: str
    build: Callable[[Stage], Piece]
    shows: tuple[str, ...]
