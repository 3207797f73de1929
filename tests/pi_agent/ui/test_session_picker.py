"""The list of saved sessions: what a row says, which one is selected, what a search leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.resources.keybindings_file import default_keybindings
from pi_agent.resources.themes import load_bundled_theme
from pi_agent.session.entries import Header
from pi_agent.session.overview import SessionInfo, age_text
from pi_agent.ui.dialogs.sessions import SessionPicker
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.events import KeyEvent, MouseEvent, PasteEvent
from pi_tui.keybindings import KeybindingsManager, get_keybindings, set_keybindings
from pi_tui.width import visible_width

THEME = load_bundled_theme("dark", color_mode="truecolor")
NOW = 10_000_000.0


@pytest.fixture(autouse=True)
def _keys_of_the_program() -> Iterator[None]:
    before = get_keybindings()
    set_keybindings(KeybindingsManager(default_keybindings()))
    yield
    set_keybindings(before)


def session(
    text: str,
    *,
    name: str | None = None,
    age: float = 0,
    count: int | None = 2,
    parent: str | None = None,
) -> SessionInfo:
    origin = None if parent is None else f"/s/{parent}"
    header = Header.new(text, cwd="/srv/app", timestamp="", parent_session=origin)
    return SessionInfo(Path(f"/s/{text}"), header, name, NOW - age, text, count, text.casefold())


class Hands:
    """A picker, what it decided, and the keys."""

    def __init__(self, *sessions: SessionInfo, is_loading: bool = False) -> None:
        self.picked: list[str] = []
        self.closed = 0
        self.picker = SessionPicker(
            THEME,
            on_pick=lambda info: self.picked.append(info.first_message),
            on_close=self._close,
            on_rename=lambda info: self.picked.append(f"rename {info.first_message}"),
            on_delete=lambda info: self.picked.append(f"delete {info.first_message}"),
            on_scope=lambda everywhere: self.picked.append(f"everywhere {everywhere}"),
            home="/home/me",
            now=lambda: NOW,
        )
        self.picker.set_sessions(sessions, is_loading=is_loading)

    def _close(self) -> None:
        self.closed += 1

    def press(self, *keys: str) -> None:
        for key in keys:
            self.picker.handle_key(KeyEvent(key))

    def type(self, text: str) -> None:
        for character in text:
            self.picker.handle_key(KeyEvent(character, character))

    def rows(self, width: int = 60) -> list[str]:
        return [strip_terminal_sequences(row).rstrip() for row in self.picker.render(width)]

    def selected(self) -> str:
        return next(row for row in self.rows() if row.startswith("→"))


def named(count: int) -> Sequence[SessionInfo]:
    return [session(f"session {number:02}") for number in range(count)]


def test_a_row_tells_name_or_first_message_length_and_age() -> None:
    hands = Hands(
        session("fix the parser", age=3600 * 3, count=12),
        session("hello", name="Spring poem", age=86_400 * 8, count=None),
    )
    assert hands.rows(44)[3:] == [
        "→ fix the parser                    12    3h",
        "  Spring poem                        …    1w",
        "Enter resume · Esc back · Tab folders",
        "─" * 44,
    ]


def test_enter_takes_the_selected_one_and_the_ends_are_ends() -> None:
    hands = Hands(*named(3))
    hands.rows()
    hands.press("up", "enter")
    hands.press("down", "down", "down", "down", "enter")
    hands.press("pageUp", "enter")
    assert hands.picked == ["session 00", "session 02", "session 00"]
    hands.press("escape")
    assert hands.closed == 1


def test_the_selected_one_is_named_and_deleted() -> None:
    hands = Hands(*named(3))
    hands.press("down", "ctrl+r", "ctrl+d", "ctrl+backspace")
    hands.type("02")
    # What is typed is the search's: there the key deletes a word.
    hands.press("ctrl+backspace", "ctrl+d")
    assert hands.picked == [
        "rename session 01",
        "delete session 01",
        "delete session 01",
        "delete session 02",
    ]
    hands.type("zzz")
    hands.press("ctrl+r", "ctrl+d")
    assert len(hands.picked) == 4


def test_the_order_is_a_tree_or_by_time_or_by_match() -> None:
    hands = Hands(
        session("child a", parent="root", age=1),
        session("other", name="zebra", age=2),
        session("root", age=3),
        session("child b", parent="root", age=4),
    )
    hands.press("down")
    titles = [row.split("  ")[0] if row[0] == "→" else row.strip() for row in hands.rows(24)[3:7]]
    assert [title.split("   ")[0] for title in titles] == [
        "root",
        "→ ├─ child a",
        "└─ child b",
        "zebra",
    ]
    hands.press("ctrl+s")
    assert hands.rows(60)[1] == "Resume a session, newest first"
    assert [row.split()[0] for row in hands.rows(60)[3:7]] == ["→", "zebra", "root", "child"]
    assert hands.selected().startswith("→ child a")
    hands.press("ctrl+s", "ctrl+s")
    assert hands.rows(60)[1] == "Resume a session"


def test_typing_searches_and_selects_the_best_match() -> None:
    hands = Hands(session("about b"), session("about a"), session("x", name="a name"))
    hands.press("down")
    hands.type("a n")
    assert hands.selected().startswith("→ a name")
    hands.press("enter")
    assert hands.picked == ["x"]
    hands.type("zzz")
    assert "  No session matches." in hands.rows()
    hands.press("enter")
    assert hands.picked == ["x"]


def test_a_broken_expression_is_told() -> None:
    hands = Hands(session("a"))
    hands.type("re:(")
    assert any("Not a regular expression" in row for row in hands.rows())


def test_sessions_that_come_later_do_not_move_the_selection() -> None:
    hands = Hands(*named(3), is_loading=True)
    assert "Resume a session (reading…)" in hands.rows()
    hands.press("down")
    hands.picker.set_sessions([session("newer"), *named(3)], is_loading=False)
    assert hands.selected().startswith("→ session 01")
    assert "Resume a session" in hands.rows()


def test_until_somebody_moves_the_newest_is_selected() -> None:
    hands = Hands(*named(3), is_loading=True)
    hands.picker.set_sessions([session("newer"), *named(3)], is_loading=False)
    assert hands.selected().startswith("→ newer")


def test_keys_show_only_named_ones_and_paths() -> None:
    hands = Hands(session("plain"), session("other", name="Poem"))
    hands.press("ctrl+n")
    assert "Resume a session, only named ones" in hands.rows()
    assert [row.split("  ")[0] for row in hands.rows() if "Poem" in row or "plain" in row] == [
        "→ Poem"
    ]
    hands.press("ctrl+p")
    assert hands.selected().startswith("→ /s/other")


def test_a_path_shows_its_end_with_the_home_folder_as_a_tilde_and_no_control_bytes() -> None:
    info = session("x" * 40)
    hands = Hands(replace(info, path=Path("/home/me/some\x1b[31mfolder/that/is/long/deep.jsonl")))
    hands.press("ctrl+p")
    assert "\x1b[31m" not in hands.picker.render(90)[3]
    assert hands.rows(90)[3].startswith("→ ~/some")
    assert hands.rows(34)[3].startswith("→ …/is/long/deep.jsonl")


def test_tab_shows_the_sessions_of_all_folders_with_where_they_belong() -> None:
    hands = Hands(*named(2))
    hands.press("down", "tab")
    assert hands.picked == ["everywhere True"]
    assert hands.rows(70)[1] == "Resume a session of any folder (reading…)"
    other = session("other", age=1)
    other = replace(other, header=Header.new("o", cwd="/home/me/elsewhere", timestamp=""))
    hands.picker.set_sessions([other, *named(2)], is_loading=False)
    assert hands.selected().startswith("→ session 01"), "it stays selected"
    assert "  other" in hands.rows(70)[3] and "~/elsewhere" in hands.rows(70)[3]
    assert "~/elsewhere" not in "".join(hands.rows(40))
    hands.press("tab")
    assert hands.picked[1:] == ["everywhere False"]
    assert hands.rows(70)[1] == "Resume a session (reading…)"


def test_of_ten_thousand_sessions_those_in_sight_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[float] = []

    def counted(seconds: float) -> str:
        drawn.append(seconds)
        return age_text(seconds)

    monkeypatch.setattr("pi_agent.ui.dialogs.session_row.age_text", counted)
    hands = Hands(*(session(f"session {number}", age=number) for number in range(10_000)))
    hands.rows()
    hands.press("pageDown", "pageDown")
    assert "(19/10000)" in "".join(hands.rows())
    hands.type("9999")
    assert "session 9999" in hands.selected()
    assert len(drawn) <= 40


def test_what_is_pasted_is_searched_for() -> None:
    hands = Hands(*named(3))
    hands.picker.handle_paste(PasteEvent("session\n02"))
    hands.press("enter")
    assert hands.picked == ["session 02"]


def test_a_click_takes_the_row_under_it() -> None:
    hands = Hands(*named(3))
    hands.rows()
    row = hands.rows().index(next(row for row in hands.rows() if "session 01" in row))
    for kind in ("press", "click"):
        hands.picker.handle_mouse(
            MouseEvent(kind, "left", 4, row, screen_x=4, screen_y=row, width=60, height=9)
        )
    assert hands.picked == ["session 01"]


def test_a_click_takes_no_other_row_than_was_pressed() -> None:
    hands = Hands(*named(3), is_loading=True)
    row = hands.rows().index(next(row for row in hands.rows() if "session 01" in row))
    for kind in ("press", "click"):
        hands.picker.handle_mouse(
            MouseEvent(kind, "left", 4, row, screen_x=4, screen_y=row, width=60, height=9)
        )
        hands.picker.set_sessions([session("newer"), *named(3)], is_loading=True)
        hands.rows()
    assert hands.picked == []
    assert hands.selected().startswith("→ session 01")


def test_the_wheel_chooses_too() -> None:
    hands = Hands(*named(3), is_loading=True)
    hands.picker.handle_mouse(
        MouseEvent("wheel", "none", 4, 4, screen_x=4, screen_y=4, wheel_delta=1)
    )
    hands.picker.set_sessions([session("newer"), *named(3)], is_loading=True)
    assert hands.selected().startswith("→ session 01")


@pytest.mark.parametrize("rows", range(1, 16))
def test_the_selected_row_is_in_sight_however_few_rows_there_are(rows: int) -> None:
    hands = Hands(*named(30))
    hands.press(*["down"] * 17)
    hands.picker.max_rows = rows
    shown = hands.rows()
    assert len(shown) <= rows
    assert any(row.startswith("→ session 17") for row in shown)


@given(st.text(max_size=40), st.text(max_size=20) | st.none(), st.integers(1, 60))
def test_no_row_is_wider_than_the_picker(text: str, name: str | None, width: int) -> None:
    hands = Hands(session(text, name=name, age=10**9, count=123_456), is_loading=True)
    for key in ("ctrl+p", "tab", "ctrl+p"):
        for row in hands.picker.render(width):
            assert visible_width(row) <= width
            assert "\n" not in row
        hands.press(key)
