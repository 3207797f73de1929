"""`python -m benchmarks`: measure, and print the figures as a table.

With `--record TITLE` the table goes into `README.md` beside this file, in place of an older one of that title.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from benchmarks import (
    components,
    first_run,
    keys,
    lengths,
    loop,
    markdown,
    sessions,
    startup,
    streaming,
    toolkit,
)
from benchmarks.figures import Figure, table
from benchmarks.model_server import MODEL
from benchmarks.workspace import Workspace

_README: Final = Path(__file__).with_name("README.md")
_SUBJECTS: Final[Mapping[str, Callable[[Workspace, int], list[Figure]]]] = {
    "startup": startup.measure,
    "keys": keys.measure,
    "streaming": streaming.measure,
    "sessions": sessions.measure,
    "loop": lambda workspace, runs: loop.measure(runs),
    "toolkit": lambda workspace, runs: toolkit.measure(runs),
    "lengths": lambda workspace, runs: lengths.measure(runs),
    "markdown": lambda workspace, runs: markdown.measure(runs),
    "components": lambda workspace, runs: components.measure(runs),
}
# What runs only when it is named.
_ON_REQUEST: Final[Mapping[str, Callable[[Workspace, int], list[Figure]]]] = {
    "first-run": first_run.measure,
}
_NAMED: Final = {**_SUBJECTS, **_ON_REQUEST}


def main() -> int:
    """Measure what the command line asks for; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=", ".join(_NAMED))
    parser.add_argument("--runs", type=int, default=7, help="runs of each figure (default: 7)")
    parser.add_argument("--record", metavar="TITLE", help="put the table into README.md")
    arguments = parser.parse_args()
    unknown = set(arguments.subjects) - set(_NAMED)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    figures: list[Figure] = []
    with Workspace() as workspace:
        _warm_up(workspace)
        for name in arguments.subjects or _SUBJECTS:
            print(f"measuring {name} …", file=sys.stderr)
            figures += _NAMED[name](workspace, arguments.runs)
    shown = f"{_machine()}; medians of {arguments.runs} runs.\n\n{table(figures)}\n"
    print(shown)
    if arguments.record:
        _record(arguments.record, shown)
    return 0


def _warm_up(workspace: Workspace) -> None:
    """Start once without counting, so that files are cached and modules compiled."""
    with workspace.start() as program:
        program.wait_for(MODEL)
        program.settle(1.0)


def _machine() -> str:
    """Return when and on what was measured, in a line."""
    processor = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return (
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores"
        f" ({processor[1] if processor else platform.machine()}), Python {platform.python_version()},"
        f" load {os.getloadavg()[0]:.1f}"
    )


def _record(title: str, shown: str) -> None:
    text = _README.read_text(encoding="utf-8")
    begin, end = f"## {title}\n", "\n## "
    before, found, after = text.partition(begin)
    rest = after[after.index(end) + 1 :] if found and end in after else ""
    if not found:
        before = before.rstrip("\n") + "\n\n"
    _README.write_text(
        f"{before}{begin}\n{shown}" + (f"\n{rest}" if rest else ""), encoding="utf-8"
    )


if __name__ == "__main__":
    sys.exit(main())
