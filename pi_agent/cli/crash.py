"""The border of the program: a log file while it runs, and a short message when it fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from pi_agent._version import __version__
from pi_agent.base.log import log_to_file, write_crash_report
from pi_agent.cli.streams import say

INTERRUPTED = 130


def run_reporting_crashes(logs_dir: Path, run: Callable[[], int]) -> int:
    """Return the exit status of `run`; its failure is told in two lines, the traceback goes to a file."""
    stop_logging = log_to_file(logs_dir)
    try:
        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        _report(logs_dir, error)
        return 1
    finally:
        stop_logging()


def _report(logs_dir: Path, error: Exception) -> None:
    say(f"pi crashed: {type(error).__name__}: {error}")
    try:
        path = write_crash_report(logs_dir, error, version=__version__, now=time.time())
    except OSError as failure:
        say(f"The report could not be written: {failure}")
    else:
        say(f"The traceback is in {path}")
