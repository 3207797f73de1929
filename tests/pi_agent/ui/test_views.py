"""Every view of the screen keeps the width contract, and looks as accepted at 20, 40 and 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.llm.messages import AssistantMessage, TextContent, ThinkingContent
from pi_agent.loop.events import AutoRetryStart
from pi_agent.loop.queues import QueuedText
from pi_agent.resources.themes import load_bundled_theme
from pi_agent.session.entries import BranchSummaryEntry, CompactionEntry
from pi_agent.ui.dialogs.confirm import ConfirmDialog
from pi_agent.ui.elapsed import duration, took
from pi_agent.ui.footer import Footer, format_tokens
from pi_agent.ui.header import Header
from pi_agent.ui.messages.assistant import AssistantView
from pi_agent.ui.messages.help_table import HelpTable
from pi_agent.ui.messages.notice import notice
from pi_agent.ui.messages.summary import summary_view
from pi_agent.ui.messages.user import UserMessageView
from pi_agent.ui.notices import Notices
from pi_agent.ui.plain import GrowingPlainText, plain_text
from pi_agent.ui.queue_panel import QueuePanel
from pi_agent.ui.renderers.built_in import row_for
from pi_agent.ui.renderers.tool_row import ToolRow
from pi_agent.ui.retry_status import RetryStatus
from pi_agent.ui.status import StatusRow
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.components.container import Container
from pi_tui.components.transcript import Transcript
from pi_tui.events import MouseEvent
from pi_tui.frame import strip_prompt_marks
from pi_tui.keybindings import (
    TUI_KEYBINDINGS,
    KeybindingsManager,
    get_keybindings,
    set_keybindings,
)
from pi_tui.snapshot import check_snapshot, snapshot_component
from pi_tui.theme import Theme
from pi_tui.width import visible_width

SNAPSHOTS = Path(__file__).resolve().parents[3] / "snapshots" / "pi_agent" / "ui" / "test_views"
MODE = get_terminal_color_mode({"COLORTERM": "truecolor"})
DARK = load_bundled_theme("dark", color_mode=MODE)
LIGHT = load_bundled_theme("light", color_mode=MODE)

Render = Callable[[int], list[str]]


@pytest.fixture(scope="module", autouse=True)
def _keys_of_the_toolkit() -> Iterator[None]:
    """Draw with the toolkit's keys, whatever the process has: views name the keys that are bound."""
    before = get_keybindings()
    set_keybindings(KeybindingsManager(TUI_KEYBINDINGS))
    yield
    set_keybindings(before)


def tool(
    name: str,
    text: str,
    arguments: dict[str, object],
    theme: Theme,
    *,
    expanded: bool = False,
    error: bool = False,
) -> ToolRow:
    row = row_for(name, theme, "Ctrl+O")
    row.set_arguments(arguments)
    row.set_output([TextContent(text=text)], None, "error" if error else "success")
    row.set_expanded(expanded)
    return row


def header(text: str, theme: Theme) -> Render:
    view = Header(theme, "1.2.3", [("Escape", "interrupt"), ("Ctrl+C", "clear")])
    view.set_resources([("Context", ["AGENTS.md", text]), ("Extensions", [])])
    return view.render


def footer(text: str, theme: Theme) -> Render:
    view = Footer(theme)
    view.update(
        folder=f"~/src/{text}",
        branch="main",
        session_name=text,
        input_tokens=12_345,
        output_tokens=999,
        cache_read_tokens=80_000,
        context_percent=93.75,
        context_window=128_000,
        auto_compacts=True,
        model="fast-1",
        provider="acme",
        thinking_level="high",
    )
    return view.render


def messages(text: str, theme: Theme) -> Render:
    both = Container()
    both.add_child(UserMessageView(text, theme))
    answer = AssistantView(theme)
    answer.update(
        AssistantMessage(
            content=[ThinkingContent(thinking=f"Hm. {text}"), TextContent(text=f"{text}\n\nDone.")],
            stop_reason="error",
            error_message=f"503: {text}",
        )
    )
    both.add_child(answer)
    both.add_child(notice(text, "warning", theme))
    return both.render


def answer(text: str, theme: Theme) -> Render:
    view = AssistantView(theme)
    thinking = f"First **look**, then `act`:\n\n1. {text}\n2. done"
    code = (
        f"Run this:\n\n```sh\nls -l  # {text}\n```\n\n| Flag | Says |\n|---|---|\n| `-l` | {text} |"
    )
    view.update(
        AssistantMessage(content=[ThinkingContent(thinking=thinking), TextContent(text=code)])
    )
    return view.render


def tools(text: str, theme: Theme) -> Render:
    both = Container()
    lines = "\n".join(f"{number} {text}" for number in range(9))
    both.add_child(tool("bash", lines, {"command": f"ls {text}", "timeout": 5}, theme))
    both.add_child(tool("bash", "out", {}, theme, error=True))
    both.add_child(
        tool("read", lines, {"path": text, "offset": 3, "limit": 4}, theme, expanded=True)
    )
    both.add_child(tool("hello", lines, {"name": text, "n": 3}, theme))
    return both.render


def dialog(text: str, theme: Theme) -> Render:
    view = ConfirmDialog(f"Run it? {text}", f"rm -rf {text}", theme, lambda answer: None)
    view.remaining = 5
    return view.render


def waiting_texts(text: str, theme: Theme) -> QueuePanel:
    view = QueuePanel(theme)
    view.source = lambda: [
        QueuedText(1, "steering", text),
        QueuedText(2, "steering", text, is_held=True),
        QueuedText(3, "follow_up", text, is_edited=True),
    ]
    view.refresh()
    return view


def pending(text: str, theme: Theme) -> Render:
    return waiting_texts(text, theme).render


def queue(text: str, theme: Theme) -> Render:
    view = waiting_texts(text, theme)
    view.focused = True
    return view.render


def status(text: str, theme: Theme) -> Render:
    """What is said above the editor: of a run, of something else, and of the wait for the next attempt."""
    working, other, waiting = (StatusRow(Asked(), theme) for _ in range(3))
    working.show_working(lambda: " 1m 30s (esc to interrupt)")
    other.show(text, lambda: "... 12")
    retry = RetryStatus(waiting, Notices(Asked(), Transcript(), theme), lambda: 0)
    retry.start(AutoRetryStart(1, 3, 2000, "503"))
    rows = Container()
    for row in (working, other, waiting):
        rows.add_child(row)
    return rows.render


def summaries(text: str, theme: Theme) -> Render:
    """What stands for a part of the conversation: in a line, and as it was written."""
    summary = f"## Goal\n{text}\n\n- [x] done"
    branch = BranchSummaryEntry({"type": "branch_summary", "summary": summary})
    raw = {"type": "compaction", "summary": summary, "tokensBefore": 151_000}
    rows = Container()
    for entry, expanded in ((branch, False), (branch, True), (CompactionEntry(raw), False)):
        view = summary_view(entry, theme, expand_key="Ctrl+O", expanded=expanded, hyperlinks=False)
        assert view is not None
        rows.add_child(view)
    return rows.render


def help_table(text: str, theme: Theme) -> Render:
    commands = [("/help", "Show commands and keys"), ("/model [id]", f"Choose {text}")]
    keys = [("Ctrl+O", "Expand or collapse tool output"), (f"Alt+{text}", "")]
    return HelpTable([commands, keys], theme).render


STORIES = {
    "header": header,
    "footer": footer,
    "messages": messages,
    "answer": answer,
    "tools": tools,
    "dialog": dialog,
    "pending": pending,
    "queue": queue,
    "status": status,
    "summaries": summaries,
    "help": help_table,
}


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize("story", STORIES)
def test_the_picture(story: str, theme: Theme) -> None:
    picture = snapshot_component(STORIES[story]("a longer text with 日本語", theme))
    check_snapshot(SNAPSHOTS / f"{story}-{theme.name}.txt", picture)


texts = st.text(
    alphabet=st.sampled_from("ab \n\t\r日本👍🏽é\x1b[31m\x07\x9b\u200b\ud800x0m]8;"), max_size=40
)


@pytest.mark.parametrize("story", STORIES)
@settings(max_examples=60)
@given(text=texts, width=st.integers(1, 50))
def test_no_row_is_wider_than_its_width_or_has_a_control_byte(
    story: str, text: str, width: int
) -> None:
    for row in STORIES[story](text, DARK)(width):
        assert visible_width(row) <= width
        row = strip_prompt_marks(row)
        assert not set(row) & set("\n\r\t\x07\x9b\x9d")
        assert "\x1b]" not in row
        assert "\ud800" not in row


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0"),
        (999, "999"),
        (1200, "1.2k"),
        (12_400, "12k"),
        (999_499, "999k"),
        (1_200_000, "1.2M"),
        (12_000_000, "12M"),
    ],
)
def test_tokens_are_shown_as_people_read_them(count: int, shown: str) -> None:
    assert format_tokens(count) == shown


@pytest.mark.parametrize(("seconds", "shown"), [(4, "4s"), (90, "1m 30s"), (7384, "2h 3m 4s")])
def test_durations(seconds: int, shown: str) -> None:
    assert duration(seconds) == shown


def test_a_call_says_how_long_it_took() -> None:
    assert took(4.2) == "Took 4.2s"
    assert took(90.4) == "Took 1m 30s"


def test_output_hidden_counts_rows_at_the_width_not_line_breaks() -> None:
    row = tool("bash", "x" * 1000, {"command": "cat"}, DARK)
    text = "\n".join(row.render(42))
    assert "(20 earlier lines, Ctrl+O to expand)" in text


def test_arguments_that_are_missing_or_wrong_are_shown_as_such() -> None:
    assert "..." in "".join(tool("read", "", {}, DARK).render(40))
    assert "[invalid arg]" in "".join(tool("read", "", {"path": 3}, DARK).render(40))


def test_a_tool_name_of_the_model_brings_nothing_to_the_terminal() -> None:
    name = "ev\x1b[31mil\x1b]0;pwned\x07\x1b[2J"
    rows = "".join(tool(name, "", {"a": 1}, DARK).render(60))
    assert "evil" in rows
    assert "pwned" not in rows
    assert "\x1b]" not in rows and "\x1b[2J" not in rows and "\x1b[31m" not in rows


def test_where_it_is_narrow_the_end_of_the_folder_and_its_branch_stay() -> None:
    view = Footer(DARK)
    view.update(folder="~/code/customers/acme/app", branch="main")
    shown = {width: strip_terminal_sequences(view.render(width)[0]) for width in (40, 20, 8)}
    assert shown[40] == "~/code/customers/acme/app (main)"
    assert shown[20] == "…ers/acme/app (main)"
    assert shown[8].startswith("…") and visible_width(shown[8]) <= 8
    view.update(session_name="the long name of a session")
    assert strip_terminal_sequences(view.render(40)[0]).startswith(
        "…/acme/app (main) • the long name"
    )


def test_the_footer_is_safe_from_names_of_models_and_providers() -> None:
    view = Footer(DARK)
    view.update(model="m\x1b[2J\x1b]0;x\x07", provider="p\x1b[2J\x07", folder="f\x1b[2J\n")
    for width in (20, 80):
        for row in view.render(width):
            assert not set(strip_prompt_marks(row)) & set("\n\x07")
            assert "\x1b[2J" not in row and "\x1b]" not in row


@settings(max_examples=200)
@given(pieces=st.lists(texts, max_size=8))
def test_text_that_grows_is_made_plain_as_if_it_had_come_at_once(pieces: list[str]) -> None:
    growing, whole = GrowingPlainText(), ""
    for piece in pieces:
        whole += piece
        assert growing.of(whole) == plain_text(whole)
    assert growing.of("other") == "other"


def test_long_arguments_take_a_few_rows_until_they_are_expanded() -> None:
    for name in ("bash", "read", "other"):
        for long in ("echo 'x'; " * 10_000, "line\n" * 20_000):
            row = tool(name, "done", {"command": long, "path": long}, DARK)
            assert len(row.render(80)) < 15
    row = tool("bash", "done", {"command": "echo 'x'; " * 10_000}, DARK, expanded=True)
    assert len(row.render(80)) > 1000


def test_a_huge_queued_text_takes_one_row_and_is_looked_at_once() -> None:
    view = QueuePanel(DARK)
    view.source = lambda: [QueuedText(1, "steering", "x" * 1_000_000)]
    view.refresh()
    rows = view.render(40)
    assert len(rows) == 1
    assert view.render(40) is rows
    view.source = lambda: [QueuedText(2, "steering", "y")]
    view.refresh()
    assert "Steering: y" in view.render(40)[0]


def test_a_click_shows_a_summary_and_hides_it_again() -> None:
    view = summary_view(
        BranchSummaryEntry({"summary": "it **failed**"}),
        DARK,
        expand_key="Ctrl+O",
        expanded=False,
        hyperlinks=False,
    )
    assert view is not None

    def shown() -> str:
        return strip_terminal_sequences("".join(view.render(60)))

    assert "it failed" not in shown()
    click = MouseEvent("click", "left", 3, 2, 3, 2)
    assert view.handle_mouse(click) is not None
    assert "it failed" in shown()
    view.handle_mouse(click)
    assert "(Ctrl+O to expand)" in shown()


def thought(answer: AssistantView) -> list[str]:
    return [strip_terminal_sequences(row).strip() for row in answer.render(40)]


def test_blocks_stand_in_their_order_whichever_gets_its_text_first() -> None:
    message = AssistantMessage(content=[TextContent(text=""), TextContent(text="second")])
    answer = AssistantView(DARK)
    answer.update(message)
    assert thought(answer) == ["", "second"]
    message.content[0] = TextContent(text="first")
    answer.update(message)
    assert thought(answer) == ["", "first", "", "second"]


def test_a_block_behind_the_ending_leaves_no_stray_row() -> None:
    message = AssistantMessage(content=[TextContent(text="one")], stop_reason="length")
    answer = AssistantView(DARK)
    answer.update(message)
    ending = thought(answer)[2:]
    message.content.append(TextContent(text="two"))
    answer.update(message)
    assert thought(answer) == ["", "one", "", "two", *ending]
    message.stop_reason = "stop"
    answer.update(message)
    assert thought(answer) == ["", "one", "", "two"]


def test_thinking_is_styled_in_every_row() -> None:
    answer = AssistantView(DARK)
    answer.update(AssistantMessage(content=[ThinkingContent(thinking="word " * 30)]))
    rows = [row for row in answer.render(30) if row]
    assert len(rows) > 3
    assert all("\x1b[3" in row for row in rows)


class Asked:
    """Counts what is asked of the screen."""

    columns, rows, frames = 80, 24, 0

    def request_render(self, force: bool = False) -> None:
        self.frames += 1


def test_of_consecutive_infos_only_the_last_stays_whoever_says_them() -> None:
    document = Transcript()
    notices = Notices(Asked(), document, DARK)
    for text in ("one", "two"):
        notices.notify(text)
    notices.notify("careful", "warning")
    notices.notify("three")
    notices.say("stays")
    notices.notify("four")
    shown = [strip_terminal_sequences(row).strip() for row in document.render(40)]
    assert [row for row in shown if row] == ["two", "careful", "three", "stays", "four"]
