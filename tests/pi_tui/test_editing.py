"""The text buffer: units, markers, undo and the kill ring."""

from __future__ import annotations

import tracemalloc

import pytest
import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.edit_history import History, KillRing, UndoStack
from pi_tui.editing import PLAIN_TEXT, Position, TextBuffer, normalize_text

FAMILY = "👨‍👩‍👧‍👦"
ELEVEN_LINES = "\n".join("abcdefghijk")
TWELVE_LINES = "\n".join("lmnopqrstuvw")


def _buffer(text: str, *pastes: str) -> TextBuffer:
    buffer = TextBuffer()
    buffer.replace_all(text)
    for paste in pastes:
        buffer.paste(paste)
    return buffer


def test_a_unit_is_a_whole_grapheme_cluster() -> None:
    buffer = _buffer(f"a{FAMILY}e\u0301🇩🇪한b")
    stops: list[int] = []
    while buffer.cursor.col:
        buffer.cursor = buffer.unit_before(buffer.cursor)
        stops.append(buffer.cursor.col)
    assert stops == [13, 12, 10, 8, 1, 0]
    back: list[int] = [buffer.cursor.col]
    while buffer.cursor != buffer.end:
        buffer.cursor = buffer.unit_after(buffer.cursor)
        back.append(buffer.cursor.col)
    assert back == [0, 1, 8, 10, 12, 13, 14]


def test_plain_characters_have_a_width_of_their_own_and_never_join() -> None:
    plain = [c for c in map(chr, range(0x20, 0x10000)) if PLAIN_TEXT.fullmatch(c)]
    assert len(plain) > 40_000
    assert all(wcwidth.width(c) == (1 if c < "\u1100" else 2) for c in plain)
    mixed = "".join(plain[::7] + plain[::-5])
    assert len(list(wcwidth.iter_graphemes(mixed))) == len(mixed)


clusters = st.lists(
    st.sampled_from(
        [*"a 你한한นํ❤👩🏽🇩🇪1", *"\u0301\u200b\u200d\ufe0f\u20e3\u0915\u094d\u0937\u0600"]
    ),
    max_size=14,
).map("".join)


@settings(max_examples=200)
@given(text=clusters)
def test_walking_back_meets_the_boundaries_that_walking_forward_does(text: str) -> None:
    expected = [0]
    for cluster in wcwidth.iter_graphemes(text):
        expected.insert(0, expected[0] + len(cluster))
    buffer = _buffer(text)
    stops = [buffer.cursor.col]
    while buffer.cursor.col:
        buffer.cursor = buffer.unit_before(buffer.cursor)
        stops.append(buffer.cursor.col)
    assert stops == expected


def test_moves_cross_line_breaks_and_stop_at_the_ends() -> None:
    buffer = _buffer("ab\ncd")
    assert buffer.unit_before(Position(1, 0)) == Position(0, 2)
    assert buffer.unit_after(Position(0, 2)) == Position(1, 0)
    assert buffer.unit_before(Position(0, 0)) == Position(0, 0)
    assert buffer.unit_after(Position(1, 2)) == Position(1, 2)


def test_the_cursor_leaves_a_cluster_that_an_edit_made() -> None:
    buffer = _buffer("\u0301x")
    buffer.cursor = Position(0, 0)
    buffer.insert("e")
    assert buffer.cursor == Position(0, 2)
    buffer = _buffer("👨👩")
    buffer.cursor = Position(0, 1)
    buffer.insert("\u200d")
    assert buffer.cursor == Position(0, 3)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a\tb\r\nc\rd\x1b[31m\x07z", "a    b\nc\nd[31mz"),
        ("\x9b31m\x7f\x00", "31m"),
        ("\ud83d!", "\ufffd!"),
        ("日本\n語", "日本\n語"),
    ],
)
def test_text_is_held_without_controls(given: str, kept: str) -> None:
    assert normalize_text(given) == kept


def test_ten_lines_and_a_thousand_characters_are_still_text() -> None:
    assert _buffer("", "\n".join("abcdefghij")).pastes == {}
    assert _buffer("", "x" * 1000).pastes == {}
    assert _buffer("", ELEVEN_LINES).text() == "[paste #1 +11 lines]"
    assert _buffer("", ELEVEN_LINES, "x" * 1001).text().endswith("[paste #2 1001 chars]")
    assert _buffer("", "x\n" * 600).text() == "[paste #1 +601 lines]"


def test_a_marker_is_one_unit_and_one_word() -> None:
    buffer = _buffer("a ", ELEVEN_LINES)
    marker = Position(0, 2)
    end = buffer.end
    assert buffer.unit_before(end) == marker
    assert buffer.unit_after(marker) == end
    assert buffer.word_before(end) == marker
    assert buffer.word_after(marker) == end


def test_what_only_looks_like_a_marker_is_plain_text() -> None:
    typed = _buffer("[paste #1 +11 lines]")
    assert typed.unit_before(typed.end).col == 19
    other = _buffer("[paste #7] [paste #1 +9 lines] [paste #01] ", ELEVEN_LINES)
    assert other.expanded_text() == f"[paste #7] [paste #1 +9 lines] [paste #01] {ELEVEN_LINES}"
    assert _buffer("", ELEVEN_LINES, "[paste #1]").expanded_text() == ELEVEN_LINES * 2


def test_pasted_text_that_holds_a_marker_is_not_expanded_again() -> None:
    nested = ELEVEN_LINES + "[paste #1 +11 lines]"
    buffer = _buffer("", ELEVEN_LINES, nested)
    assert buffer.expanded_text() == ELEVEN_LINES + nested


def test_deleting_a_marker_renumbers_the_others_and_undo_gives_all_back() -> None:
    buffer = _buffer("", ELEVEN_LINES, TWELVE_LINES)
    buffer.insert("\n")
    buffer.paste("y" * 1001)
    before = buffer.text()
    buffer.cursor = Position(0, 0)
    buffer.delete(buffer.cursor, buffer.unit_after(buffer.cursor))
    assert buffer.text() == "[paste #1 +12 lines]\n[paste #2 1001 chars]"
    assert buffer.expanded_text() == TWELVE_LINES + "\n" + "y" * 1001
    buffer.undo()
    assert buffer.text() == before
    assert buffer.expanded_text() == ELEVEN_LINES + TWELVE_LINES + "\n" + "y" * 1001
    buffer.redo()
    assert buffer.text() == "[paste #1 +12 lines]\n[paste #2 1001 chars]"
    assert buffer.expanded_text() == TWELVE_LINES + "\n" + "y" * 1001


def test_a_shorter_number_keeps_the_cursor_where_it_was_in_the_text() -> None:
    buffer = _buffer("", *[f"{n}\n" * 11 for n in range(10)])
    buffer.insert("\n")
    for start in (0, 0):
        buffer.delete(Position(0, start), buffer.unit_after(Position(0, start)))
    line = buffer.lines[0]
    assert line.count("[paste #") == 8
    assert "#9" not in line
    assert buffer.cursor == Position(0, 0)


def test_a_copy_of_a_deleted_marker_keeps_its_paste() -> None:
    buffer = _buffer("", ELEVEN_LINES, TWELVE_LINES)
    buffer.insert("[paste #1 +11 lines]")
    buffer.delete(Position(0, 0), buffer.unit_after(Position(0, 0)))
    assert buffer.expanded_text() == TWELVE_LINES + ELEVEN_LINES


def test_find_stops_at_whole_units_only() -> None:
    buffer = _buffer("e e\u0301 e\nexe", ELEVEN_LINES)
    assert buffer.find_after("e", Position(0, 0)) == Position(0, 5)
    assert buffer.find_after("e", Position(0, 5)) == Position(1, 0)
    assert buffer.find_after("#", Position(0, 0)) is None
    assert buffer.find_before("e", Position(1, 2)) == Position(1, 0)
    assert buffer.find_before("e", Position(1, 0)) == Position(0, 5)
    assert buffer.find_before("e", Position(0, 5)) == Position(0, 0)
    assert buffer.find_before("e", Position(0, 0)) is None


def test_a_completion_records_only_the_lines_that_differ() -> None:
    buffer = _buffer("one\ntwo\nthree")
    buffer.cursor = Position(1, 1)
    buffer.replace_lines(["one", "twenty", "three"], Position(1, 6))
    assert (buffer.text(), buffer.cursor) == ("one\ntwenty\nthree", Position(1, 6))
    buffer.undo()
    assert (buffer.text(), buffer.cursor) == ("one\ntwo\nthree", Position(1, 1))
    buffer.redo()
    assert (buffer.text(), buffer.cursor) == ("one\ntwenty\nthree", Position(1, 6))


texts = st.text(st.sampled_from("ab \n你é\u0301\u200d👨👩🇩🇪[paste #1]"), max_size=20)
edits = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60), texts, st.booleans()), max_size=12
)


@settings(max_examples=150)
@given(start=texts, steps=edits)
def test_undo_walks_back_through_every_state_and_redo_forward(
    start: str, steps: list[tuple[int, int, str, bool]]
) -> None:
    buffer = _buffer(start)
    states = [(buffer.text(), buffer.cursor, buffer.expanded_text())]
    for first, second, text, is_paste in steps:
        low, high = sorted((_place(buffer, first), _place(buffer, second)))
        buffer.cursor = high
        states[-1] = (buffer.text(), buffer.cursor, buffer.expanded_text())
        version = buffer.version
        if is_paste:
            buffer.paste(text * 40)
        elif text:
            buffer.replace(low, high, text)
        else:
            buffer.delete(low, high)
        if buffer.version != version:
            states.append((buffer.text(), buffer.cursor, buffer.expanded_text()))
    for text, cursor, expanded in reversed(states[:-1]):
        assert buffer.undo()
        assert (buffer.text(), buffer.cursor, buffer.expanded_text()) == (text, cursor, expanded)
    for text, _, expanded in states[1:]:
        assert buffer.redo()
        assert (buffer.text(), buffer.expanded_text()) == (text, expanded)
    assert not buffer.redo()


def _place(buffer: TextBuffer, number: int) -> Position:
    """Return the place `number` units behind the start, or the end."""
    position = Position(0, 0)
    for _ in range(number):
        position = buffer.unit_after(position)
    return position


def test_undo_keeps_changes_and_not_copies_of_the_text() -> None:
    buffer = _buffer("\n".join("x" * 80 for _ in range(2000)))
    tracemalloc.start()
    for line in range(500):
        buffer.cursor = Position(line * 3, 40)
        buffer.insert("y")
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 1_000_000  # one copy of the text is 160 kB, 500 copies would be 80 MB
    for _ in range(500):
        buffer.undo()
    assert "y" not in buffer.text()


def test_killing_nothing_is_no_entry() -> None:
    ring = KillRing()
    ring.push("")
    assert len(ring) == 0


def test_a_new_step_ends_what_could_be_redone() -> None:
    stack: UndoStack[str] = UndoStack()
    stack.push("a")
    stack.push("b")
    assert stack.undo() == "b"
    assert stack.redo() == "b"
    assert stack.undo() == "b"
    stack.push("c")
    assert stack.redo() is None
    assert [stack.undo(), stack.undo(), stack.undo()] == ["c", "a", None]


def test_history_keeps_the_newest_hundred() -> None:
    history = History()
    for number in range(120):
        history.add(f" prompt {number} ")
    history.add("prompt 119")
    history.add("  ")
    shown = []
    while (entry := history.older()) is not None:
        shown.append(entry)
    assert shown == [f"prompt {number}" for number in range(119, 19, -1)]
    assert history.newer() == "prompt 21"
