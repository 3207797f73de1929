"""Starting, reading and stopping commands."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pi_agent.base.process import CommandResult, ProcessGroups, group_exists, run_command
from pi_agent.base.shell import find_shell, shell_environment
from pi_tui.abort import AbortController, AbortSignal

pytestmark = pytest.mark.anyio


@pytest.fixture
async def groups() -> AsyncIterator[ProcessGroups]:
    groups = ProcessGroups()
    yield groups
    groups.kill_all()


class Shell:
    """Runs commands in a folder and keeps what they print."""

    def __init__(self, folder: Path, groups: ProcessGroups) -> None:
        self._folder = folder
        self._groups = groups
        self.output = b""
        self.printed = asyncio.Event()

    async def read(self, data: bytes) -> None:
        self.output += data
        self.printed.set()

    async def run(
        self, command: str, *, signal: AbortSignal | None = None, timeout: float | None = None
    ) -> CommandResult:
        return await run_command(
            ("/bin/sh", "-c", command),
            cwd=self._folder,
            env=os.environ,
            on_output=self.read,
            groups=self._groups,
            signal=signal,
            timeout=timeout,
        )


@pytest.fixture
def shell(tmp_path: Path, groups: ProcessGroups) -> Shell:
    return Shell(tmp_path, groups)


async def test_both_outputs_are_one_stream_in_order(shell: Shell) -> None:
    result = await shell.run("for i in 1 2 3; do echo o$i; echo e$i >&2; done; exit 7")
    assert shell.output == b"o1\ne1\no2\ne2\no3\ne3\n"
    assert (result.ended, result.exit_code) == ("exited", 7)


async def test_death_by_a_signal_is_a_failure_of_128_and_its_number(shell: Shell) -> None:
    assert (await shell.run("kill -9 $$")).exit_code == 137
    assert (await shell.run("kill -TERM $$")).exit_code == 143


async def test_output_that_is_closed_early_does_not_end_the_command(shell: Shell) -> None:
    result = await shell.run("exec >&- 2>&-; sleep 0.2; echo x > ran; exit 3")
    assert result.exit_code == 3


async def test_what_a_background_child_prints_soon_still_counts(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine it comes later.
    monkeypatch.setattr("pi_agent.base.process.SILENCE_SECONDS", 5)
    await shell.run("(sleep 0.02; echo late) & echo soon")
    assert shell.output == b"soon\nlate\n"


async def test_a_timeout_kills_what_ignores_polite_signals(shell: Shell) -> None:
    result = await shell.run(
        "trap '' TERM INT HUP; echo $$; sleep 30 & sleep 30; echo never", timeout=0.3
    )
    assert (result.ended, result.exited_after) == ("timed_out", None)
    assert not group_exists(int(shell.output)) or _only_zombies(int(shell.output))


async def test_an_abort_kills_the_group_before_the_next_command(
    shell: Shell, tmp_path: Path
) -> None:
    controller = AbortController()
    running = asyncio.ensure_future(
        shell.run("echo $$; sleep 30; touch next", signal=controller.signal)
    )
    await shell.printed.wait()
    controller.abort()
    assert (await running).ended == "aborted"
    assert not (tmp_path / "next").exists()


async def test_cancelling_the_task_kills_the_command(shell: Shell) -> None:
    running = asyncio.ensure_future(shell.run("echo $$; exec sleep 30"))
    await shell.printed.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    try:
        process = os.pidfd_open(int(shell.output))
    except ProcessLookupError:
        return  # it is gone already
    ended = asyncio.Event()
    asyncio.get_running_loop().add_reader(process, ended.set)
    await ended.wait()
    asyncio.get_running_loop().remove_reader(process)
    os.close(process)


async def test_a_slow_reader_slows_the_command(tmp_path: Path, groups: ProcessGroups) -> None:
    taken: list[int] = []
    go_on = asyncio.Event()

    async def slow(data: bytes) -> None:
        taken.append(len(data))
        await go_on.wait()

    running = asyncio.ensure_future(
        run_command(
            ("/bin/sh", "-c", "head -c 20000000 /dev/zero; touch done"),
            cwd=tmp_path,
            env=os.environ,
            on_output=slow,
            groups=groups,
        )
    )
    while not taken:  # noqa: ASYNC110  # the first piece is what is waited for
        await asyncio.sleep(0)
    for _ in range(50):
        await asyncio.sleep(0)
    assert len(taken) == 1
    assert not (tmp_path / "done").exists()
    go_on.set()
    await running
    assert sum(taken) == 20_000_000


async def test_a_command_that_cannot_start_leaves_nothing_open(
    shell: Shell, tmp_path: Path
) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        with pytest.raises(FileNotFoundError):
            await run_command(
                ("/nowhere/shell",),
                cwd=tmp_path,
                env={},
                on_output=shell.read,
                groups=ProcessGroups(),
            )
    await asyncio.sleep(0)
    assert len(os.listdir("/proc/self/fd")) <= before


def test_the_configured_shell_wins(tmp_path: Path) -> None:
    assert find_shell("~/bin/zsh") == os.path.expanduser("~/bin/zsh")
    assert find_shell() == "/bin/bash"


def test_an_environment_carries_only_this_sessions_variables() -> None:
    inherited = {"PATH": "/usr/bin", "PI_MODEL": "old", "PI_PROVIDER": "old", "HOME": "/h"}
    assert shell_environment(inherited, {"PI_MODEL": "new"}, Path("/helpers")) == {
        "PATH": "/helpers:/usr/bin",
        "PI_MODEL": "new",
        "HOME": "/h",
    }


def _only_zombies(group: int) -> bool:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            return False
    return True
