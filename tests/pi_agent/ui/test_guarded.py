"""A component of an extension must not hurt the screen, whatever it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.extensions.guard import ExtensionError, ExtensionGuard, FailureReports
from pi_agent.ui.guarded import Guarded
from pi_tui.component import Component
from pi_tui.components.container import Container
from pi_tui.components.text import Text
from pi_tui.events import KeyEvent, MouseEvent
from pi_tui.width import visible_width
from tests.pi_tui.strategies import styled_texts

KEY = KeyEvent("a", "a")


class Piece(Component):
    """Does what it is told at each call, the last thing again and again."""

    def __init__(self, *does: Any) -> None:
        self.does = list(does)
        self.calls = 0
        self.disposed = 0

    def act(self) -> Any:
        self.calls += 1
        now = self.does.pop(0) if len(self.does) > 1 else self.does[0]
        if isinstance(now, Exception):
            raise now
        return now

    def render(self, width: int) -> list[str]:
        rows: list[str] = self.act()
        return rows

    def handle_key(self, event: KeyEvent) -> bool | None:
        used: bool = self.act()
        return used

    def handle_mouse(self, event: MouseEvent) -> bool | None:
        used: bool = self.act()
        return used

    def invalidate(self) -> None:
        self.act()

    def dispose(self) -> None:
        self.disposed += 1
        self.act()


def guarded(component: Any, **fields: Any) -> tuple[Guarded, list[ExtensionError]]:
    reported: list[ExtensionError] = []
    guard = ExtensionGuard("ext.py", "widget", FailureReports(reported.append))
    piece = Guarded(
        component, guard, lambda width, problem: [] if problem is None else [f"({problem})"]
    )
    return piece, reported


def test_what_works_is_shown_and_keeps_its_list() -> None:
    rows = ["one", "two"]
    piece, reported = guarded(Piece(rows))
    assert piece.render(10) is rows
    assert reported == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (RuntimeError("boom"), "boom"),
        (None, "render() returned NoneType, not a list of strings"),
        ("text", "render() returned str, not a list of strings"),
        (["fine", 5], "render() returned a row that is int, not str"),
        (RuntimeError("\x1b[2Jclear\nme"), "clear me"),
    ],
)
def test_a_frame_that_fails_shows_the_fallback_and_the_next_one_tries_again(
    wrong: object, said: str
) -> None:
    piece, reported = guarded(Piece(["ok"], ["ok"], wrong, ["back"]))
    shown = [piece.render(80) for _ in range(4)]
    assert shown == [["ok"], ["ok"], [f"({said})"], ["back"]]
    assert len(reported) == 1
    assert (reported[0].extension_path, reported[0].event) == ("ext.py", "widget")


def test_three_failures_in_ten_frames_are_enough() -> None:
    bad, good = RuntimeError("boom"), ["ok"]
    component = Piece(bad, *[good] * 3, bad, *[good] * 3, bad, good)
    piece, reported = guarded(component)
    quarantined: list[BaseException] = []
    piece.on_quarantine = quarantined.append
    shown = [piece.render(80) for _ in range(12)]
    assert shown == [["(boom)"], *[good] * 3, ["(boom)"], *[good] * 3, *[[]] * 4]
    assert component.calls == 9
    assert piece.is_quarantined
    assert quarantined == [bad]
    assert len(reported) == 1
    piece.handle_key(KEY)
    assert component.calls == 9


def test_failures_far_apart_are_forgiven() -> None:
    bad, good = RuntimeError("boom"), ["ok"]
    does = [bad, *[good] * 5] * 4
    piece, _ = guarded(Piece(*does))
    for _ in does:
        piece.render(80)
    assert not piece.is_quarantined


def test_a_child_that_fails_fails_the_piece() -> None:
    """Containers would show an error in the child's place, which nobody would be told of."""
    whole = Container()
    whole.add_child(Text("fine"))
    whole.add_child(Piece(RuntimeError("child")))
    piece, reported = guarded(whole)
    assert piece.render(80) == ["(child)"]
    assert [error.error for error in reported] == ["child"]


def test_rows_that_do_not_fit_are_cut_and_told_once() -> None:
    piece, reported = guarded(Piece(["x" * 24, "日本語", "a\nb"], ["y" * 30]))
    assert piece.render(5) == ["xxxxx", "日本 ", "a", "b"]
    assert piece.render(20) == ["y" * 20]
    assert [error.error for error in reported] == [
        "render() returned a row of 24 cells where 5 fit"
    ]


def test_rows_only_draw_and_what_else_they_bring_is_told_once() -> None:
    row = "\x1b[2Ja\x07\x1b]8;;http://x\x07\x1b[1mb\x1b[0m\x1b]8;;\x07"
    piece, reported = guarded(Piece([row]))
    assert piece.render(9) == ["a\x1b]8;;http://x\x07\x1b[1mb\x1b[0m\x1b]8;;\x07"]
    assert [error.error for error in reported] == [
        "render() returned a row with a control sequence in it"
    ]


@given(st.lists(styled_texts, max_size=4), st.integers(1, 30))
def test_no_row_is_ever_wider_than_its_width(rows: list[str], width: int) -> None:
    piece, _ = guarded(Piece(rows))
    for row in piece.render(width):
        assert visible_width(row) <= width
        assert "\n" not in row


@pytest.mark.parametrize(
    "use", [lambda piece: piece.handle_key(KEY), lambda piece: piece.handle_paste(KEY)]
)
def test_input_that_it_fails_at_is_lost_and_it_stays(use: Callable[[Guarded], Any]) -> None:
    component = Piece(RuntimeError("boom"))
    component.handle_paste = component.handle_key  # type: ignore[assignment,method-assign]  # fails alike
    piece, reported = guarded(component)
    assert use(piece) in (True, None)
    use(piece)
    assert len(reported) == 1
    assert component.calls == 2


def test_dispose_comes_once_and_may_fail() -> None:
    component = Piece(RuntimeError("boom"))
    piece, reported = guarded(component)
    piece.dispose()
    piece.dispose()
    assert component.disposed == 1
    assert [(error.extension_path, error.error) for error in reported] == [("ext.py", "boom")]


def test_a_cache_that_it_fails_to_drop_is_told() -> None:
    piece, reported = guarded(Piece(RuntimeError("boom")))
    piece.invalidate()
    assert [error.error for error in reported] == ["boom"]


def test_a_component_with_nothing_but_render_is_enough() -> None:
    class Bare:
        def render(self, width: int) -> list[str]:
            return ["bare"]

    piece, reported = guarded(Bare())
    assert piece.render(5) == ["bare"]
    piece.handle_key(KEY)
    piece.invalidate()
    piece.focused = True
    piece.dispose()
    assert not piece.focused
    assert not piece.wants_key_release
    assert reported == []
