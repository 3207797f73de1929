"""Entries that a transcript makes when they come into view: as if they had been there, and few at a time."""

from __future__ import annotations

import gc
import weakref

from hypothesis import given
from hypothesis import strategies as st

from pi_tui.component import Component
from pi_tui.components.later_entries import MOST_KEPT
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.transcript import Transcript
from tests.pi_tui.components.test_scroll_view import Entry, Screen


class Made:
    """Makes entries of some height; `names` are those that were made."""

    def __init__(self, height: int = 2) -> None:
        self.height = height
        self.names: list[int] = []
        self.alive: weakref.WeakSet[Component] = weakref.WeakSet()

    def make(self, number: int) -> Entry:
        self.names.append(number)
        entry = Entry(f"e{number}", self.height)
        self.alive.add(entry)
        return entry


def view_of(count: int, made: Made) -> tuple[Transcript, ScrollView, Screen]:
    transcript = Transcript()
    transcript.append_later(count, made.make)
    view = ScrollView(transcript, follow="end", primary=True)
    return transcript, view, Screen(view)


def test_only_what_comes_into_view_is_made() -> None:
    for count in (100, 100_000):
        made = Made()
        _, view, screen = view_of(count, made)
        assert screen.draw()[-1] == f"e{count - 1}.1"
        assert len(made.names) <= 10
        view.scroll_by(-10)
        screen.draw()
        assert len(made.names) <= 20
        assert min(made.names) >= count - 20


def test_what_is_far_away_is_let_go_and_made_again() -> None:
    made = Made()
    transcript, view, screen = view_of(5000, made)
    screen.draw()
    for index in range(5000):
        transcript.entry_height(index, 20, None)
    gc.collect()
    assert len(made.alive) <= MOST_KEPT + screen.height  # what the screen shows stays
    height = transcript.estimate(20)
    view.scroll_to_start()
    assert screen.draw()[:3] == ["e0.0", "e0.1", "e1.0"]
    assert transcript.estimate(20) == height == 10_000


def test_what_is_in_use_is_not_made_anew() -> None:
    made = Made()
    transcript, _, screen = view_of(5000, made)
    for index in range(4000):
        screen.draw()
        transcript.entry_height(index, 20, None)
    assert all(made.names.count(number) == 1 for number in range(4995, 5000))


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 4)), max_size=8),
    st.lists(st.integers(0, 30), max_size=3),
    st.integers(1, 30),
)
def test_a_document_is_the_same_whenever_its_entries_are_made(
    parts: list[tuple[bool, int]], gone: list[int], width: int
) -> None:
    later, at_once = Transcript(), Transcript()
    seen: list[Entry] = []

    def pick(number: int, entries: list[Entry]) -> Entry:
        return entries[number]

    for is_later, count in parts:
        entries = [Entry(f"{len(seen)}/{number}", number) for number in range(count)]
        seen += entries
        if is_later:
            later.append_later(count, lambda number, entries=entries: pick(number, entries))  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
        else:
            for entry in entries:
                later.append(entry)
        for entry in entries:
            at_once.append(entry)
    for number in gone:
        if number < len(seen):
            later.render(width)
            later.remove(seen[number])
            at_once.remove(seen[number])
    assert later.render(width) == at_once.render(width)
    assert later.entry_count() == at_once.entry_count()


def test_a_document_that_is_cleared_makes_nothing_more() -> None:
    made = Made()
    transcript, _, screen = view_of(50, made)
    screen.draw()
    transcript.clear()
    made.names.clear()
    transcript.append_later(3, Made(1).make)
    assert transcript.render(20) == ["e0.0", "e1.0", "e2.0"]
    assert made.names == []
