"""The menu below the editor: when it shows, what its keys do, and answers that come late."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from pi_tui.abort import AbortSignal
from pi_tui.autocomplete import (
    AutocompleteItem,
    AutocompleteProvider,
    CommandAutocompleteProvider,
    Completion,
    SlashCommand,
    Suggestions,
)
from pi_tui.component import CURSOR_MARKER, identity
from pi_tui.components.editor_popup import EditorPopup
from pi_tui.theme import SelectListTheme
from pi_tui.width import visible_width
from tests.pi_tui.components.editor_session import Session

pytestmark = pytest.mark.anyio

COMMANDS = [
    SlashCommand("help", "Show help"),
    SlashCommand("hello", "Say hello"),
    SlashCommand("clear", "Clear the screen"),
    SlashCommand(
        "model",
        "Choose a model",
        "<name>",
        lambda typed: [
            AutocompleteItem(name, name)
            for name in ("small", "medium", "/large")
            if name.startswith(typed)
        ],
    ),
    SlashCommand("quit"),
    SlashCommand("save"),
]


def _session(
    provider: AutocompleteProvider | None = None, width: int = 40, menu_rows: int = 5
) -> Session:
    session = Session(width, menu_rows=menu_rows)
    session.editor.set_autocomplete_provider(provider or CommandAutocompleteProvider(COMMANDS))
    return session


async def _type(session: Session, text: str) -> None:
    for character in text:
        session.type(character)
        await session.settle()


async def test_tab_applies_and_closes_as_one_undo_step() -> None:
    session = _session()
    await _type(session, "/he")
    session.press("down", "tab")
    await session.settle()
    assert session.editor.get_text() == "/hello "
    assert session.changes[-1] == "/hello "
    assert not session.editor.is_showing_autocomplete()
    session.press("ctrl+-")
    assert session.editor.get_text() == "/he"


async def test_enter_submits_a_completed_name_but_only_applies_an_argument() -> None:
    session = _session()
    await _type(session, "/cl")
    session.press("enter")
    assert session.submitted == ["/clear"]
    await _type(session, "/model ")
    assert session.menu_rows_shown()[0] == "→ small"
    await _type(session, "/")
    session.press("enter")
    assert session.submitted == ["/clear"]
    assert session.editor.get_text() == "/model /large"


async def test_the_viewport_keys_are_the_menus_while_it_is_open() -> None:
    session = _session()
    assert not session.editor.captures_viewport_input
    await _type(session, "/")
    assert session.editor.captures_viewport_input
    assert session.press("ctrl+c") == [False]
    assert session.editor.is_showing_autocomplete()
    session.press("pageDown")
    assert session.menu_rows_shown()[-1] == "  (6/6)"
    session.press("pageDown", "pageUp")
    assert session.menu_rows_shown()[-1] == "  (1/6)"
    session.press("escape")
    assert not session.editor.captures_viewport_input
    assert session.editor.get_text() == "/"


async def test_the_caret_is_marked_while_the_menu_is_open() -> None:
    session = _session()
    await _type(session, "/h")
    assert session.cursor_cell() == (1, 2)
    assert "".join(session.editor.render(40)).count(CURSOR_MARKER) == 1


async def test_escape_forgets_what_was_asked() -> None:
    session = _session()
    await _type(session, "/h")
    session.type("e")
    session.press("escape")
    await session.settle()
    assert not session.editor.is_showing_autocomplete()


async def test_undo_with_an_open_menu_asks_again() -> None:
    session = _session()
    await _type(session, "/c")
    session.press("left", "right")
    await _type(session, "x")
    session.press("ctrl+-")
    await session.settle()
    assert session.editor.get_text() == "/c"
    assert session.menu_rows_shown() == []
    await _type(session, "l")
    session.type("e")
    session.press("ctrl+-")
    await session.settle()
    assert session.editor.get_text() == "/c"
    assert session.menu_rows_shown()[0] == "→ clear"


async def test_deleting_opens_the_menu_again() -> None:
    session = _session()
    await _type(session, "/hex")
    assert not session.editor.is_showing_autocomplete()
    session.press("backspace")
    await session.settle()
    assert session.menu_rows_shown() == ["→ help", "  hello"]


async def test_a_paste_and_the_programs_text_open_nothing() -> None:
    session = _session()
    session.paste("/he")
    await session.settle()
    session.editor.insert_text_at_cursor("l")
    await session.settle()
    assert not session.editor.is_showing_autocomplete()
    session.press("tab")
    await session.settle()
    assert session.menu_rows_shown() == ["→ help", "  hello"]
    session.editor.set_text("/h")
    assert not session.editor.is_showing_autocomplete()


async def test_a_fast_typist_gets_what_was_typed_and_not_what_the_menu_showed() -> None:
    session = _session()
    await _type(session, "/h")
    session.type("ello")
    session.press("enter")
    assert session.submitted == ["/hello"]
    await _type(session, "/h")
    session.type("zz")
    session.press("enter")
    assert session.submitted == ["/hello", "/hzz"]
    await _type(session, "/h")
    session.press("backspace", "backspace")
    session.type("text")
    session.press("tab")
    assert session.editor.get_text() == "text"


class _SlowProvider:
    """Answers each request when a test says so."""

    trigger_characters = ("$",)

    def __init__(self) -> None:
        self.asked: list[tuple[str, bool]] = []
        self.was_asked = asyncio.Event()
        self.answers: asyncio.Queue[Suggestions | None] = asyncio.Queue()

    async def get_suggestions(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        *,
        signal: AbortSignal,
        force: bool = False,
    ) -> Suggestions | None:
        self.asked.append((lines[cursor_line][:cursor_col], force))
        self.was_asked.set()
        return await self.answers.get()

    def apply_completion(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        item: AutocompleteItem,
        prefix: str,
    ) -> Completion:
        line = lines[cursor_line]
        start = cursor_col - len(prefix)
        changed = line[:start] + item.value + line[cursor_col:]
        return Completion([changed], cursor_line, start + len(item.value))


def _items(*values: str) -> Sequence[AutocompleteItem]:
    return [AutocompleteItem(value, value) for value in values]


async def test_a_forced_request_with_one_answer_is_applied_at_once() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("see ma")
    session.press("tab")
    await session.settle()
    assert provider.asked == [("see ma", True)]
    frames = session.host.requests
    provider.answers.put_nowait(Suggestions(_items("main.py"), "ma"))
    await session.settle()
    assert session.editor.get_text() == "see main.py"
    assert session.host.requests > frames
    session.press("ctrl+-")
    assert session.editor.get_text() == "see ma"


async def test_an_answer_about_an_older_text_is_dropped() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("a")
    session.press("tab")
    await session.settle()
    session.press("home")
    provider.answers.put_nowait(Suggestions(_items("abc", "abd"), "a"))
    await session.settle()
    assert not session.editor.is_showing_autocomplete()
    assert session.editor.get_text() == "a"


async def test_a_refresh_with_the_same_prefix_keeps_the_selected_item() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.press("tab")
    provider.answers.put_nowait(Suggestions(_items("a", "b", "c"), ""))
    await session.settle()
    session.press("down", "down")
    session.type(" ")
    provider.answers.put_nowait(Suggestions(_items("c", "d", "a"), ""))
    await session.settle()
    assert session.menu_rows_shown() == ["→ c", "  d", "  a"]


async def test_typing_in_a_trigger_token_is_asked_once_it_rests() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("$ab")
    await session.settle()
    assert provider.asked == []
    await provider.was_asked.wait()
    assert provider.asked == [("$ab", False)]
    session.editor.dispose()


async def test_callbacks_may_be_coroutines() -> None:
    submitted: list[str] = []

    async def submit(text: str) -> None:
        await asyncio.sleep(0)
        submitted.append(text)

    session = _session()
    session.editor.on_submit = submit
    session.type("text")
    session.press("enter")
    await session.settle()
    assert submitted == ["text"]


async def test_the_second_line_has_no_commands() -> None:
    session = _session()
    session.editor.set_text("x\n")
    await _type(session, "/h")
    assert not session.editor.is_showing_autocomplete()


def test_without_a_loop_nothing_is_asked() -> None:
    session = _session()
    session.type("/h")
    assert session.editor.get_text() == "/h"
    assert not session.editor.is_showing_autocomplete()


# -- how the menu looks

LOOK = SelectListTheme(
    selected_text=lambda text: f"[{text}]",
    text=identity,
    description=lambda text: f"({text})",
    scroll_info=identity,
    no_match=identity,
)


def test_descriptions_need_more_than_forty_columns() -> None:
    items = [AutocompleteItem("a", "alpha", "first\nof all"), AutocompleteItem("b", "b\x1b[2J")]
    popup = EditorPopup(Suggestions(items, "/"), LOOK)
    assert popup.render(40, 5) == ["[→ alpha]", "  b"]
    assert popup.render(41, 5) == ["[→ alpha       first of all]", "  b"]
    popup.select("b")
    assert popup.render(41, 5) == ["  alpha(       first of all)", "[→ b]"]


@pytest.mark.parametrize("width", range(1, 60))
def test_menu_rows_fit(width: int) -> None:
    items = [AutocompleteItem(f"{n}", f"label {n} 你好" * n, "描述 " * n) for n in range(1, 9)]
    plain = SelectListTheme(identity, identity, identity, identity, identity)
    popup = EditorPopup(Suggestions(items, "@x"), plain)
    for item in items:
        popup.select(item.value)
        assert all(visible_width(row) <= width for row in popup.render(width, 5))


def test_an_exact_match_is_preselected() -> None:
    items = _items("models", "model", "mode")
    assert EditorPopup(Suggestions(items, "/mode"), LOOK).selected_item.value == "mode"
    assert EditorPopup(Suggestions(items, "/mo"), LOOK).selected_item.value == "models"
    assert EditorPopup(Suggestions(items, "x"), LOOK).selected_item.value == "models"


async def test_few_rows_are_left_for_the_menu() -> None:
    session = _session()
    await _type(session, "/")
    session.editor.max_height = 6
    session.press("down")
    assert session.menu_rows_shown() == ["  help", "→ hello", "  (2/6)"]
    session.editor.max_height = 1
    assert session.menu_rows_shown() == ["→ hello"]


def _part(*values: str, more: bool = True) -> Suggestions:
    return Suggestions(_items(*values), "$a", is_partial=more)


async def _answer(session: Session, provider: _SlowProvider, answer: Suggestions | None) -> None:
    await asyncio.wait_for(provider.was_asked.wait(), 8)
    provider.was_asked.clear()
    provider.answers.put_nowait(answer)
    await session.settle()


async def test_a_search_that_goes_on_is_asked_again_and_keeps_what_is_selected() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("$a")
    await _answer(session, provider, _part())
    assert session.menu_rows_shown() == ["  Searching…"]
    session.press("down", "pageUp")
    await _answer(session, provider, _part("b", "c"))
    session.press("down")
    await _answer(session, provider, _part("a", "b", "c"))
    assert session.menu_rows_shown() == ["  a", "  b", "→ c"]
    await _answer(session, provider, _part("a", "c", more=False))
    assert session.menu_rows_shown() == ["  a", "→ c"]
    await session.answered()
    assert len(provider.asked) == 4


async def test_escape_ends_a_search() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("$a")
    await _answer(session, provider, _part("b"))
    session.press("escape")
    await session.answered()
    assert len(provider.asked) == 1
    assert not session.editor.is_showing_autocomplete()


async def test_tab_decides_when_all_is_known() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("x $a")
    session.press("escape", "tab")
    await _answer(session, provider, _part("b"))
    assert session.menu_rows_shown() == ["  Searching…"]
    assert session.editor.get_text() == "x $a"
    await _answer(session, provider, _part("bc", more=False))
    assert session.editor.get_text() == "x bc"


@pytest.mark.parametrize("key", ["enter", "tab"])
async def test_a_key_that_accepts_waits_for_the_answer_about_what_was_typed(key: str) -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("$a")
    await _answer(session, provider, _part("xa", more=False))
    session.type("b")
    session.press(key)
    assert (session.editor.get_text(), session.submitted) == ("$ab", [])
    await _answer(session, provider, Suggestions(_items("xab"), "$ab"))
    assert (session.editor.get_text(), session.submitted) == ("xab", [])


async def test_enter_submits_after_all_if_there_is_nothing_to_accept() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("$a")
    await _answer(session, provider, _part("xa", more=False))
    session.type("b")
    session.press("enter")
    await _answer(session, provider, None)
    assert session.submitted == ["$ab"]
    session.type("$a")
    await _answer(session, provider, _part("xa", more=False))
    session.type("b")
    session.press("enter")
    session.type("c")
    assert (session.submitted, session.editor.get_text()) == (["$ab"] * 2, "c")


async def test_a_menu_of_tab_goes_on_with_its_word_and_applies_nothing_by_itself() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("see m")
    session.press("tab")
    await _answer(session, provider, Suggestions(_items("main", "more"), "m"))
    session.type("a")
    await _answer(session, provider, Suggestions(_items("main"), "ma"))
    assert session.menu_rows_shown() == ["→ main"]
    session.type(" ")
    await _answer(session, provider, None)
    assert not session.editor.is_showing_autocomplete()
    assert provider.asked == [("see m", True), ("see ma", True), ("see ma ", False)]


async def test_enter_waits_for_a_path_that_is_written_otherwise() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("r")
    session.press("tab")
    await _answer(session, provider, Suggestions(_items("README", "Rust"), "r"))
    session.type("e")
    session.press("enter")
    await _answer(session, provider, Suggestions(_items("README"), "re"))
    assert (session.editor.get_text(), session.submitted) == ("README", [])


async def test_enter_takes_the_first_that_a_search_finds() -> None:
    provider = _SlowProvider()
    session = _session(provider)
    session.type("$a")
    await _answer(session, provider, _part())
    session.press("enter")
    assert session.submitted == []
    await _answer(session, provider, _part("xa", "ya"))
    assert session.editor.get_text() == "xa"


def test_files_of_one_name_are_told_apart_where_there_is_no_room_for_their_folders() -> None:
    paths = ("src/pkg/main.py", "a/main.py", "models/deep/down/here/x/", "y/x/", "b/other.py")
    items = [
        AutocompleteItem(
            f"@{p}", p.rstrip("/").rpartition("/")[2] + "/" * p.endswith("/"), p.rstrip("/")
        )
        for p in paths
    ]
    plain = SelectListTheme(identity, identity, identity, identity, identity)
    popup = EditorPopup(Suggestions(items, "@"), plain)
    assert popup.render(20, 9) == [
        "→ src/pkg/main.py",
        "  a/main.py",
        "  …ep/down/here/x/",
        "  y/x/",
        "  other.py",
    ]
    assert popup.render(80, 9)[1].split() == ["main.py", "a/main.py"]
