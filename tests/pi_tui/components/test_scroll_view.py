"""A scroll view shows the right rows, keeps its place, and looks only at what it shows."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pi_tui.component import Component
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.transcript import Transcript
from pi_tui.layout import Box, LayoutContext, Viewport, layout_box


class Entry(Component):
    """`height` rows that say which they are; counts how often it is asked."""

    def __init__(self, name: str, height: int) -> None:
        self.name = name
        self.renders = 0
        self._rows: list[str] = []
        self.set_height(height)

    def set_height(self, height: int) -> None:
        self._rows = [f"{self.name}.{row}" for row in range(height)]

    def render(self, width: int) -> list[str]:
        self.renders += 1
        return self._rows


class Wrapped(Component):
    """A text of `cells` cells: its height follows the width."""

    def __init__(self, name: str, cells: int) -> None:
        self.name = name
        self.cells = cells

    def render(self, width: int) -> list[str]:
        return [f"{self.name}.{row}" for row in range(-(-self.cells // width))]


def rows_of(box: Box) -> list[str]:
    return [row for child in box.children for row in child.lines]


class Screen:
    """Lays a view out as the frame loop does."""

    def __init__(self, view: ScrollView, width: int = 20, height: int = 10) -> None:
        self.view = view
        self.width = width
        self.height = height

    def draw(self, content_changed: bool = True) -> list[str]:
        context = LayoutContext(Viewport(self.width, self.height))
        box = layout_box(self.view, context, 0, self.width, self.height, 0, self.height)
        return rows_of(box)


def make(heights: list[int]) -> tuple[Transcript, ScrollView, Screen]:
    transcript = Transcript()
    for number, height in enumerate(heights):
        transcript.append(Entry(f"e{number}", height))
    view = ScrollView(transcript, follow="end", primary=True)
    return transcript, view, Screen(view)


def test_following_shows_the_last_rows_whatever_is_added() -> None:
    transcript, view, screen = make([3] * 10)
    assert screen.draw()[-1] == "e9.2"
    transcript.append(Entry("new", 2))
    assert screen.draw()[-2:] == ["new.0", "new.1"]
    assert view.is_following_end


def test_scrolling_up_stops_following_and_the_end_resumes_it() -> None:
    _, view, screen = make([3] * 10)
    screen.draw()
    assert view.scroll_top == 20
    assert view.scroll_by(-3) == 0
    assert (view.scroll_top, view.is_following_end) == (17, False)
    assert view.scroll_by(10) == 7
    assert (view.scroll_top, view.is_following_end) == (20, True)


def test_output_below_does_not_move_a_view_that_was_scrolled_away() -> None:
    transcript, view, screen = make([3] * 10)
    screen.draw()
    view.scroll_by(-12)
    before = screen.draw()
    for number in range(50):
        transcript.append(Entry(f"late{number}", 4))
    assert screen.draw() == before


def test_rows_that_change_above_do_not_move_what_is_on_screen() -> None:
    transcript, view, screen = make([3] * 30)
    screen.draw()
    view.scroll_by(-20)
    before = screen.draw()
    first = transcript.entries[0]
    assert isinstance(first, Entry)
    first.set_height(40)
    assert screen.draw() == before


def test_a_resize_keeps_the_entry_at_the_top() -> None:
    transcript = Transcript()
    for number in range(40):
        transcript.append(Wrapped(f"w{number}", 100))
    view = ScrollView(transcript, follow="end")
    screen = Screen(view, width=20)
    screen.draw()
    view.scroll_by(-60)
    top = screen.draw()[0].split(".")[0]
    for width in (7, 50, 20):
        screen.width = width
        assert screen.draw()[0].split(".")[0] == top


def test_content_that_shrinks_leaves_no_empty_rows() -> None:
    transcript, view, screen = make([3] * 10)
    screen.draw()
    view.scroll_by(-2)
    screen.draw()
    for entry in transcript.entries[4:]:
        assert isinstance(entry, Entry)
        entry.set_height(0)
    assert screen.draw() == [f"e{n}.{r}" for n in range(4) for r in range(3)][-10:]


def test_scroll_to_start_and_end() -> None:
    _, view, screen = make([3] * 10)
    screen.draw()
    view.scroll_to_start()
    assert screen.draw()[0] == "e0.0"
    assert not view.is_following_end
    view.scroll_to_end()
    assert screen.draw()[-1] == "e9.2"
    assert view.is_following_end


def test_a_frame_renders_only_the_entries_in_view() -> None:
    for count in (100, 10_000):
        transcript, view, screen = make([3] * count)
        screen.draw()
        screen.draw()
        entries = [entry for entry in transcript.entries if isinstance(entry, Entry)]
        assert sum(entry.renders for entry in entries) <= 2 * 5
        for entry in entries:
            entry.renders = 0
        view.scroll_by(-30)
        screen.draw()
        assert sum(entry.renders for entry in entries) <= 24


def test_a_jump_into_a_long_transcript_looks_at_a_viewport_of_it() -> None:
    transcript, view, screen = make([3] * 10_000)
    screen.draw()
    entries = [entry for entry in transcript.entries if isinstance(entry, Entry)]
    for entry in entries:
        entry.renders = 0
    view.scroll_to(15_000)
    assert screen.draw()[0] == "e5000.0"
    assert sum(entry.renders for entry in entries) <= 12


def test_a_resize_of_a_long_transcript_looks_at_a_viewport_of_it() -> None:
    transcript, _, screen = make([3] * 10_000)
    screen.draw()
    entries = [entry for entry in transcript.entries if isinstance(entry, Entry)]
    for entry in entries:
        entry.renders = 0
    screen.width = 33
    screen.draw()
    assert sum(entry.renders for entry in entries) <= 8


heights = st.lists(st.integers(0, 7), min_size=1, max_size=25)
moves = st.lists(st.integers(-15, 15), max_size=12)


@settings(max_examples=200)
@given(heights, moves, st.integers(1, 12))
@example([1, 0, 2, 7], [-1, 1], 9)
def test_any_scrolling_shows_a_slice_of_the_document(
    sizes: list[int], steps: list[int], height: int
) -> None:
    _, view, screen = make(sizes)
    screen.height = height
    document = [f"e{n}.{row}" for n, size in enumerate(sizes) for row in range(size)]
    last = max(0, len(document) - height)
    screen.draw()
    top = last
    for step in steps:
        unused = view.scroll_by(step)
        wanted = top + step
        top = min(max(0, wanted), last)
        assert unused == wanted - top
        assert screen.draw() == document[top : top + height]
        assert view.is_following_end == (top == last)


def test_the_tail_for_the_exit_is_cut_and_counted() -> None:
    _, view, screen = make([3] * 200)
    screen.draw()
    rows, before = view.tail(20, 50)
    assert rows[-1] == "e199.2"
    assert len(rows) == 50
    assert before == 550


def test_scrolling_past_entries_that_grew_out_of_sight_skips_no_row() -> None:
    transcript, view, screen = make([3] * 10)
    screen.draw()
    view.scroll_by(-20)
    top = screen.draw()
    last = transcript.entries[-1]
    assert isinstance(last, Entry)
    last.set_height(90)
    screen.draw()
    seen = set(top)
    while not view.is_following_end:
        view.scroll_by(5)
        seen.update(screen.draw())
    assert {f"e9.{row}" for row in range(90)} <= seen


def test_scrolling_up_through_entries_that_were_opened_skips_no_row() -> None:
    transcript, view, screen = make([3] * 30)
    for _ in range(5):
        screen.draw()
        view.scroll_by(-12)
    view.scroll_to_end()
    screen.draw()
    for entry in transcript.entries:
        assert isinstance(entry, Entry)
        entry.set_height(12)
    seen = set(screen.draw())
    while view.scroll_by(-3) == 0:
        seen.update(screen.draw())
    seen.update(screen.draw())
    assert seen == {f"e{number}.{row}" for number in range(30) for row in range(12)}


def test_an_entry_removed_above_does_not_move_what_is_on_screen() -> None:
    transcript, view, screen = make([3] * 30)
    screen.draw()
    view.scroll_by(-40)
    before = screen.draw()
    transcript.remove(transcript.entries[2])
    transcript.remove(transcript.entries[5])
    assert screen.draw() == before


def test_the_length_is_estimated_from_what_was_measured() -> None:
    _, view, screen = make([10] * 300)
    screen.draw()
    assert view.content_height == 3000
    screen.width = 10
    screen.draw()
    assert 2000 <= view.content_height <= 6000


def test_a_stack_asks_a_long_view_for_its_size_without_drawing_it() -> None:
    transcript, view, _ = make([3] * 2000)
    stack = VStack([view, Entry("foot", 1)])
    context = LayoutContext(Viewport(20, 10))
    layout_box(stack, context, 0, 20, 10, 0, 10)
    entries = [entry for entry in transcript.entries if isinstance(entry, Entry)]
    assert sum(entry.renders for entry in entries) <= 8


def test_the_next_row_of_a_kind_is_looked_for_in_both_directions() -> None:
    _, view, screen = make([3] * 30)
    screen.draw()

    def wanted(row: str) -> bool:
        return row in ("e4.0", "e20.1", "e29.0")

    tops = []
    for step in (-1, -1, -1, 1, 1, 1):
        found = view.scroll_to_row(step, wanted)
        tops.append((found, screen.draw()[0]))
    assert tops == [
        (True, "e20.1"),
        (True, "e4.0"),
        (False, "e4.0"),
        (True, "e20.1"),
        (True, "e26.2"),  # the end: the row itself is further down
        (True, "e26.2"),
    ]
    assert view.is_following_end


def test_entries_that_grow_above_the_fold_leave_the_first_row_in_view_alone() -> None:
    transcript, view, screen = make([3] * 10)
    top = screen.draw()[0]
    view.stop_following()
    last = transcript.entries[-1]
    assert isinstance(last, Entry)
    last.set_height(40)
    assert screen.draw()[0] == top
    assert not view.is_following_end
    last.set_height(3)
    assert screen.draw()[0] == top
    assert view.is_following_end


def test_an_entry_is_shown_from_its_beginning_or_with_the_end() -> None:
    transcript = Transcript()
    for entry in (Entry("a", 15), Entry("b", 12), Entry("c", 3)):
        transcript.append(entry)
    screen = Screen(ScrollView(transcript, follow="end"))
    screen.draw()
    screen.view.scroll_to_entry(1)
    assert screen.draw() == [f"b.{row}" for row in range(10)]
    assert not screen.view.is_following_end
    screen.view.scroll_to_entry(2)
    assert screen.draw()[-1] == "c.2"
    assert screen.view.is_following_end
