"""What `edit` makes of a file, and what the model gets."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import text_of
from pi_agent.loop.tool import ToolDefinition, ToolResult
from pi_agent.tools.edit import edit_tool, preview_edit
from pi_agent.tools.edit_text import Edit, EditError, edit_text
from pi_agent.tools.mutation_queue import MutationQueue
from pi_agent.tools.read import read_tool
from pi_agent.tools.write import write_tool
from pi_tui.abort import AbortController, AbortError
from tests.fixtures.load import Case, decided, load_fixture
from tests.pi_agent.tools.golden import assert_files, assert_result, build_tree, look, play

pytestmark = pytest.mark.anyio

FIXTURE = "tools_golden"
TOOLS = {"read", "write", "edit"}


def tools_for(folder: Path) -> list[ToolDefinition]:
    queue = MutationQueue()
    return [read_tool(folder), edit_tool(folder, queue), write_tool(folder, queue)]


def measured() -> list[Case]:
    """Return the cases that only change files and need no other rights than ours."""
    return [
        case
        for case in load_fixture(FIXTURE)
        if {call["name"] for call in case.input["calls"]} <= TOOLS
        and not case.id.startswith("read-")
        and not case.contested
        and not case.input.get("drop")
        and case.id not in decided(FIXTURE)
    ]


async def test_measured_changes_give_the_same_results_and_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = measured()
    assert len(cases) > 100
    failures: list[str] = []
    for case in cases:
        folder, home = tmp_path / case.id / "proj", tmp_path / case.id / "home"
        for each, tree in ((folder, case.input["tree"]), (home, case.input.get("home", {}))):
            each.mkdir(parents=True)
            build_tree(each, tree)
        monkeypatch.setenv("HOME", str(home))
        before, home_before = look(folder), look(home)
        try:
            for expected, (message, end) in zip(
                case.expected["results"], await play(case, folder, tools_for(folder)), strict=True
            ):
                assert_result(expected, message, end, folder)
            files = case.expected.get("files", {})
            assert_files(files, before, look(folder))
            assert_files(files, home_before, look(home), "~/")
        except AssertionError as error:
            failures.append(f"{case.id}: {error}")
    assert failures == []


async def edit(
    folder: Path, *edits: tuple[str, str], path: str = "a", aborted: bool = False
) -> str:
    controller = AbortController()
    if aborted:
        controller.abort("Operation aborted")
    tool = edit_tool(folder, MutationQueue())
    params = arguments(*edits, path=path)
    result = await tool.execute("1", params, controller.signal, lambda partial: None, None)
    assert isinstance(result, ToolResult)
    return text_of(result.content)


def arguments(*edits: tuple[str, str], path: str = "a") -> JsonObject:
    return {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in edits]}


def edited(data: bytes, *edits: tuple[str, str]) -> bytes:
    return edit_text(data, [Edit(old, new) for old, new in edits], "a").data


@pytest.mark.parametrize(
    ("before", "edits", "after"),
    [
        ("a\r\nb\r\n", [("b", "c")], "a\r\nc\r\n"),
        ("\ufeffa\r\nb\r\nc\r\n", [("a\nb", "x\ny")], "\ufeffx\r\ny\r\nc\r\n"),
        ("a\r\nb\nc\r\nd", [("b\n", "x\ny\n")], "a\r\nx\ny\nc\r\nd"),
        ("a\r\nb\nc\r\nd", [("a\nb\nc\n", "a\nb\nx\nc\n")], "a\r\nb\nx\nc\r\nd"),
        ("a\r\nb\r\nc", [("c", "c\nd")], "a\r\nb\r\nc\r\nd"),
        ("a\rb\n", [("b", "\nb")], "a\r\r\nb\n"),
        ("a\rX\nb\n", [("X", "")], "a\r\r\nb\n"),
        ("one two\n", [("two", "2"), ("one", "1")], "1 2\n"),
        ("say \u201chi\u201d  \nend  \n", [('say "hi"', 'say "yo"')], 'say "yo"\nend  \n'),
        ("a\u00a0b\r\nc\r\n", [("a b\nc", "x")], "x\r\n"),
        ("\u201cq\u201d\n\u2014\n\u2018z\u2019\n", [('"q"\n', "")], "\u2014\n\u2018z\u2019\n"),
    ],
)
def test_line_ends_marks_and_other_lines_stay(
    before: str, edits: list[tuple[str, str]], after: str
) -> None:
    assert edited(before.encode(), *edits).decode() == after


def test_bytes_that_are_no_text_stay() -> None:
    assert edited(b"caf\xe9\n\xff\xfe\nb\n", ("b", "x")) == b"caf\xe9\n\xff\xfe\nx\n"
    # And none come from half a character that a model sends.
    assert "\ufffd" in edit_text(b"caf\xe9 a\n", [Edit(" a", " b")], "a").diff.old[0]


class Change(NamedTuple):
    """A file, edits of it that are all possible, and the plain answer."""

    data: bytes
    edits: list[tuple[str, str]]
    text: str
    first_line: int
    last_line: int


line = st.text(alphabet="ab \t\u201cé", max_size=4)


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """Build a file of random lines, replace some of its pieces that stand there once."""
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"]]))
    numbered = [f"{number}{draw(line)}" for number in range(draw(st.integers(1, 8)))]
    text = "\n".join(numbered) + draw(st.sampled_from(["", "\n"]))
    pieces = text.split("\n")
    data = "".join(
        piece + (draw(st.sampled_from(ends)) if number < len(pieces) - 1 else "")
        for number, piece in enumerate(pieces)
    )
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), min_size=2, max_size=6)))
    spans = [
        (start, end)
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
        if start < end and len(re.findall(f"(?={re.escape(text[start:end])})", text)) == 1
    ]
    news = [draw(st.text(alphabet="xy\n ", max_size=5)) for _ in spans]
    result = text
    for (start, end), new in reversed(list(zip(spans, news, strict=True))):
        result = result[:start] + new + result[end:]
    edits = [(text[start:end], new) for (start, end), new in zip(spans, news, strict=True)]
    first = text.count("\n", 0, spans[0][0]) if spans else 0
    last = text.count("\n", 0, spans[-1][1]) if spans else 0
    return Change(data.encode(), draw(st.permutations(edits)), result, first, last)


@settings(max_examples=300)
@given(change=changes())
def test_edits_are_what_cutting_and_pasting_gives_and_touch_no_other_line(change: Change) -> None:
    before = change.data.decode()
    if not change.edits or change.text == re.sub("\r\n|\r", "\n", before):
        with pytest.raises(EditError):
            edited(change.data, *change.edits)
        return
    after = edited(change.data, *change.edits).decode()
    assert re.sub("\r\n|\r", "\n", after) == change.text
    lines = re.findall("[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", before)
    assert after.startswith("".join(lines[: change.first_line]))
    assert after.endswith("".join(lines[change.last_line + 1 :]))


@pytest.mark.parametrize(
    ("text", "edits", "message"),
    [
        ("a\nb\na\na\n", [("a", "b")], "Found 3 occurrences of the text in a. .* (lines 1, 3, 4)"),
        (
            "aXa\n",
            [("X", "y"), ("a", "b")],
            "Found 2 occurrences of edits[1] in a. .* (lines 1, 1)",
        ),
        ("\n\n\n", [("\n\n", "x")], "Found 2 occurrences of the text in a. .* (lines 1, 2)"),
        (
            "a\n" * 30,
            [("a", "b")],
            "Found 30 occurrences .* (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...)",
        ),
        ("a\n", [], "Edit tool input is invalid. edits must contain at least one replacement."),
        ("a\n", [("", "b")], "oldText must not be empty in a."),
    ],
)
async def test_what_cannot_be_edited_is_explained_and_left_alone(
    tmp_path: Path, text: str, edits: list[tuple[str, str]], message: str
) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(EditError, match=re.escape(message).replace(r"\.\*", ".*")):
        await edit(tmp_path, *edits)
    assert (tmp_path / "a").read_text() == text
    assert os.listdir(tmp_path) == ["a"]


async def test_only_files_are_edited(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "huge").touch()
    os.truncate(tmp_path / "huge", 1 << 40)
    for path, reason in (
        ("pipe", "Not a regular file."),
        ("huge", "It is too large to edit (1048576.0MB)."),
        (".", "Is a directory."),
        ("none", "No such file."),
        ("a\0", "Not a possible path"),
    ):
        with pytest.raises(EditError) as failure:
            await edit(tmp_path, ("a", "b"), path=path)
        assert str(failure.value).startswith(f"Could not edit file: {path}. {reason}")


async def test_a_file_is_found_under_the_name_that_read_finds_it_by(tmp_path: Path) -> None:
    (tmp_path / "Screenshot 3\u202fPM.txt").write_text("a")
    await edit(tmp_path, ("a", "b"), path="Screenshot 3 PM.txt")
    assert (tmp_path / "Screenshot 3\u202fPM.txt").read_text() == "b"
    assert len(os.listdir(tmp_path)) == 1


async def test_nothing_is_edited_after_an_abort(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    with pytest.raises(AbortError):
        await edit(tmp_path, ("a", "b"), aborted=True)
    assert (tmp_path / "a").read_text() == "a"


async def test_the_preview_is_what_the_edit_then_does(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\ntwo\n")
    preview = preview_edit(tmp_path, arguments(("two", "2")))
    assert (tmp_path / "a").read_text() == "one\ntwo\n"
    await edit(tmp_path, ("two", "2"))
    assert (tmp_path / "a").read_bytes() == preview.data
    with pytest.raises(EditError, match="Could not find"):
        preview_edit(tmp_path, arguments(("two", "2")))


def test_a_megabyte_that_repeats_itself_is_searched_at_once() -> None:
    with pytest.raises(EditError, match=r"Found 2 occurrences .* \(lines 1, 1\)"):
        edited(b"a" * 1_000_000, ("a" * 400_000, "b"))
