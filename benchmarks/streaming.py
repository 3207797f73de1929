"""An answer that streams over HTTP, 400 words a second: CPU, bytes, frames; alone and after a long session."""

from __future__ import annotations

from typing import Final

from benchmarks.content import LAST_LINE
from benchmarks.figures import Figure
from benchmarks.model_server import MODEL
from benchmarks.program import Program
from benchmarks.workspace import Workspace

_SUBJECT: Final = "Streaming, for 1,000 words"
_SETTLED_SECONDS: Final = 1.0


def measure(workspace: Workspace, runs: int) -> list[Figure]:
    """Measure answers of some length in a new session and in one of 10,000 entries."""
    alone = _Stream("new session", 5000, cpu_aim=0.25, memory_aim=None)
    after = _Stream("after 10,000 entries", 1000, cpu_aim=0.3, memory_aim=90)
    compacted = _Stream("after 10,000 entries, compacted", 1000, cpu_aim=0.3, memory_aim=90)
    for _ in range(runs):
        with workspace.start() as program:
            program.wait_for(MODEL)
            alone.run(program)
        with workspace.resume(10_000) as program:
            program.wait_for(LAST_LINE)
            after.run(program)
        with workspace.resume(10_000, compacted_every=400) as program:
            program.wait_for(LAST_LINE)
            compacted.run(program)
    return [*alone.figures, *after.figures, *compacted.figures]


class _Stream:
    """What one kind of session costs while an answer comes."""

    def __init__(self, where: str, count: int, *, cpu_aim: float, memory_aim: float | None) -> None:
        self._count = count
        self.figures = [
            Figure(_SUBJECT, f"CPU, {where}", "s", aim=cpu_aim),
            Figure(_SUBJECT, f"written, {where}", "KB", aim=45),
            Figure(_SUBJECT, f"frames a second, {where}", "1/s", feels_load=True),
            Figure(_SUBJECT, f"enter to first word, {where}", "ms", feels_load=True),
            Figure(_SUBJECT, f"peak memory, {where}, {count:,} words", "MB", aim=memory_aim),
        ]

    def run(self, program: Program) -> None:
        count = self._count
        program.settle(_SETTLED_SECONDS)
        program.send(f"words {count}".encode())
        program.settle(0.3)
        cpu, size, frames = program.cpu(), program.bytes_read, program.frames
        asked = program.send(b"\r")
        first = program.wait_for("word0 ")
        last = program.wait_for(f"word{count - 1}")
        program.settle(0.3)
        share = 1000 / count
        values = (
            (program.cpu() - cpu) * share,
            (program.bytes_read - size) / 1000 * share,
            (program.frames - frames) / (last.at - first.at),
            (first.at - asked) * 1000,
            program.peak_mb(),
        )
        for figure, value in zip(self.figures, values, strict=True):
            figure.values.append(value)
