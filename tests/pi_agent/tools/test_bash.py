"""What the model gets when it runs a command, and what is left of the command afterwards."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import stat
import tracemalloc
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from pi_agent.base.process import ProcessGroups
from pi_agent.base.shell import ShellSettings
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import TextContent, text_of
from pi_agent.loop.tool import PartialResult, ToolDefinition, ToolResult
from pi_agent.tools.bash import CommandFailed, bash_tool
from pi_agent.tools.output import CommandOutput
from pi_tui.abort import AbortController
from tests.fixtures.load import decided, load_fixture
from tests.pi_agent.tools.golden import assert_result, build_tree, play

pytestmark = pytest.mark.anyio

FIXTURE = "tools_golden"
# Measured with variables of a whole program around the tool, or with a folder that is named there.
NEEDS_A_PROGRAM = {"bash-cwd", "bash-env-names", "bash-env-values", "bash-env-inherited"}


@pytest.fixture
async def groups() -> AsyncIterator[ProcessGroups]:
    groups = ProcessGroups()
    yield groups
    groups.kill_all()


def tool_for(folder: Path, groups: ProcessGroups) -> ToolDefinition:
    return bash_tool(
        folder,
        groups=groups,
        session_environment=dict,
        settings=ShellSettings(output_folder=folder),
    )


class Run:
    """One command run through the tool, with what it published."""

    def __init__(self, tool: ToolDefinition) -> None:
        self.controller = AbortController()
        self.updates: list[PartialResult] = []
        self.printed = asyncio.Event()
        self._tool = tool

    def take(self, partial: PartialResult) -> None:
        self.updates.append(partial)
        if partial.content:
            self.printed.set()

    async def result(self, command: str, **more: float) -> ToolResult:
        params: JsonObject = {"command": command, **more}
        result = await self._tool.execute("1", params, self.controller.signal, self.take, None)
        assert isinstance(result, ToolResult)
        return result

    async def text(self, command: str, **more: float) -> str:
        return text_of((await self.result(command, **more)).content)


def is_running(pid: int) -> bool:
    """Look in the process table; a zombie does not run."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z"


async def until_gone(pid: int) -> None:
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    ended = asyncio.Event()
    asyncio.get_running_loop().add_reader(process, ended.set)
    try:
        await ended.wait()
    finally:
        asyncio.get_running_loop().remove_reader(process)
        os.close(process)


async def test_measured_commands_give_the_same_results(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    cases = [
        case
        for case in load_fixture(FIXTURE)
        if case.id.startswith("bash-")
        and not case.contested
        and case.id not in NEEDS_A_PROGRAM | set(decided(FIXTURE))
        and (case.id != "bash-group" or shutil.which("ps"))  # which a small system lacks
    ]
    assert cases

    async def failures(folder: Path, number: int) -> list[str]:
        case = cases[number]
        folder.mkdir()
        build_tree(folder, case.input["tree"])
        played = await play(case, folder, [tool_for(folder, groups)])
        try:
            for expected, (message, end) in zip(case.expected["results"], played, strict=True):
                assert_result(expected, message, end, folder)
        except AssertionError as error:
            return [f"{case.id}: {error}"]
        return []

    # Most of them only wait.
    found = await asyncio.gather(
        *(failures(tmp_path / case.id, number) for number, case in enumerate(cases))
    )
    assert [failure for each in found for failure in each] == []


async def test_a_background_child_does_not_hold_up_the_result_and_ends_with_the_program(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    async with asyncio.timeout(3):
        text = await Run(tool_for(tmp_path, groups)).text("sleep 30 & echo $!; echo hi")
    child, said = text.split("\n", 1)
    assert said == "hi\n"
    assert is_running(int(child))
    groups.kill_all()
    await until_gone(int(child))


async def test_an_abort_leaves_no_process_of_the_group(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    run = Run(tool_for(tmp_path, groups))
    running = asyncio.ensure_future(
        run.result("sleep 100 & echo $!; sleep 100 | cat; echo next > next; echo never")
    )
    await run.printed.wait()
    run.controller.abort()
    with pytest.raises(CommandFailed) as failure:
        await running
    child, status = str(failure.value).split("\n", 1)
    assert status == "\nCommand aborted"
    await until_gone(int(child))
    assert not (tmp_path / "next").exists()


async def test_endless_output_stays_within_memory_and_keeps_the_loop_going(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    run = Run(tool_for(tmp_path, groups))
    tracemalloc.start()
    try:
        running = asyncio.ensure_future(run.result("yes", timeout=0.5))
        turns = 0
        while not running.done():
            turns += 1
            await asyncio.sleep(0)
        with pytest.raises(CommandFailed, match=r"Command timed out after 0\.5 seconds"):
            await running
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * 1024 * 1024
    assert turns > len(run.updates)


async def test_the_file_holds_every_byte_and_only_the_owner_may_read_it(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    result = await Run(tool_for(tmp_path, groups)).result("seq 300000; printf '\\xff'; exit 4")
    path = Path(result.details["fullOutputPath"])
    expected = b"".join(b"%d\n" % number for number in range(1, 300001)) + b"\xff"
    assert path.read_bytes() == expected
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert result.is_error
    text = text_of(result.content)
    assert text.startswith("298002\n")
    assert text.endswith(
        f"300000\n\ufffd\n\n[Showing lines 298002-300001 of 300001. Full output: {path}]"
        "\n\nCommand exited with code 4"
    )


async def test_the_file_of_endless_output_ends_and_the_model_is_told(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    settings = ShellSettings(output_folder=tmp_path, max_file_bytes=100_000)
    tool = bash_tool(tmp_path, groups=groups, session_environment=dict, settings=settings)
    result = await Run(tool).result("seq 300000")
    path = Path(result.details["fullOutputPath"])
    assert path.read_bytes() == "".join(f"{n}\n" for n in range(1, 300001)).encode()[:100_000]
    assert text_of(result.content).endswith(
        "299999\n300000\n\n[Showing lines 298001-300000 of 300000. Beginning of the output"
        f" (no more than 97.7KB is kept): {path}]"
    )


async def test_output_that_cannot_be_kept_does_not_stop_the_command(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    settings = ShellSettings(output_folder=tmp_path / "none")
    tool = bash_tool(tmp_path, groups=groups, session_environment=dict, settings=settings)
    result = await Run(tool).result("seq 300000; touch done")
    assert (tmp_path / "done").exists()
    assert "fullOutputPath" not in result.details
    assert text_of(result.content).endswith(
        "300000\n\n[Showing lines 298001-300000 of 300000. The rest could not be kept:"
        " No such file or directory]"
    )


async def test_long_output_keeps_both_ends_for_programs(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    result = await Run(tool_for(tmp_path, groups)).result("seq 300000")
    structured = result.structured_content
    assert isinstance(structured, dict)
    assert structured["truncated"] is True
    start, middle, end = re.split(
        r"\n\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n\n", structured["output"]
    )
    assert start.startswith("1\n2\n")
    assert end.endswith("299999\n300000\n")
    total = sum(len(str(number)) + 1 for number in range(1, 300001))
    assert len(start) + int(middle) + len(end) == total


async def test_the_first_update_is_empty_and_the_last_shows_what_the_result_shows(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    run = Run(tool_for(tmp_path, groups))
    text = await run.text("for i in 1 2 3 4 5 6 7 8; do echo $i; done")
    assert run.updates[0] == PartialResult()
    assert text_of(run.updates[-1].content) == text


async def test_another_sessions_variables_are_not_passed_on(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    def inherited() -> Mapping[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PI_SESSION_ID": "old",
            "PI_SESSION_FILE": "old",
            "X": "x",
        }

    tool = bash_tool(
        tmp_path,
        groups=groups,
        session_environment=lambda: {"PI_SESSION_ID": "mine"},
        inherited_environment=inherited,
    )
    shown = 'echo "$X,$PI_SESSION_ID,$PI_SESSION_FILE"'
    assert await Run(tool).text(shown) == "x,mine,\n"
    closed = bash_tool(
        tmp_path, groups=groups, session_environment=None, inherited_environment=inherited
    )
    assert await Run(closed).text(shown) == "x,,\n"
    assert closed.prompt_guidelines == ()


async def test_helper_programs_come_first_and_the_prefix_runs_before_the_command(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    helper = tmp_path / "helpers" / "ls"
    helper.parent.mkdir()
    helper.write_text("#!/bin/sh\necho helper\n")
    helper.chmod(0o755)
    settings = ShellSettings(prefix="export GREETING=hello", helper_folder=helper.parent)
    tool = bash_tool(tmp_path, groups=groups, session_environment=dict, settings=settings)
    assert await Run(tool).text("ls; echo $GREETING") == "helper\nhello\n"


async def test_a_folder_that_is_gone_is_named(tmp_path: Path, groups: ProcessGroups) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(CommandFailed) as failure:
        await Run(tool_for(gone, groups)).result("echo hi")
    assert str(failure.value) == (
        f"Working folder does not exist: {gone}\nCannot execute bash commands."
    )


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 2_147_483.648])
async def test_a_timeout_that_is_none_is_refused(
    tmp_path: Path, groups: ProcessGroups, timeout: float
) -> None:
    with pytest.raises(ValueError, match="Invalid timeout: m"):
        await Run(tool_for(tmp_path, groups)).result("touch ran", timeout=timeout)
    assert not (tmp_path / "ran").exists()


async def test_a_late_writer_after_the_shell_is_told_with_the_timeout(
    tmp_path: Path, groups: ProcessGroups, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine the writer falls silent for longer than it means to.
    monkeypatch.setattr("pi_agent.base.process.SILENCE_SECONDS", 5)
    with pytest.raises(CommandFailed) as failure:
        await Run(tool_for(tmp_path, groups)).result(
            "(while true; do echo x; sleep 0.02; done) & exit 4", timeout=0.5
        )
    assert "The shell exited with code 4 after" in str(failure.value)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 4096])
async def test_characters_survive_any_cut_of_the_bytes(tmp_path: Path, size: int) -> None:
    text = "a你好👍é\n" * 5000
    data = text.encode()
    output = CommandOutput(prefix="pi-bash-", settings=ShellSettings(output_folder=tmp_path))
    for start in range(0, len(data), size):
        await output.add(data[start : start + size])
    await output.finish()
    tail = output.tail()
    assert "\ufffd" not in tail.content
    assert text.endswith(tail.content + "\n")
    assert (tail.total_lines, tail.total_bytes) == (5000, len(data))
    assert output.file is not None
    assert output.file.read_bytes() == data


async def test_one_giant_line_shows_its_end_and_its_size(
    tmp_path: Path, groups: ProcessGroups
) -> None:
    text = await Run(tool_for(tmp_path, groups)).text("head -c 200000 /dev/zero | tr '\\0' x; echo")
    assert text.startswith(
        "x" * 51200 + "\n\n[Showing last 50.0KB of line 1 (line is 195.3KB). Full"
    )


async def test_content_is_text(tmp_path: Path, groups: ProcessGroups) -> None:
    result = await Run(tool_for(tmp_path, groups)).result("true")
    assert result.content == [TextContent(text="(no output)")]
