"""The standard streams of the process, as far as it was started with them and somebody reads them."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from pi_tui.ansi import sanitize_output


def open_closed_streams() -> None:
    """Put `/dev/null` in place of streams that pi was started without.

    Otherwise the next file that is opened would take their number, and get what is printed.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", closefd=False)


def say(text: str) -> None:
    """Write a line to stderr, if that can be written to; on a terminal it colours at most, whoever it is from."""
    try:
        print(sanitize_output(text) if sys.stderr.isatty() else text, file=sys.stderr, flush=True)
    except OSError:
        pass  # nobody reads it


def write_out(text: str) -> int:
    """Write a text to stdout and return the exit status: 1, told on stderr, if it cannot be written.

    That nobody reads it any more is no failure.
    """
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        return 0
    except OSError as error:
        say(f"Error: The output could not be written: {error.strerror}")
        return 1
    return 0


def flush_streams() -> bool:
    """Write what was printed; says on stderr, and by the result, that stdout cannot take it.

    That nobody reads it any more is no failure.
    """
    problem = _flush(sys.stdout)
    if problem is not None:
        say(f"Error: The output could not be written: {problem}")
    _flush(sys.stderr)
    return problem is None


def _flush(stream: TextIO) -> str | None:
    try:
        stream.flush()
    except ValueError:
        return None  # somebody has closed it
    except OSError as error:
        # The interpreter would try once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return None if isinstance(error, BrokenPipeError) else error.strerror
    return None
