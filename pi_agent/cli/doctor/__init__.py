"""`pi doctor`: what this terminal, this machine and these files make of pi, and what to do about it.

The terminal and the servers of this machine have time to answer while everything else is looked at.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Final

from pi_agent.cli.doctor.files import check_files
from pi_agent.cli.doctor.finding import Finding, Surroundings, worst
from pi_agent.cli.doctor.installation import check_installation
from pi_agent.cli.doctor.models import check_models
from pi_agent.cli.doctor.programs import check_programs
from pi_agent.cli.doctor.report import ASCII_SIGNS, SIGNS, Marks, report_json, report_rows
from pi_agent.cli.doctor.servers import check_servers
from pi_agent.cli.doctor.terminal import check_terminal, terminal_path
from pi_agent.cli.doctor.variables import check_variables
from pi_agent.cli.start import find_settings
from pi_tui.input_buffer import is_remote_session
from pi_tui.inquiry import TerminalInquiry

# How long a terminal may take to answer, beside this computer and at the end of a line.
_LOCAL_SECONDS: Final = 1.0
_REMOTE_SECONDS: Final = 3.0

_CHECKS: Final = (
    check_files,
    check_variables,
    check_programs,
    check_models,
)

_log = logging.getLogger("pi.doctor")


def run(words: Sequence[str], environ: Mapping[str, str]) -> int:
    """Look at everything and print what was found; the status is 1 if something is broken."""
    findings = find_all(Surroundings(environ, *find_settings(environ)))
    if "--json" in words:
        print(report_json(findings))
    else:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        for row in report_rows(findings, shutil.get_terminal_size().columns, _marks(environ)):
            print(row)
    return 1 if worst(findings) == "broken" else 0


def find_all(here: Surroundings) -> list[Finding]:
    """Return everything that was found."""
    with _inquiry(here.environ) as (inquiry, size), ThreadPoolExecutor(1) as pool:
        servers = pool.submit(guarded, check_servers, here)
        installation = guarded(check_installation, here)
        others = [each for check in _CHECKS for each in guarded(check, here)]
        is_remote = is_remote_session(here.environ)
        seconds = _REMOTE_SECONDS if is_remote else _LOCAL_SECONDS
        answers = inquiry.answers(seconds) if inquiry is not None else None
        terminal = check_terminal(here, answers, size)
        return [*installation, *terminal, *others, *servers.result()]


def guarded(check: Callable[[Surroundings], list[Finding]], here: Surroundings) -> list[Finding]:
    """Return what a check finds. One that fails leaves the others their say."""
    try:
        return check(here)
    except Exception as error:
        _log.exception("%s failed", check.__name__)
        what = check.__name__.removeprefix("check_")
        text = f"the {what} could not be looked at: {error}"
        advice = f"The traceback is in {here.shown(here.paths.logs_dir)}."
        return [Finding("doctor", text, "broken", advice)]


@contextmanager
def _inquiry(
    environ: Mapping[str, str],
) -> Iterator[tuple[TerminalInquiry | None, tuple[int, int] | None]]:
    """Ask the terminal, if there is one to ask; also gives its size."""
    path = terminal_path()
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY) if path is not None else None
    except OSError:
        descriptor = None
    if descriptor is None:
        yield None, None
        return
    try:
        size = os.get_terminal_size(descriptor)
        with TerminalInquiry(descriptor, environ) as inquiry:
            is_asked = inquiry.ask()
            yield (inquiry if is_asked else None), (size.columns, size.lines)
    finally:
        os.close(descriptor)


def _marks(environ: Mapping[str, str]) -> Marks:
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    marks = SIGNS if is_utf8 else ASCII_SIGNS
    has_colors = (
        sys.stdout.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    )
    return marks.colored() if has_colors else marks
