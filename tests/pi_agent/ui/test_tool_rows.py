"""How tool calls look while they come, run, and end; and that this costs what is seen of them."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.messages import TextContent
from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.elapsed import ElapsedTimes
from pi_agent.ui.renderers.built_in import row_for
from pi_agent.ui.renderers.diff_rows import diff_rows
from pi_agent.ui.renderers.edit import EditRow
from pi_agent.ui.renderers.tool_row import ToolRow, ToolState
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.components.container import Container
from pi_tui.diff import diff_lines, numbered_diff, split_lines
from pi_tui.events import MouseEvent
from pi_tui.snapshot import check_snapshot, snapshot_component
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import SNAPSHOTS, Program, interactive, script

DARK = load_bundled_theme("dark", color_mode=get_terminal_color_mode({"COLORTERM": "truecolor"}))
OLD = 'def greet(name):\n    return "Hello " + name\n\n\nprint(greet("you"))\n'
NEW = 'def greet(name):\n    return "Hi " + name\n\n\nfor name in names:\n    print(greet(name), flush=True)\n'
DIFF = numbered_diff(diff_lines(split_lines(OLD), split_lines(NEW)))


def row(
    tool: str,
    arguments: JsonObject,
    output: str = "",
    state: ToolState = "pending",
    *,
    details: JsonValue = None,
    complete: bool = True,
    expanded: bool = False,
    note: str = "",
) -> ToolRow:
    made = row_for(tool, DARK, "Ctrl+O")
    made.set_arguments(arguments, complete=complete)
    if output or state != "pending":
        made.set_output([TextContent(text=output)], details, state)
    made.set_expanded(expanded)
    made.set_note(note)
    return made


def plain(made: ToolRow, width: int = 60) -> list[str]:
    return [strip_terminal_sequences(line).rstrip() for line in made.render(width)]


def edits(text: str = "") -> list[ToolRow]:
    arguments: JsonObject = {
        "path": f"src/app{text}.py",
        "edits": [{"oldText": f"a{text}", "newText": f"b{text}\nc"}],
    }
    previewed = row("edit", arguments)
    assert isinstance(previewed, EditRow)
    previewed.set_preview(DIFF + text)
    return [
        row("edit", {"path": "src/ap"}, complete=False),
        row("edit", arguments, complete=False),
        previewed,
        row("edit", arguments, "done", "success", details={"diff": DIFF + text}),
        row("edit", arguments, f"Could not find the exact text in app.py.{text}", "error"),
    ]


def writes(text: str = "") -> list[ToolRow]:
    content = "".join(f"line {number}{text}\n" for number in range(1, 15))
    arguments: JsonObject = {"path": f"notes{text}.txt", "content": content}
    return [
        row("write", {"path": "not"}, complete=False),
        row("write", {**arguments, "content": content[:-4]}, complete=False),
        row("write", arguments, "ok", "success"),
        row("write", {"path": "a", "content": "x\ny\n"}, "Cannot write a: Is a directory", "error"),
    ]


def commands(text: str = "") -> list[ToolRow]:
    lines = "\n".join(f"step {number}{text}" for number in range(1, 9))
    cut: JsonObject = {
        "truncation": {
            "truncated": True,
            "truncatedBy": "lines",
            "outputLines": 2000,
            "totalLines": 5_000_000,
        },
        "fullOutputPath": "/tmp/pi-bash-ab12.log",
    }
    footer = "[Showing lines 4998001-5000000 of 5000000. Full output: /tmp/pi-bash-ab12.log]"
    return [
        row("bash", {}, complete=False),
        row("bash", {"command": f"make{text}", "timeout": 5}, lines, note="Elapsed 3s"),
        row("bash", {"command": "true"}, "(no output)", "success", note="Took 0.0s"),
        row("bash", {"command": "make"}, f"{lines}\n\nCommand exited with code 2", "error"),
        row("bash", {"command": "sleep 9"}, "Command aborted", "error", note="Took 1.2s"),
        row("bash", {"command": "yes"}, f"y\ny\n\n{footer}", "success", details=cut),
    ]


STORIES: dict[str, Callable[[str], list[ToolRow]]] = {
    "edit": edits,
    "write": writes,
    "bash": commands,
}


def story(name: str, text: str = "") -> Container:
    all_rows = Container()
    for each in STORIES[name](text):
        all_rows.add_child(each)
    return all_rows


@pytest.mark.parametrize("name", STORIES)
def test_the_picture(name: str) -> None:
    picture = snapshot_component(story(name).render)
    check_snapshot(SNAPSHOTS / "test_tool_rows" / f"{name}.txt", picture)


foreign = st.text(
    alphabet=st.sampled_from("ab \n\t\r日👍🏽é\x1b[31m\x07\x9b\ud800x0m]8;+-1"), max_size=30
)


@pytest.mark.parametrize("name", STORIES)
@settings(max_examples=60)
@given(text=foreign, width=st.integers(1, 50), expanded=st.booleans())
def test_no_row_is_too_wide_or_has_a_control_byte(
    name: str, text: str, width: int, expanded: bool
) -> None:
    for made in STORIES[name](text):
        made.set_expanded(expanded)
        for line in made.render(width):
            assert visible_width(line) <= width
            assert not set(line) & set("\n\r\t\x07\x9b\x9d\ud800")
            assert "\x1b]" not in line


@settings(max_examples=100)
@given(
    old=st.text("ab \n+-1日", max_size=60),
    new=st.text("ab \n+-1日", max_size=60),
    width=st.integers(2, 40),
)
def test_every_character_of_a_diff_is_shown(old: str, new: str, width: int) -> None:
    diff = numbered_diff(diff_lines(split_lines(old), split_lines(new)))
    rows, left = diff_rows(diff, width, DARK, 1000)
    assert left == 0
    shown = "".join(strip_terminal_sequences(line) for line in rows)
    assert shown.replace(" ", "") == diff.replace("\n", "").replace(" ", "")


def test_the_words_that_changed_stand_out_where_one_line_became_another() -> None:
    rows, _ = diff_rows(DIFF, 60, DARK, 100)
    marked = [line for line in rows if "\x1b[7m" in line]
    assert [strip_terminal_sequences(line) for line in marked] == [
        '-2     return "Hello " + name',
        '+2     return "Hi " + name',
    ]
    assert "\x1b[7mHello\x1b[27m" in marked[0]
    assert "\x1b[7mHi\x1b[27m" in marked[1]
    unlike, _ = diff_rows("-1 one two three\n+1 something else entirely", 60, DARK, 100)
    assert not any("\x1b[7m" in line for line in unlike)


def test_a_growing_content_costs_what_is_seen_of_it() -> None:
    """Each frame looks at the end only: what it allocates does not grow with what there is."""

    def peak(size: int, tool: str) -> int:
        text = "some words of text\n" * (size // 19)
        arguments: JsonObject = {"path": "a", "content": text}
        if tool == "edit":
            arguments = {"path": "a", "edits": [{"oldText": text, "newText": text}]}
        made = row(tool, arguments, complete=False)
        tracemalloc.start()
        try:
            made.render(80)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    for tool in ("write", "edit"):
        peak(10_000, tool)
        assert peak(5_000_000, tool) < 1.5 * peak(50_000, tool)


def test_a_huge_content_takes_a_few_rows_until_it_is_expanded() -> None:
    for content, hidden in (("word " * 400_000, "1 more"), ("line\n" * 400_000, "399990 more")):
        made = row("write", {"path": "a", "content": content}, "ok", "success")
        assert len(made.render(80)) < 20
        assert f"... ({hidden}" in "\n".join(plain(made))
        made.set_expanded(True)
        assert " total)" in "\n".join(plain(made))
    made.set_expanded(False)
    assert "... (399990 more lines, 400000 total, Ctrl+O to expand)" in "\n".join(plain(made))


def test_what_is_expanded_ends_somewhere_and_says_so() -> None:
    content = "line\n" * 400_000
    diff = "\n".join(f"+{number:6} x" for number in range(400_000))
    for made in (
        row("write", {"path": "a", "content": content}, "ok", "success", expanded=True),
        row("edit", {"path": "a"}, "ok", "success", details={"diff": diff}, expanded=True),
        row("bash", {"command": "x"}, content, "success", expanded=True),
        row("other", {}, content, "success", expanded=True),
    ):
        assert 2000 < len(made.render(80)) < 2010
        assert "... (398000 " in "\n".join(plain(made))


def test_code_is_coloured_by_the_name_of_its_file_once_it_is_all_there() -> None:
    keyword = DARK.fg("syntaxKeyword", "def")
    code = "def greet():\n    pass\n"
    written = {"path": "a.py", "content": code}
    assert keyword in "".join(row("write", written, "ok", "success").render(40))
    assert keyword in "".join(
        row("read", {"path": "a.py"}, code, "success", expanded=True).render(40)
    )
    assert keyword not in "".join(row("write", written | {"path": "a.txt"}).render(40))
    assert plain(row("read", {"path": "a.py"}, code, "success")) == ["", " read a.py"]


def test_a_path_is_a_link_once_it_is_whole_where_the_terminal_has_links(tmp_path: Path) -> None:
    made = row_for("edit", DARK, "Ctrl+O", links_from=tmp_path)
    made.set_arguments({"path": "a b/c"})
    assert "\x1b]8" not in "".join(made.render(60))
    made.set_arguments({"path": "a b/c.py"}, complete=True)
    assert f";{tmp_path.as_uri()}/a%20b/c.py" in "".join(made.render(60))
    assert plain(made) == ["", " edit a b/c.py"]
    for odd in ("a\0b", "\ud800", "\x1b]8;;http://evil\x07", "~/x", "日本"):
        made.set_arguments({"path": odd}, complete=True)
        assert not set("".join(made.render(60))) & set("\0\x07\ud800")


def test_what_read_tells_the_model_of_missing_lines_is_a_warning_here() -> None:
    cut: JsonObject = {
        "truncation": {
            "truncated": True,
            "truncatedBy": "lines",
            "outputLines": 2,
            "totalLines": 9,
            "maxLines": 2,
        }
    }
    text = "one\ntwo\n\n[Showing lines 1-2 of 9. Use offset=3 to continue.]"
    for expanded, lines in ((False, []), (True, [" one", " two"])):
        made = row("read", {"path": "a"}, text, "success", details=cut, expanded=expanded)
        warning = " [Truncated: showing 2 of 9 lines (2 line limit)]"
        assert plain(made) == ["", " read a", *lines, warning]


def test_a_row_that_is_clicked_shows_all_and_a_click_on_its_title_hides_it_again() -> None:
    made = row("bash", {"command": "seq 9"}, "\n".join(map(str, range(9))), "success")
    click = MouseEvent("click", "left", x=3, y=2, screen_x=3, screen_y=2, click_count=1)
    few = len(made.render(40))
    assert made.handle_mouse(click) is not None
    assert len(made.render(40)) > few
    assert made.handle_mouse(click) is None  # words of the output can be selected
    made.handle_mouse(replace(click, y=1))
    assert len(made.render(40)) == few


@pytest.mark.anyio
async def test_running_calls_are_counted_by_one_timer_that_stops_with_them() -> None:
    now = 100.0
    ticked = asyncio.Event()
    times = ElapsedTimes(lambda: now, ticked.set, period=0.001)
    first, second = row("bash", {"command": "a"}), row("bash", {"command": "b"})
    times.start(first)
    now += 3.7
    times.start(second)
    await asyncio.wait_for(ticked.wait(), 5)
    assert plain(first)[-1] == " Elapsed 3s"
    assert plain(second)[-1] == " $ b"
    now += 60
    ticked.clear()
    await asyncio.wait_for(ticked.wait(), 5)
    assert plain(first)[-1] == " Elapsed 1m 3s"
    times.stop(first)
    times.stop(second)
    assert not times.is_running


GATE = """
def setup(pi):
    @pi.on("tool_call")
    async def ask(event, ctx):
        if not await ctx.ui.confirm("Change it?", event.tool_name):
            return {"block": True, "reason": "No."}
"""


@pytest.mark.anyio
async def test_an_edit_that_waits_for_an_answer_shows_what_it_would_change(tmp_path: Path) -> None:
    (tmp_path / "gate.py").write_text(GATE)
    (tmp_path / "work").mkdir()
    file = tmp_path / "work" / "a.txt"
    file.write_text("one\ntwo\nthree\n")
    call = {"path": "a.txt", "edits": json.dumps([{"oldText": "two", "newText": "2"}])}
    wrong = {"path": "a.txt", "edits": [{"oldText": "five", "newText": "5"}]}
    environ = script(
        tmp_path,
        {"toolCalls": [{"name": "edit", "arguments": call}]},
        {"toolCalls": [{"name": "edit", "arguments": wrong}]},
        {"text": "Done."},
    )
    async with interactive(
        tmp_path,
        "--model",
        "demo/script",
        "-e",
        str(tmp_path / "gate.py"),
        environ=environ,
        rows=40,
    ) as program:
        program.say("go")
        await program.pilot.wait_for("+2 2")
        assert "-2 two" in program.pilot.screen()
        assert file.read_text() == "one\ntwo\nthree\n"
        program.pilot.press("down", "up", "enter")
        await program.pilot.wait_for("Could not find the exact text")
        assert file.read_text() == "one\n2\nthree\n"
        program.pilot.press("down", "enter")
        await program.settled("Done.")


@pytest.mark.anyio
async def test_a_click_shows_all_of_one_call_also_in_a_session_gone_on_with(tmp_path: Path) -> None:
    environ = script(
        tmp_path,
        {
            "toolCalls": [
                {"name": "bash", "arguments": {"command": "seq 101 109"}},
                {"name": "bash", "arguments": {"command": "seq 201 209"}},
            ]
        },
        {"text": "Done."},
    )

    def click_on(program: Program, text: str) -> None:
        lines = program.pilot.lines()
        (row,) = [number for number, line in enumerate(lines) if text in line]
        program.pilot.click(3, row)

    words = ("--model", "demo/script")
    async with interactive(tmp_path, *words, environ=environ, rows=50) as program:
        program.say("go")
        await program.settled("Done.")
        assert " 104" not in program.pilot.screen()
        click_on(program, "107")
        await program.pilot.wait_for("104")
        assert " 204" not in program.pilot.screen()
        click_on(program, "$ seq 101")
        await program.pilot.wait_for(lambda: " 104" not in program.pilot.screen())
        program.say("!seq 301 330")
        await program.pilot.wait_for(
            lambda: (
                not program.app.screen.beside.children
                and " 329" in program.pilot.screen()
                and "Running" not in program.pilot.screen()
            )
        )
        assert " 305" not in program.pilot.screen()
        click_on(program, " 320")
        await program.pilot.wait_for(" 305")
    async with interactive(tmp_path, "-c", *words, environ=environ, rows=70) as program:
        await program.pilot.wait_for("$ seq 201")
        click_on(program, " 207")
        await program.pilot.wait_for(" 204")
        assert " 104" not in program.pilot.screen()
        click_on(program, " 320")
        await program.pilot.wait_for(" 305")
