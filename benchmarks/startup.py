"""Starting: the first frame, the settled editor, `--version` and `--help`; and what standing idle costs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure
from benchmarks.model_server import MODEL
from benchmarks.workspace import COMMAND, Workspace
from pi_agent.llm.local.server import MODEL_ID

_SUBJECT: Final = "Start"
_BEHIND_SECONDS: Final = 1.0
_IDLE_SECONDS: Final = 10.0


def measure(workspace: Workspace, runs: int) -> list[Figure]:
    """Measure starts until nothing happens any more."""
    bare = _Command("python -c pass", [sys.executable, "-I", "-c", "pass"])
    loop = _Command("python -c 'import asyncio'", [sys.executable, "-I", "-c", "import asyncio"])
    version = _Command("pi --version", [COMMAND, "--version"])
    usage = _Command("pi --help", [COMMAND, "--help"])
    screen = _Screen()
    local = _Local()
    silent = Figure(_SUBJECT, "settled editor, silent terminal", "ms", aim=220, feels_load=True)
    for _ in range(runs):
        for command in (bare, loop, version, usage):
            command.run(workspace)
        screen.run(workspace)
        local.run(workspace)
        silent.values.append(_silent_start(workspace))
    return [
        *(figure for command in (bare, loop, version, usage) for figure in command.figures),
        *screen.figures,
        *local.figures,
        silent,
        _idle(workspace, runs),
    ]


class _Command:
    """A command that ends by itself."""

    def __init__(self, name: str, argv: Sequence[str | Path]) -> None:
        self._argv = argv
        self.figures = [
            Figure(_SUBJECT, name, "ms", feels_load=True),
            Figure(_SUBJECT, f"{name}, CPU", "ms"),
        ]

    def run(self, workspace: Workspace) -> None:
        begun = time.perf_counter()
        process = subprocess.Popen(
            self._argv, cwd=workspace.project, env=workspace.environment, stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, self._argv
        cpu = usage.ru_utime + usage.ru_stime
        for figure, seconds in zip(self.figures, (wall, cpu), strict=True):
            figure.values.append(seconds * 1000)


class _Screen:
    """The interactive program on a terminal that answers as a modern one does."""

    def __init__(self) -> None:
        self.figures = [
            Figure(_SUBJECT, "first frame", "ms", feels_load=True),
            Figure(_SUBJECT, "first frame, CPU", "ms"),
            Figure(_SUBJECT, "settled editor", "ms", aim=175, feels_load=True),
            Figure(_SUBJECT, "settled editor, CPU", "ms", aim=200),
            Figure(_SUBJECT, "CPU with all that is loaded behind it", "ms"),
            Figure(_SUBJECT, "peak memory", "MB", aim=60),
        ]

    def run(self, workspace: Workspace) -> None:
        with workspace.start() as program:
            first = program.wait_for_frame()
            program.wait_for(MODEL)
            settled = program.settle(_BEHIND_SECONDS)
            values = (
                (first.at - program.started) * 1000,
                first.cpu * 1000,
                (settled.at - program.started) * 1000,
                settled.cpu * 1000,
                program.cpu() * 1000,
                program.peak_mb(),
            )
        for figure, value in zip(self.figures, values, strict=True):
            figure.values.append(value)


class _Local:
    """A start with the small built-in model, whose server starts with the first request."""

    def __init__(self) -> None:
        self.figures = [
            Figure(_SUBJECT, "first frame, `pi --local`", "ms", feels_load=True),
            Figure(_SUBJECT, "first frame, `pi --local`, CPU", "ms"),
            Figure(_SUBJECT, "settled editor, `pi --local`, CPU", "ms"),
        ]

    def run(self, workspace: Workspace) -> None:
        with workspace.start_with("--local") as program:
            first = program.wait_for_frame()
            program.wait_for(MODEL_ID)
            settled = program.settle(_BEHIND_SECONDS)
            values = ((first.at - program.started) * 1000, first.cpu * 1000, settled.cpu * 1000)
        for figure, value in zip(self.figures, values, strict=True):
            figure.values.append(value)


def _silent_start(workspace: Workspace) -> float:
    with workspace.start(answers=()) as program:
        program.wait_for(MODEL)
        return (program.settle(_BEHIND_SECONDS).at - program.started) * 1000


def _idle(workspace: Workspace, runs: int) -> Figure:
    figure = Figure(_SUBJECT, "idle, CPU in 10 s", "ms", aim=1)
    with workspace.start() as program:
        program.wait_for(MODEL)
        program.settle(_BEHIND_SECONDS)
        for _ in range(runs):
            before = program.cpu()
            time.sleep(_IDLE_SECONDS)
            figure.values.append((program.cpu() - before) * 1000)
    return figure
