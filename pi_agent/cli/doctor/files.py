"""The files and folders of the agent's folder: what is wrong in them, and whether they can be written."""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.json_edit import line_of
from pi_agent.base.jsonc import parse_jsonc
from pi_agent.base.wire import JsonValue
from pi_agent.cli.doctor.finding import Finding, Level, Surroundings, counted
from pi_agent.resources.auth_file import AUTH_FILE_NAME, load_auth_file
from pi_agent.resources.keybindings_file import FILE_NAME as KEYBINDINGS_NAME
from pi_agent.resources.keybindings_file import read_keybindings
from pi_agent.resources.models_file import load_models_file
from pi_agent.resources.settings import FILE_NAME as SETTINGS_NAME
from pi_agent.resources.settings_table import BY_KEY
from pi_agent.resources.theme_catalog import ThemeCatalog
from pi_agent.resources.themes import load_theme_file, theme_names
from pi_tui.frozen import frozen

MODELS_NAME: Final = "models.json"


@frozen
class _Problems:
    """What is wrong with one file. `is_lost`: nothing of it is used."""

    messages: Sequence[str] = ()
    is_lost: bool = False


def check_files(here: Surroundings) -> list[Finding]:
    """Return what there is to say of the files, one finding for each mistake."""
    findings = [each for name in _READERS for each in _file(here, name)]
    findings += [*_auth_mode(here), *_theme(here), *_misspelt_settings(here)]
    names = [name for name in _READERS if os.path.exists(here.paths.agent_dir / name)]
    if not findings:
        folder = here.shown(here.paths.agent_dir)
        text = f"{', '.join(names) or 'none yet: the defaults hold'} ({folder})"
        findings.append(Finding("files", text, details={"files": names}))
    return [*findings, _sessions(here), *_logs(here)]


def _settings(here: Surroundings, path: Path) -> _Problems:
    if here.settings.error is not None:
        return _Problems([here.settings.error.partition("\n")[0]], is_lost=True)
    return _Problems(here.settings.warnings)


def _models(here: Surroundings, path: Path) -> _Problems:
    file = load_models_file(path)
    return _Problems(file.problems, is_lost=not file.providers)


def _auth(here: Surroundings, path: Path) -> _Problems:
    file = load_auth_file(path)
    return _Problems(file.problems, is_lost=not file.keys and not file.accounts)


def _keybindings(here: Surroundings, path: Path) -> _Problems:
    file = read_keybindings(path)
    return _Problems(file.warnings, is_lost=not file.bindings)


_READERS: Final[Mapping[str, Callable[[Surroundings, Path], _Problems]]] = {
    SETTINGS_NAME: _settings,
    MODELS_NAME: _models,
    AUTH_FILE_NAME: _auth,
    KEYBINDINGS_NAME: _keybindings,
}
_ADVICE: Final[Mapping[str, str]] = {
    SETTINGS_NAME: "Mend it, or choose anew with /settings.",
    MODELS_NAME: "Mend it; `/model` reads it again.",
    AUTH_FILE_NAME: "Mend it, or move it away and store the keys again.",
    KEYBINDINGS_NAME: "Mend it; `/reload` reads it again.",
}


def _file(here: Surroundings, name: str) -> Iterator[Finding]:
    path = here.paths.agent_dir / name
    problems = _READERS[name](here, path)
    level: Level = "broken" if problems.is_lost else "warning"
    for message in problems.messages:
        place = message.removeprefix(f"{path}: ")
        line = _line(path, place)
        where = f"line {line}: " if line is not None else ""
        details = {"file": name, "line": line}
        text = here.shown(f"{where}{place}")
        yield Finding(name.removesuffix(".json"), text, level, _ADVICE[name], details)


def _line(path: Path, place: str) -> int | None:
    """Return the line that a message is about, if it begins with a place in the file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    return line_of(text, place.partition(": ")[0])


def _auth_mode(here: Surroundings) -> Iterator[Finding]:
    path = here.paths.agent_dir / AUTH_FILE_NAME
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return
    if mode & 0o077:
        text = f"others than you may use the file (mode {mode:04o})"
        advice = f"chmod 600 {here.shown(path)}"
        yield Finding("auth", text, "warning", advice, {"mode": f"{mode:04o}"})


def _theme(here: Surroundings) -> Iterator[Finding]:
    catalog = ThemeCatalog(here.paths, here.settings)
    names = catalog.names
    for name in dict.fromkeys(theme_names(here.settings.get_text("theme"))):
        if name not in names:
            advice = f"Choose with /settings: there are {', '.join(names)}."
            yield Finding("theme", f'the theme "{name}" is not there', "warning", advice)
    for problem in catalog.problems:
        advice = "Give it another name, or take it out of the folder or the setting."
        yield Finding("theme", problem, "warning", advice)
    for name in catalog.own_names:
        try:
            load_theme_file(catalog.path(name), color_mode="mono")
        except PiError as error:
            yield Finding("theme", error.message, "warning", error.hint or "")


def _misspelt_settings(here: Surroundings) -> Iterator[Finding]:
    """Tell of names that are nearly those of settings. Others are left alone: they may be another program's."""
    path = here.paths.agent_dir / SETTINGS_NAME
    try:
        data = parse_jsonc(path.read_text(encoding="utf-8-sig"), SETTINGS_NAME)
    except (OSError, UnicodeDecodeError, PiError):
        return  # which is told already
    for name in _unknown_names(data):
        close = difflib.get_close_matches(name, BY_KEY, n=1, cutoff=0.8)
        if close:
            text = f"line {_line(path, name)}: there is no setting {name}"
            yield Finding("settings", text, "note", f"Did you mean {close[0]}?")


def _unknown_names(data: JsonValue, above: str = "") -> Iterator[str]:
    """Return the names of a settings file that no setting has, with dots where objects are inside objects."""
    for key, value in data.items() if isinstance(data, dict) else ():
        name = f"{above}{key}"
        if any(each.startswith(f"{name}.") for each in BY_KEY):
            yield from _unknown_names(value, f"{name}.")
        elif name not in BY_KEY:
            yield name


def _sessions(here: Surroundings) -> Finding:
    folder = here.paths.session_dir or here.paths.sessions_dir
    problem = why_not_writable(folder)
    if problem is not None:
        advice = "Make it writable, or name another folder with PI_CODING_AGENT_SESSION_DIR."
        text = f"{here.shown(folder)}: {problem}"
        return Finding("sessions", text, "broken", advice)
    count = sum(1 for each in here.paths.all_sessions() for _ in each.path.glob("*.jsonl"))
    text = f"{counted(count, 'session') if count else 'none yet'} in {here.shown(folder)}"
    return Finding("sessions", text, details={"count": count})


def _logs(here: Surroundings) -> Iterator[Finding]:
    """Tell of the log folder only what is to be known: it is used when something goes wrong."""
    folder = here.paths.logs_dir
    problem = why_not_writable(folder)
    if problem is not None:
        advice = "Make it writable: what goes wrong is not written down anywhere."
        yield Finding("logs", f"{here.shown(folder)}: {problem}", "warning", advice)
        return
    crashes = sorted(folder.glob("crash-*.txt"))
    if crashes:
        advice = f"Read the last one, and report it: {here.shown(crashes[-1])}"
        yield Finding("logs", counted(len(crashes), "crash report"), "note", advice)


def why_not_writable(folder: Path) -> str | None:
    """Return why nothing can be written into a folder, or a missing one cannot be made; `None` if it can.

    It is tried, with a file that goes again: permissions do not tell of full disks or read-only ones.
    """
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return (error.strerror or str(error)).lower()
