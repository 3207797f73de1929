"""What the model gets when it reads a file."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import (
    AssistantMessage,
    ImageContent,
    ToolCall,
    ToolResultMessage,
    text_of,
)
from pi_agent.llm.model import Model
from pi_agent.loop.calls import CallConfig, run_tool_calls
from pi_agent.loop.events import AgentEvent
from pi_agent.tools.read import read_tool
from pi_tui.abort import AbortController
from tests.fixtures.load import Case, decided, load_fixture
from tests.pi_agent.tools.golden import assert_result, build_tree, play, png

pytestmark = pytest.mark.anyio

FIXTURE = "tools_golden"


async def read(
    folder: Path, arguments: JsonObject, model: Model | None = None
) -> ToolResultMessage:
    async def emit(event: AgentEvent) -> None:
        pass

    async def report(message: ToolResultMessage) -> ToolResultMessage:
        return message

    call = ToolCall(id="1", name="read", arguments=arguments)
    results = await run_tool_calls(
        AssistantMessage(content=[call], stop_reason="toolUse"),
        CallConfig(tools=[read_tool(folder, current_model=lambda: model)]),
        emit=emit,
        report=report,
        signal=AbortController().signal,
    )
    return results[0].message


async def read_text(folder: Path, **arguments: object) -> str:
    return text_of((await read(folder, arguments)).content)


async def test_measured_reads_give_the_same_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[str] = []
    for case in load_fixture(FIXTURE):
        if not case.id.startswith("read-") or case.contested or case.id in decided(FIXTURE):
            continue
        if case.input.get("drop"):
            continue
        folder = tmp_path / case.id
        folder.mkdir()
        home = tmp_path / f"home-{case.id}"
        home.mkdir()
        monkeypatch.setenv("HOME", str(home))
        build_tree(folder, case.input["tree"])
        build_tree(home, case.input.get("home", {}))
        failures += await _failure(case, folder)
    assert failures == []


async def _failure(case: Case, folder: Path) -> list[str]:
    model = Model(id=case.input.get("model", "mock-1"), provider="mock", api="x")
    if model.id == "mock-2":
        model.input = ["text", "image"]
    played = await play(case, folder, [read_tool(folder, current_model=lambda: model)])
    try:
        for expected, (message, end) in zip(case.expected["results"], played, strict=True):
            assert_result(expected, message, end, folder)
    except AssertionError as error:
        return [f"{case.id}: {error}"]
    return []


async def test_a_final_line_end_is_not_a_line(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\ntwo\nthree\n")
    assert await read_text(tmp_path, path="a", limit=3) == "one\ntwo\nthree\n"
    assert await read_text(tmp_path, path="a", limit=2) == (
        "one\ntwo\n\n[1 more lines in file. Use offset=3 to continue.]"
    )
    assert await read_text(tmp_path, path="a", offset=9) == (
        "Offset 9 is beyond end of file (3 lines total)"
    )


async def test_following_the_notes_reads_every_line_once(tmp_path: Path) -> None:
    lines = [f"{number} {'x' * (number % 90)}" for number in range(7000)]
    (tmp_path / "a").write_text("\n".join(lines) + "\n")
    seen: list[str] = []
    offset = 1
    while True:
        text, note, rest = (await read_text(tmp_path, path="a", offset=offset)).partition("\n\n[")
        seen += text.rstrip("\n").split("\n")
        if not note:
            break
        offset = int(rest.partition("offset=")[2].split(" ")[0])
    assert seen == lines


@pytest.mark.parametrize("limit", [0, -3])
async def test_a_limit_below_one_is_refused(tmp_path: Path, limit: int) -> None:
    (tmp_path / "a").write_text("one\n")
    assert await read_text(tmp_path, path="a", limit=limit) == "Invalid limit: must be at least 1"


async def test_an_error_names_the_path_as_it_was_given_and_the_cause(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert await read_text(tmp_path, path="@gone.txt") == "Cannot read @gone.txt: No such file"
    assert await read_text(tmp_path, path="folder") == "Cannot read folder: Is a directory"


async def test_a_name_with_the_other_spelling_of_a_letter_is_found(tmp_path: Path) -> None:
    (tmp_path / "caf\u00e9").write_text("x")
    assert await read_text(tmp_path, path="cafe\u0301") == "x"


async def test_a_huge_file_is_read_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.write(b"a\nb\nc\n")
        file.truncate(256 * 1024 * 1024)
    tracemalloc.start()
    try:
        text = await read_text(tmp_path, path="huge", offset=1, limit=2)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert text.startswith("a\nb\n\n[2 more lines")
    assert peak < 16 * 1024 * 1024


async def test_a_text_that_starts_like_a_picture_is_text(tmp_path: Path) -> None:
    for text in ("GIF89a is a file format\n", "BM is short for bitmap, mostly\n"):
        (tmp_path / "a.gif").write_text(text)
        assert await read_text(tmp_path, path="a.gif") == text


async def test_a_picture_over_the_limits_becomes_a_note(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(png(2001, 4))
    message = await read(tmp_path, {"path": "p"})
    assert not any(isinstance(block, ImageContent) for block in message.content)
    assert "2001x4 is larger than 2000x2000" in text_of(message.content)
    assert not message.is_error


async def test_a_model_without_eyes_is_noted(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(png(2, 2))
    blind = Model(id="blind", provider="p", api="x")
    assert (await read(tmp_path, {"path": "p"}, blind)).details == {
        "imageUnsupportedByModel": "blind"
    }
