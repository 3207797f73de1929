"""Typing: from a key to the frame that shows it, with short and long transcripts, idle and while an answer streams."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from benchmarks.content import LAST_LINE
from benchmarks.figures import Figure, percentile
from benchmarks.model_server import MODEL, WORDS_A_SECOND
from benchmarks.program import Program
from benchmarks.workspace import Workspace

_SUBJECT: Final = "Keys"
_KEYS: Final = "the quick brown fox jumps over the lazy dog again and again"
_EMPTY_EDITOR: Final = b"\x15"
_BETWEEN_KEYS: Final = 0.03
_UNBRACKETED: Final = b"words without end and without any brackets around them " * 1190 + b"THE-END"
_PASTE: Final = (
    b"\x1b[200~"
    + b"A line of what is pasted, about as long as lines of code are.\r" * 16912
    + b"\x1b[201~"
)


@dataclass(slots=True)
class _Typing:
    """What typing took: milliseconds from each key to its frame; CPU and bytes of one key."""

    waits: list[float] = field(default_factory=list)
    cpu_ms: float = 0.0
    size: float = 0.0


def measure(workspace: Workspace, runs: int) -> list[Figure]:
    """Measure single keys, then large pastes with and without brackets."""
    return [
        *_with_entries(workspace, runs, 100, aims=(1.0, 2.0, None)),
        *_with_entries(workspace, runs, 10_000, aims=(1.2, None, 1.5)),
        *_with_entries(workspace, runs, 100_000, aims=(1.2, None, 1.5)),
        *_while_streaming(workspace, runs),
        _pasted(workspace, runs, "paste of 1 MiB, CPU", _PASTE, "16913 lines"),
        _pasted(workspace, runs, "64 KiB pasted without brackets, CPU", _UNBRACKETED, "THE-END"),
    ]


def _with_entries(
    workspace: Workspace, runs: int, entries: int, aims: tuple[float, float | None, float | None]
) -> list[Figure]:
    of = f"{entries:,} entries"
    figures = [
        Figure(_SUBJECT, f"key to frame, {of}, p50", "ms", aim=aims[0], feels_load=True),
        Figure(_SUBJECT, f"key to frame, {of}, p95", "ms", aim=aims[1], feels_load=True),
        Figure(_SUBJECT, f"CPU of a key, {of}", "ms", aim=aims[2]),
        Figure(_SUBJECT, f"written for a key, {of}", "bytes", aim=38),
    ]
    with workspace.resume(entries) as program:
        program.wait_for(LAST_LINE)
        program.settle(1.0)
        _type(program)  # not counted
        for _ in range(runs):
            typing = _type(program)
            figures[0].values.append(percentile(typing.waits, 0.5))
            figures[1].values.append(percentile(typing.waits, 0.95))
            figures[2].values.append(typing.cpu_ms)
            figures[3].values.append(typing.size)
    return figures


def _type(program: Program) -> _Typing:
    """Type a line, one key at a time, each after the last one's frame; then empty the editor."""
    typing = _Typing()
    cpu, size = program.cpu(), program.bytes_read
    for key in _KEYS:
        begun = program.send(key.encode())
        typing.waits.append((program.wait_for_frame().at - begun) * 1000)
        program.settle(_BETWEEN_KEYS)
    typing.cpu_ms = (program.cpu() - cpu) * 1000 / len(_KEYS)
    typing.size = (program.bytes_read - size) / len(_KEYS)
    program.wait_for(_KEYS)
    program.send(_EMPTY_EDITOR)
    program.settle(0.2)
    return typing


def _while_streaming(workspace: Workspace, runs: int) -> list[Figure]:
    figures = [
        Figure(_SUBJECT, "key to screen while streaming, p50", "ms", aim=2, feels_load=True),
        Figure(_SUBJECT, "key to screen while streaming, p95", "ms", aim=5, feels_load=True),
    ]
    for _ in range(runs):
        with workspace.start("--no-session") as program:
            program.wait_for(MODEL)
            program.settle(1.0)
            program.send(f"words {20 * WORDS_A_SECOND}\r".encode())
            program.wait_for("word100")
            waits = [_until_shown(program, key) for key in range(40)]
        figures[0].values.append(percentile(waits, 0.5))
        figures[1].values.append(percentile(waits, 0.95))
    return figures


def _until_shown(program: Program, count: int) -> float:
    """Type one more `~`; returns the milliseconds until it stands in the editor, between frames of the answer."""
    begun = program.send(b"~")
    shown = program.wait_for("~" * (count + 1))
    end = shown.at + _BETWEEN_KEYS + count % 7 / 1000
    program.read_until(end)
    return (shown.at - begun) * 1000


def _pasted(workspace: Workspace, runs: int, name: str, data: bytes, shown: str) -> Figure:
    """Measure what a paste takes until it is in the editor."""
    figure = Figure(_SUBJECT, name, "ms")
    for _ in range(runs):
        with workspace.start("--no-session") as program:
            program.wait_for(MODEL)
            program.settle(1.0)
            before = program.cpu()
            program.send(data)
            program.wait_for(shown)
            program.settle(0.5)
            figure.values.append((program.cpu() - before) * 1000)
    return figure
