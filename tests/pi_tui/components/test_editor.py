"""The prompt editor: what a person sees and gets for keys, pastes and sizes."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from random import Random
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import CURSOR_MARKER, FAKE_CURSOR_END, FAKE_CURSOR_START
from pi_tui.components.editor import Editor
from pi_tui.components.editor_component import EditorComponent
from pi_tui.components.editor_view import render_border, wrap_line
from pi_tui.editing import Position
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.keybindings import TUI_KEYBINDINGS, KeybindingsManager
from pi_tui.width import visible_width
from tests.pi_tui.components.editor_session import Session

FAMILY = "👨‍👩‍👧‍👦"
ELEVEN_LINES = "\n".join("abcdefghijk")


def _session(text: str = "", width: int = 40, rows: int = 24, padding_x: int = 0) -> Session:
    session = Session(width, rows, padding_x)
    session.editor.set_text(text)
    session.editor.render(width)
    session.changes.clear()
    return session


def _chunks(line: str, width: int) -> list[str]:
    starts = wrap_line(line, width)
    return [line[a:b] for a, b in zip(starts, [*starts[1:], len(line)], strict=True)]


# -- wrapping


@pytest.mark.parametrize(
    ("line", "width", "chunks"),
    [
        ("hello world foo", 8, ["hello ", "world ", "foo"]),
        ("hello  world", 6, ["hello ", " world"]),
        ("foo bar ", 7, ["foo ", "bar "]),
        ("a b c d e f", 3, ["a ", "b ", "c ", "d ", "e f"]),
        ("abc日本語", 4, ["abc", "日本", "語"]),
        ("   lead", 4, ["   ", "lead"]),
        ("", 5, [""]),
        ("你好", 1, ["你", "好"]),
        (f"{FAMILY}{FAMILY}", 3, [FAMILY, FAMILY]),
        ("日本\u3000x yz", 6, ["日本\u3000", "x yz"]),
        ("a\xa0b c", 4, ["a\xa0b ", "c"]),
    ],
)
def test_lines_wrap_behind_spaces_and_between_wide_characters(
    line: str, width: int, chunks: list[str]
) -> None:
    assert _chunks(line, width) == chunks


pieces = st.one_of(
    st.sampled_from(
        ["a", " ", ".", "word ", "你", "好，", "语", "ｱ", "ﾊﾟ", "น้ำ", "한", "é", "Ж", "\u3000"]
    ),
    st.sampled_from(["e\u0301", "\u0301", "\u200b", "\u200d", "\ufe0f", "❤", "❤️", "1️⃣", "क्ष"]),
    st.sampled_from(["🇩🇪", "🇫", "👍🏽", FAMILY, "👩"]),
    st.characters(exclude_categories=["Cc", "Cs"]),
)
wrapped_text = st.lists(pieces, max_size=60).map("".join)


@settings(max_examples=200)
@given(
    text=wrapped_text, width=st.integers(1, 40), place=st.integers(0, 80), padding=st.integers(0, 3)
)
def test_rows_fit_hold_all_text_and_mark_the_caret_once(
    text: str, width: int, place: int, padding: int
) -> None:
    session = _session(text.replace("\n", " "), width, rows=1000, padding_x=padding)
    for _ in range(place):
        session.press("left")
    lines = session.editor.render(width)
    assert all(visible_width(line) <= width for line in lines)
    joined = "".join(lines)
    assert joined.count(CURSOR_MARKER) == 1
    assert joined.count(CURSOR_MARKER + FAKE_CURSOR_START) == 1
    assert joined.count(FAKE_CURSOR_END) == 1
    if width > 2 + 2 * padding:
        shown = "".join("".join(session.text_rows()).split())
        assert shown == "".join(session.editor.get_text().split())


@settings(max_examples=150)
@given(
    start=st.lists(wrapped_text, min_size=1, max_size=4),
    width=st.integers(2, 12),
    steps=st.lists(
        st.tuples(st.integers(0, 8), st.sampled_from("a 你\u0301❤🇩\u200d👩\ufe0f")), max_size=25
    ),
)
def test_rows_after_any_edits_are_those_of_the_text_set_at_once(
    start: list[str], width: int, steps: list[tuple[int, str]]
) -> None:
    edited = _session("\n".join(start), width)
    keys = ("left", "up", "right", "down", "backspace", "delete", "alt+enter", "ctrl+w")
    for number, text in steps:
        if number == 8:
            edited.editor.handle_key(KeyEvent(text, text))
        else:
            edited.press(keys[number])
    fresh = _session(edited.editor.get_text(), width, rows=1000)
    edited.host.rows = 1000
    assert edited.text_rows() == fresh.text_rows()


# -- borders and sizes


def test_the_border_tells_how_many_rows_are_hidden() -> None:
    assert render_border(20, 3, "↑", str) == "───── ↑ 3 more ─────"
    assert render_border(12, 3, "↑", str) == "─ ↑ 3 more ─"
    assert render_border(11, 3, "↑", str) == "─── ↑ 3 ..."
    assert render_border(8, 3, "↑", str) == "─── ↑..."
    assert [render_border(width, 3, "↓", str) for width in (1, 2, 3)] == [".", "..", "..."]
    assert render_border(5, 0, "↓", str) == "─────"


def test_the_cursor_behind_a_full_row_sits_in_the_padding() -> None:
    session = _session("hello world", width=13, padding_x=1)
    assert session.lines()[1] == " hello world "
    assert session.cursor_cell() == (1, 12)


@pytest.mark.parametrize("width", range(1, 21))
@pytest.mark.parametrize("rows", range(1, 6))
def test_tiny_screens_show_the_caret_row(width: int, rows: int) -> None:
    session = _session("some words\nand 你好 " + FAMILY, width, rows, padding_x=2)
    session.editor.max_rows = rows
    lines = session.editor.render(width)
    assert all(visible_width(line) <= width for line in lines)
    session.cursor_cell()


@pytest.mark.parametrize("with_borders", [True, False])
def test_max_rows_limits_text_and_borders_together(with_borders: bool) -> None:
    session = _session("\n".join("abcdefgh"), width=20, rows=10)
    session.editor.max_rows = 5
    session.editor.show_borders = with_borders
    assert len(session.lines()) == 5
    assert session.lines()[-2 if with_borders else -1].rstrip() == "h"


def test_a_status_in_the_border_is_drawn_although_the_text_is_the_same() -> None:
    class WithStatus(Editor):
        status = "idle"

        def render_top_border(self, width: int, hidden: int) -> str:
            return self.status.ljust(width)

    session = _session()
    editor = WithStatus(session.host, session.theme)
    first = editor.render(40)
    assert editor.render(40) is first
    editor.status = "busy"
    assert editor.render(40)[0].startswith("busy")


def test_the_same_list_comes_back_while_nothing_changed() -> None:
    session = _session("one")
    first = session.editor.render(40)
    assert session.editor.render(40) is first
    session.press("left")
    assert session.editor.render(40) is not first
    second = session.editor.render(40)
    session.editor.focused = False
    assert CURSOR_MARKER not in "".join(session.editor.render(40))
    assert FAKE_CURSOR_START in "".join(session.editor.render(40))
    session.editor.focused = True
    session.editor.invalidate()
    assert session.editor.render(40) == second


def test_the_caret_follows_a_resize_inside_a_wrapped_marker() -> None:
    session = _session("", width=30)
    session.paste(ELEVEN_LINES)
    session.press("left")
    for width in (30, 7, 3, 1, 12):
        session.resize(str(width))
        assert session.cursor_cell()[0] == 1
    assert session.text_rows() == ["[paste #1 +", "11 lines]"]


# -- moving


def test_jumps_go_on_from_where_they_landed() -> None:
    session = _session("abcabc\nxbz")
    session.press("up", "home")
    places = []
    for _ in range(4):
        session.press("ctrl+]")
        session.type("b")
        places.append(session.editor.get_cursor())
    assert places == [(0, 1), (0, 4), (1, 1), (1, 1)]
    session.press("ctrl+alt+]")
    session.type("a")
    assert session.editor.get_cursor() == (0, 3)
    assert session.editor.get_text() == "abcabc\nxbz"


def test_a_key_without_text_ends_waiting_for_a_jump_and_is_obeyed() -> None:
    session = _session("abc")
    session.press("ctrl+]", "home")
    session.type("c")
    assert session.editor.get_text() == "cabc"


def test_up_and_down_keep_the_column_over_a_short_line() -> None:
    session = _session("long line here\nab\nanother long")
    session.press("up")
    assert session.editor.get_cursor() == (1, 2)
    session.press("up")
    assert session.editor.get_cursor() == (0, 12)


def test_up_and_down_count_cells_not_characters() -> None:
    session = _session("你好世界\nabcdefgh")
    session.press("home", *["right"] * 5, "up")
    assert session.editor.get_cursor() == (0, 2)
    assert session.cursor_cell() == (1, 4)
    session.press("down")
    assert session.cursor_cell() == (2, 4)


def test_down_passes_a_marker_that_wraps_over_several_rows() -> None:
    session = _session("", width=8)
    session.type("ab")
    session.press("shift+enter")
    session.paste(ELEVEN_LINES)
    session.press("shift+enter")
    session.type("end")
    session.press("up", "up")
    assert session.editor.get_cursor() == (0, 2)
    session.press("down")
    assert session.editor.get_cursor() == (1, 0)
    session.press("down")
    assert session.editor.get_cursor() == (2, 3)
    session.press("up")
    assert session.editor.get_cursor() == (1, 0)


def test_down_from_a_wrapped_marker_at_the_end_goes_behind_it() -> None:
    session = _session("", width=8)
    session.paste(ELEVEN_LINES)
    session.press("home", "down")
    assert session.editor.get_cursor() == (0, 20)


# -- history


def test_browsing_comes_back_to_the_draft_and_its_cursor() -> None:
    session = _session("draft")
    session.editor.add_to_history("one")
    session.editor.add_to_history("two")
    seen = []
    for key in ("up", "up", "up", "up", "down", "down", "down"):
        session.press(key)
        seen.append((session.editor.get_text(), session.editor.get_cursor().col))
    assert seen == [
        ("draft", 0),
        ("two", 0),
        ("one", 0),
        ("one", 0),
        ("two", 3),
        ("draft", 0),
        ("draft", 5),
    ]


def test_browsing_keeps_the_pastes_of_the_draft() -> None:
    session = _session()
    session.editor.add_to_history("[paste #1 +11 lines]")
    session.paste(ELEVEN_LINES)
    session.press("home", "up")
    assert session.editor.get_expanded_text() == "[paste #1 +11 lines]"
    session.press("down")
    assert session.editor.get_expanded_text() == ELEVEN_LINES


def test_undo_after_browsing_gives_the_draft_back() -> None:
    session = _session("draft")
    for text in ("one", "two"):
        session.editor.add_to_history(text)
    session.press("home", "up", "up", "ctrl+-")
    assert session.editor.get_text() == "draft"
    session.press("down", "down")
    assert session.editor.get_text() == "draft"


def test_history_keys_browse_from_anywhere() -> None:
    manager = KeybindingsManager(
        TUI_KEYBINDINGS,
        {"tui.editor.historyPrevious": ["ctrl+p"], "tui.editor.historyNext": ["ctrl+n"]},
    )
    session = Session(keybindings=manager)
    session.editor.add_to_history("earlier")
    session.editor.set_text("a\nb\nc")
    session.press("up", "ctrl+p")
    assert session.editor.get_text() == "earlier"
    session.press("ctrl+n")
    assert (session.editor.get_text(), session.editor.get_cursor()) == ("a\nb\nc", (1, 1))


# -- submitting


def test_a_backslash_before_enter_makes_a_line() -> None:
    session = _session()
    session.type("one\\")
    session.press("enter")
    session.type("two")
    session.press("enter")
    assert session.submitted == ["one\ntwo"]


def test_enter_and_shift_enter_may_change_places() -> None:
    manager = KeybindingsManager(
        TUI_KEYBINDINGS, {"tui.input.newLine": ["enter"], "tui.input.submit": ["shift+enter"]}
    )
    session = Session(keybindings=manager)
    session.type("a")
    session.press("enter")
    session.type("b\\")
    session.press("enter")
    assert session.submitted == ["a\nb"]
    session.type("c")
    session.press("shift+enter")
    assert session.submitted == ["a\nb", "c"]


def test_submitting_empties_everything_but_the_kill_ring() -> None:
    session = _session()
    session.paste(ELEVEN_LINES)
    session.type(" word")
    session.press("ctrl+w", "enter", "ctrl+-")
    assert session.submitted == [ELEVEN_LINES]
    assert session.editor.get_text() == ""
    assert session.changes[-1] == ""
    session.press("ctrl+y")
    session.paste(ELEVEN_LINES)
    assert session.editor.get_text() == "word[paste #1 +11 lines]"


def test_nothing_happens_for_submit_keys_while_submitting_is_off() -> None:
    session = _session("text\\")
    session.editor.disable_submit = True
    session.press("enter")
    assert session.submitted == []
    assert session.editor.get_text() == "text\\"


# -- keys that are not for the editor


def test_keys_without_meaning_are_left_to_others() -> None:
    session = _session("a")
    assert session.press("ctrl+c", "f5", "insert", "ctrl+enter") == [False] * 4
    assert session.press("left", "up", "backspace") == [True] * 3
    assert not session.editor.handle_key(KeyEvent("a", "a", kind="release"))
    assert not session.editor.handle_key(KeyEvent("x", "\x1b[31m"))
    assert session.editor.get_text() == "a"


def test_the_change_callback_hears_of_changes_only() -> None:
    session = _session("ab")
    session.press("delete", "ctrl+k", "left", "home", "backspace", "ctrl+u", "ctrl+y", "alt+y")
    assert session.changes == []
    session.press("delete")
    assert session.changes == ["b"]
    session.editor.set_text("b")
    assert session.changes == ["b"]


# -- pastes


@pytest.mark.parametrize(
    ("before", "paste", "text"),
    [
        ("abc", "/srv/x", "abc /srv/x"),
        ("abc ", "/srv/x", "abc /srv/x"),
        ("abc", "~x", "abc ~x"),
        ("(", "./x", "(./x"),
        ("", "one\x1b[106;5utwo", "one\ntwo"),
        ("", "a\x1b[105;5ub\x1b[97;5uc\x1b[49;5u", "a    bc[49;5u"),
        ("", "a\tb\r\nc\rd\x1b[31m\x07z", "a    b\nc\nd[31mz"),
    ],
)
def test_pastes_are_cleaned(before: str, paste: str, text: str) -> None:
    session = _session()
    session.type(before)
    session.paste(paste)
    assert session.editor.get_text() == text
    session.press("ctrl+-")
    assert session.editor.get_text() == before


def test_a_kill_keeps_the_paste_for_the_yank() -> None:
    session = _session()
    session.paste(ELEVEN_LINES)
    session.press("ctrl+w", "ctrl+y", "ctrl+y", "enter")
    assert session.submitted == [ELEVEN_LINES * 2]


def test_a_megabyte_is_pasted_as_one_marker_and_submitted_whole() -> None:
    session = _session()
    paste = "0123456789abcde\n" * 65536
    session.paste(paste)
    assert session.text_rows() == ["[paste #1 +65537 lines]"]
    assert session.submitted == []
    session.press("enter")
    assert session.submitted == [paste.strip()]


def test_the_work_of_a_paste_does_not_grow_with_its_lines() -> None:
    def work(lines: int) -> int:
        session = _session()
        event = PasteEvent("0123456789abcde\n" * lines)
        return _count_calls(lambda: session.editor.handle_paste(event))

    assert work(65536) <= work(1024) * 1.2


# -- undo, redo


def test_redo_walks_forward_until_the_next_edit() -> None:
    session = _session()
    session.type("hello big world")
    session.press("ctrl+-", "ctrl+-")
    assert session.editor.get_text() == "hello"
    session.press("ctrl+shift+-")
    assert session.editor.get_text() == "hello big"
    session.type("!")
    session.press("ctrl+shift+-")
    assert session.editor.get_text() == "hello big!"


def test_a_yank_pop_is_undone_to_the_yank() -> None:
    session = _session("one two")
    session.press("ctrl+w", "left", "ctrl+w", "end", "ctrl+y", "alt+y")
    popped = session.editor.get_text()
    session.press("ctrl+-")
    assert (session.editor.get_text(), popped) == (" one", " two")


# -- cost of a key


def _count_calls(action: Callable[[], object]) -> int:
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    gc.disable()  # what a collection calls is not the action's work
    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls


def _work_of_keys(text: str, width: int = 40) -> int:
    """Return the calls that some keys and their frames take, at the end and in the middle."""
    session = Session(width)
    session.editor.set_text(text)
    session.editor.render(width)
    keys = ("x", "left", "up", "x", "backspace", "down", "ctrl+w", "ctrl+-", "pageUp", "x", "home")

    def use() -> None:
        for key in keys:
            session.editor.handle_key(KeyEvent(key, key if key == "x" else ""))
            session.editor.render(width)

    use()
    return _count_calls(use)


@pytest.mark.parametrize(
    "sample",
    ["some words of a line", "你好，世界再见", f"{FAMILY}🇩🇪e\u0301"],
    ids=["ascii", "wide", "clusters"],
)
def test_the_work_of_a_key_does_not_grow_with_the_lines(sample: str) -> None:
    few = _work_of_keys("\n".join([sample] * 20))
    many = _work_of_keys("\n".join([sample] * 2000))
    assert many <= few * 1.2


def _prose(count: int, letters: str) -> str:
    random = Random(7)
    words = ("".join(random.choices(letters, k=random.randint(1, 9))) for _ in range(count))
    return " ".join(words)


@pytest.mark.parametrize("letters", ["abcdefg", "äbcdé", "прив", "ab语好，é", "e\u0301" + FAMILY])
def test_the_work_of_a_key_does_not_grow_with_a_line(letters: str) -> None:
    short = _work_of_keys(_prose(200, letters))
    long = _work_of_keys(_prose(4000, letters))
    assert long <= short * 1.5


@pytest.mark.parametrize("character", ["x", "语", "❤"])
def test_the_work_of_a_key_at_the_end_of_an_unbroken_line_does_not_grow(character: str) -> None:
    def work(length: int) -> int:
        session = _session(character * length)
        session.type("x")
        session.editor.render(40)

        def use() -> None:
            session.type(character)
            session.press("left", "left", "delete")
            session.lines()

        return _count_calls(use)

    assert work(10_000) <= work(1_000) * 1.2


def test_a_key_costs_little_even_where_it_moves_all_rows_of_a_long_line() -> None:
    text = "你好，世界再见" * 1500
    rows = len(text) * 2 // 39
    assert _work_of_keys(text) <= 11 * 10 * rows  # eleven keys


def test_the_work_of_a_key_does_not_grow_with_what_can_be_undone() -> None:
    def work(edits: int) -> int:
        session = _session("text")
        for _ in range(edits):
            session.type("a b ")
            session.press("ctrl+u")
        return _count_calls(lambda: session.type("x"))

    assert work(200) <= work(20) * 1.2


def test_a_history_entry_taller_than_the_editor_shows_its_start() -> None:
    session = _session(rows=24)
    session.editor.add_to_history("\n".join(f"line {n}" for n in range(100)))
    session.press("up")
    assert session.text_rows()[0] == "line 0"
    assert "↓ 93 more" in session.lines()[-1]


def test_the_editor_can_stand_in_for_itself() -> None:
    assert isinstance(_session().editor, EditorComponent)
    assert Position(0, 0) == _session().editor.get_cursor()
