"""Programs of others that pi and its models call."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from typing import Final

from pi_agent.base.shell import find_shell
from pi_agent.cli.doctor.finding import Finding, Level, Surroundings
from pi_agent.ui.external_editor import ExternalEditor

# Each by all its names, with what stands in for it, and what to install.
_HELPFUL: Final = (
    (("git",), "nothing", "git"),
    (("rg",), "grep", "ripgrep"),
    (("fd", "fdfind"), "find", "fd"),
)


def check_programs(here: Surroundings) -> list[Finding]:
    """Return what there is to say of the programs: those that are there, then those that are not."""
    shell, editor = _shell(here), _editor(here)
    found = [name for name in (shell, *_helpful(here), editor) if _is_there(name, here)]
    findings = [Finding("programs", ", ".join(found) or "none", details={"found": found})]
    findings += _missing_helpful(here)
    if shell not in found:
        advice = "Install bash, or correct shellPath in settings.json: models run commands with it."
        findings.append(Finding("shell", f"{shell} is not there", "broken", advice))
    if editor not in found:
        is_chosen = any(here.environ.get(each) for each in ("VISUAL", "EDITOR"))
        advice = "Set VISUAL or EDITOR to one that is there: Ctrl+G opens it."
        level: Level = "warning" if is_chosen else "note"
        findings.append(Finding("editor", f"{editor} is not there", level, advice))
    return findings


def _helpful(here: Surroundings) -> Iterator[str]:
    for names, _, _ in _HELPFUL:
        yield from [name for name in names if _is_there(name, here)][:1]


def _missing_helpful(here: Surroundings) -> Iterator[Finding]:
    missing = [each for each in _HELPFUL if not any(_is_there(name, here) for name in each[0])]
    if missing:
        told = [f"no {names[0]} (instead: {instead})" for names, instead, _ in missing]
        advice = (
            f"Models look for things with them. Install {', '.join(each[2] for each in missing)}."
        )
        yield Finding("programs", ", ".join(told), "note", advice)


def _shell(here: Surroundings) -> str:
    shell = find_shell(here.settings.get_text("shellPath"), here.environ.get("PATH"))
    return shell if here.settings.is_set("shellPath") else shell.rpartition("/")[2]


def _editor(here: Surroundings) -> str:
    command = ExternalEditor.chosen(here.settings.get_text("externalEditor"), here.environ).command
    try:
        return shlex.split(command)[0]
    except (ValueError, IndexError):
        return command


def _is_there(name: str, here: Surroundings) -> bool:
    return shutil.which(name, path=here.environ.get("PATH")) is not None
