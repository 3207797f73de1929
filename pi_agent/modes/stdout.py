"""Standard output for the answer alone: what else is printed, by child processes too, goes to standard error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TextIO


@contextmanager
def stdout_for_answer(stdout: TextIO, stderr: TextIO) -> Iterator[TextIO]:
    """Give the real standard output, and let everybody else's go to `stderr` meanwhile."""
    stdout.flush()
    with redirect_stdout(stderr):
        descriptor = stdout.fileno()
        answer = _copy_of(stdout)
        os.dup2(stderr.fileno(), descriptor)
        try:
            yield answer
        finally:
            _flush(stdout)  # somebody may have written to `sys.__stdout__`
            os.dup2(answer.fileno(), descriptor)
            _close(answer)


def _copy_of(stream: TextIO) -> TextIO:
    """Return another way to where `stream` goes; what its encoding does not have is written as an escape."""
    return os.fdopen(
        os.dup(stream.fileno()), "w", encoding=stream.encoding, errors="backslashreplace"
    )


def _flush(stream: TextIO) -> None:
    try:
        stream.flush()
    except (OSError, ValueError):
        pass  # it is closed, or what was printed past us cannot be written


def _close(answer: TextIO) -> None:
    try:
        answer.close()
    except OSError:
        pass  # whoever wrote the answer has flushed it and knows
