"""Finding text in a document: through styles, wraps and wide characters, a bounded number of rows at a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.component import Component
from pi_tui.components.container import Container
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.layout import LayoutContext, Viewport
from pi_tui.search_text import Found, SearchPattern, SearchText
from pi_tui.search_walk import SearchWalk
from pi_tui.width import visible_width
from pi_tui.window import Anchor
from pi_tui.wrap import wrap_text_with_ansi
from tests.pi_tui.call_count import Calls

READ_ROWS = 100


def find(query: str, *rows: str, width: int = 20) -> list[Found]:
    text = SearchText(width)
    text.add(rows)
    return text.find(SearchPattern(query))


class Entry(Component):
    """An entry that counts how often it is drawn."""

    def __init__(self, *rows: str) -> None:
        self.rows = list(rows)
        self.drawn = 0

    def render(self, width: int) -> list[str]:
        self.drawn += 1
        return self.rows


def lay_out(view: ScrollView, width: int = 20, height: int = 5) -> None:
    context = LayoutContext(Viewport(width, height))
    view.layout_box(context, 0, width, height, 0, height)


def walk_in(*entries: Entry, follow: bool = False) -> tuple[SearchWalk, Transcript]:
    document = Transcript()
    for entry in entries:
        document.append(entry)
    view = ScrollView(document, follow="end" if follow else "none", primary=True)
    lay_out(view)
    return SearchWalk(view), document


def read_all(walk: SearchWalk) -> int:
    """Read to the end; returns in how many slices."""
    slices = 0
    while not walk.is_done:
        before = walk.rows_read
        walk.read(READ_ROWS)
        assert walk.rows_read - before <= READ_ROWS
        slices += 1
    return slices


def seen(walk: SearchWalk) -> list[tuple[int, int, int]]:
    lay_out(walk.view)
    walk.follow_view(content_changed=True)
    return [(found.row, found.start, found.end) for found in walk.highlights()]


def test_a_match_is_told_by_its_cells() -> None:
    assert find("world", "hello world") == [Found(0, 6, 0, 11)]
    assert find("WORLD", "Hello World, world") == [Found(0, 6, 0, 11), Found(0, 13, 0, 18)]
    assert find("本", "日本語 日本語") == [Found(0, 2, 0, 4), Found(0, 9, 0, 11)]
    assert find("aa", "aaaaa") == [Found(0, 0, 0, 2), Found(0, 2, 0, 4)]
    assert find("", "text") == find("  ", "text") == []


def test_styles_and_links_are_no_text() -> None:
    row = "\x1b[1mhel\x1b[31mlo \x1b]8;;http://a\x07wor\x1b]8;;\x07ld\x1b[0m"
    assert find("hello world", row) == [Found(0, 0, 0, 11)]
    assert find("31m", row) == find("http", row) == []


def test_a_query_is_no_pattern() -> None:
    assert find("a.c", "abc a.c") == [Found(0, 4, 0, 7)]
    assert find("(", "f(x)") == [Found(0, 1, 0, 2)]


def test_blanks_and_ends_of_rows_are_one_space() -> None:
    assert find("two three", "one two   ", "  three four") == [Found(0, 4, 1, 7)]
    assert find("one  two", "one two") == [Found(0, 0, 0, 7)]
    assert find("a b", "a", "", "b") == [Found(0, 0, 2, 1)]
    assert find("onetwo", "one", "two") == []


def test_a_word_that_was_cut_at_the_end_of_a_full_row_is_whole() -> None:
    assert find("abcdef", " abc", " def", width=5) == [Found(0, 1, 1, 4)]
    assert find("日本語", "日本", "語", width=5) == [Found(0, 0, 1, 2)]
    assert find("abc def", "abc", "def", width=3) == [Found(0, 0, 1, 3)]
    assert find("ab日本cd", "ab", "日本", "cd") == [Found(0, 0, 2, 2)]


def test_a_mark_alone_is_found_on_its_character() -> None:
    assert find("\u0301", "ae\u0301b") == [Found(0, 1, 0, 2)]


WORDS = st.text(alphabet="abAB日本 .", min_size=1, max_size=40)


@given(WORDS, st.integers(4, 30), st.data())
def test_whatever_stands_in_a_text_is_found_however_it_is_wrapped(
    text: str, width: int, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    query = text[start : start + data.draw(st.integers(1, 12))]
    if query.strip():
        rows = wrap_text_with_ansi(text, width)
        assert find(query, *rows, width=width)


@given(WORDS, st.integers(1, 30), st.text(alphabet="abAB日本 ", max_size=4))
def test_matches_are_in_order_and_inside_their_rows(text: str, width: int, query: str) -> None:
    rows = wrap_text_with_ansi(text, width)
    found = find(query, *rows, width=width)
    assert found == sorted(found)
    for row, column, last_row, end in found:
        assert 0 <= column <= visible_width(rows[row])
        assert 0 < end <= visible_width(rows[last_row])


def test_what_was_never_drawn_is_found_and_the_nearest_first() -> None:
    entries = [Entry(f"entry {number}", "") for number in range(1000)]
    walk, _ = walk_in(*entries)
    walk.view.scroll_to_entry(500)
    lay_out(walk.view)
    walk.look_for("entry 51")
    walk.read(READ_ROWS)
    assert walk.current is not None
    assert walk.current.anchor == Anchor(510)
    assert walk.status() == "1/10…"
    read_all(walk)
    assert walk.status() == "2/11"
    assert {entry.drawn for entry in entries[10:400]} == {1}


def test_one_slice_does_not_cost_more_in_a_long_document() -> None:
    drawn = []
    for count in (1_000, 20_000):
        entries = [Entry(f"entry {number}") for number in range(count)]
        walk, _ = walk_in(*entries, follow=True)
        before = sum(entry.drawn for entry in entries)
        walk.look_for("entry")
        walk.read(READ_ROWS)
        drawn.append(sum(entry.drawn for entry in entries) - before)
    assert drawn == [READ_ROWS, READ_ROWS]


def test_painting_does_not_cost_more_with_many_matches() -> None:
    calls = []
    for count in (1_000, 100_000):
        walk, _ = walk_in(*[Entry(f"entry {number}") for number in range(count)])
        walk.look_for("entry")
        walk.read(10 * count)
        assert walk.status() == f"1/{count}"
        with Calls() as counted:
            assert len(list(walk.highlights())) == 5
        calls.append(counted.count)
    assert calls[0] == calls[1]


def test_an_entry_of_many_rows_is_read_in_pieces() -> None:
    whole = Container()
    for number in range(2_000):
        whole.add_child(Text(f"line {number}", 0, 0))
    view = ScrollView(whole, primary=True)
    lay_out(view)
    walk = SearchWalk(view)
    walk.look_for("line 1999")
    walk.read(1)
    assert walk.status() == "…"
    while not walk.is_done:
        walk.read(1)
    assert walk.current is not None
    assert walk.current.anchor == Anchor(0, 1999)


def test_next_and_previous_go_round() -> None:
    walk, _ = walk_in(*[Entry(f"row {number}", "needle") for number in range(3)])
    walk.look_for("needle")
    read_all(walk)
    visited = []
    for step in (1, 1, 1, -1, -1):
        visited.append(walk.status())
        walk.step(step)
    assert visited == ["1/3", "2/3", "3/3", "1/3", "3/3"]


def test_a_step_over_what_was_not_read_yet_waits_for_it() -> None:
    walk, _ = walk_in(*[Entry("needle" if number % 300 == 0 else "hay") for number in range(1000)])
    walk.look_for("needle")
    walk.read(READ_ROWS)
    walk.step(-1)
    assert walk.status() == "1/1…"
    read_all(walk)
    assert walk.status() == "4/4"
    assert walk.current is not None
    assert walk.current.anchor == Anchor(900)


def test_a_longer_query_goes_on_from_the_match_and_a_missing_one_says_so() -> None:
    walk, _ = walk_in(Entry("ab"), Entry("abc"), Entry("ab"), Entry("abcd"))
    for query, status in (("ab", "1/4"), ("abc", "1/2"), ("abcd", "1/1"), ("abcde", "No matches")):
        walk.look_for(query)
        read_all(walk)
        assert walk.status() == status
    walk.step(1)
    walk.look_for("")
    assert walk.status() == ""


def test_content_that_changes_is_followed_without_moving_the_view() -> None:
    entries = [Entry("needle"), Entry("hay"), Entry("needle")]
    walk, document = walk_in(*entries)
    walk.look_for("needle")
    read_all(walk)
    walk.step(1)
    top = walk.view.anchor
    entries[1].rows = ["a needle and a needle"]
    assert len(seen(walk)) == 2
    read_all(walk)
    assert seen(walk) == [(0, 0, 6), (1, 2, 8), (1, 15, 21), (2, 0, 6)]
    assert walk.status() == "4/4"  # the same match
    document.append(Entry("needle"))
    seen(walk)
    read_all(walk)
    assert walk.status() == "4/5"
    document.remove(entries[2])
    seen(walk)
    read_all(walk)
    assert walk.status() == "4/4"
    assert walk.view.anchor == top


def test_entries_that_are_gone_before_they_were_read() -> None:
    walk, document = walk_in(*[Entry("needle") for _ in range(300)])
    walk.look_for("needle")
    walk.read(READ_ROWS)
    document.clear()
    read_all(walk)
    assert walk.status() == "No matches"
    assert seen(walk) == []


@pytest.mark.parametrize("height", [1, 2, 5])
def test_a_match_out_of_view_comes_a_third_down(height: int) -> None:
    walk, _ = walk_in(*[Entry(f"entry {number}.") for number in range(100)], follow=True)
    lay_out(walk.view, height=height)
    walk.look_for("entry 50.")
    read_all(walk)
    assert walk.view.anchor == Anchor(50 - height // 3)
    assert not walk.view.is_following_end


def test_rows_that_are_wrapped_anew_keep_the_place_among_the_matches() -> None:
    document = Transcript()
    for _ in range(6):
        document.append(Text("some words and a needle", 0, 0))
    view = ScrollView(document, primary=True)
    lay_out(view, 30)
    walk = SearchWalk(view)
    walk.look_for("needle")
    read_all(walk)
    walk.step(1)
    lay_out(view, 10)
    walk.follow_view(content_changed=True)
    read_all(walk)
    assert walk.status() == "2/6"
    assert list(walk.highlights()) == [(2, 0, 6, False)]
