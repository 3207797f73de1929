"""`pi doctor`: what this terminal, this machine and these files make of pi, and what to do about it.

The terminal and the servers of this machine have time to answer while everything else is looked at.
"""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import TextIOWrapper
from typing import Final

from pi_agent.cli.doctor.files import check_files
from pi_agent.cli.doctor.finding import Finding, Surroundings, worst
from pi_agent.cli.doctor.installation import check_installation
from pi_agent.cli.doctor.models import check_models
from pi_agent.cli.doctor.programs import check_programs
from pi_agent.cli.doctor.report import ASCII_SIGNS, SIGNS, Marks, report_json, report_rows
from pi_agent.cli.doctor.servers import check_servers
from pi_agent.cli.doctor.terminal import ask_terminal, check_terminal
from pi_agent.cli.doctor.variables import check_variables
from pi_agent.cli.start import find_settings
from pi_agent.cli.streams import write_out

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
        text = report_json(findings)
    else:
        width = shutil.get_terminal_size().columns
        text = "\n".join(report_rows(findings, width, _marks(environ)))
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
    is_broken = worst(findings) == "broken"
    return write_out(f"{text}\n") or int(is_broken)


def find_all(here: Surroundings) -> list[Finding]:
    """Return everything that was found."""
    with ThreadPoolExecutor(2) as pool:
        servers = pool.submit(guarded, check_servers, here)
        files = pool.submit(_check_files, here)
        # In this thread, where Ctrl+C gives the terminal back at once.
        terminal = check_terminal(here, *ask_terminal(here.environ))
        installation, others = files.result()
        return [*installation, *terminal, *others, *servers.result()]


def _check_files(here: Surroundings) -> tuple[list[Finding], list[Finding]]:
    """Return what is found of the installation, and of all that needs no answer."""
    others = [each for check in _CHECKS for each in guarded(check, here)]
    return guarded(check_installation, here), others


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


def _marks(environ: Mapping[str, str]) -> Marks:
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    marks = SIGNS if is_utf8 else ASCII_SIGNS
    has_colors = (
        sys.stdout.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    )
    return marks.colored() if has_colors else marks
