"""Python, pi's own packages and those it needs, and other copies of pi that are in the way."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

import pi_agent
import pi_tui
from pi_agent._version import __version__
from pi_agent.base.paths import bundled
from pi_agent.cli.doctor.finding import Finding, Surroundings

DISTRIBUTION: Final = "pi-terminal-agent"
OWN_PACKAGES: Final = ("pi_agent", "pi_tui")

_REQUIREMENT: Final = re.compile(r"(?P<name>[\w.-]+)\s*(?P<wanted>[^;]*)(?:;\s*(?P<condition>.*))?")
_CLAUSE: Final = re.compile(r"(>=|<=|==|!=|<|>|~=)\s*([\d.]+)")


def check_installation(here: Surroundings) -> list[Finding]:
    """Return what there is to say of this installation."""
    return [*_pi(here), _python(here), _packages()]


def _python(here: Surroundings) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    details = {"version": version, "executable": here.shown(sys.executable)}
    wanted = _wanted_python()
    if not meets(version, wanted):
        advice = f"Install pi into a Python {wanted}."
        return Finding("python", f"{version} is too old for pi", "broken", advice, details)
    return Finding("python", f"{version} ({here.shown(sys.executable)})", details=details)


def _pi(here: Surroundings) -> Iterator[Finding]:
    folders = {name: _folder_of(module) for name, module in _own_modules()}
    root = folders["pi_agent"].parent
    details: dict[str, object] = {name: here.shown(folder) for name, folder in folders.items()}
    # An editable installation leaves these. They are not used.
    details["staleBundled"] = [here.shown(each) for each in _stale_bundled(root)]
    text = f"{__version__} on {platform.system()} {platform.machine()}, in {here.shown(root)}"
    yield Finding("pi", text, details=details)
    if folders["pi_tui"].parent != root:
        advice = "Remove it, or start pi from another folder and without PYTHONPATH."
        text = f"pi_tui comes from another place: {here.shown(folders['pi_tui'].parent)}"
        yield Finding("pi", text, "broken", advice)
    for path in other_copies(sys.path, root):
        advice = "Remove it: which of the two is used depends on the folder pi is started in."
        yield Finding("pi", f"another copy: {here.shown(path)}", "warning", advice)
    yield from _command(here)
    missing = [name for name in ("extensions", "examples") if not os.path.isdir(bundled(name))]
    if missing:
        text = f"{' and '.join(missing)} that come with pi are missing"
        yield Finding("pi", text, "broken", "Install pi anew.")


def _own_modules() -> tuple[tuple[str, object], ...]:
    return ("pi_agent", pi_agent), ("pi_tui", pi_tui)


def _folder_of(module: object) -> Path:
    return Path(str(getattr(module, "__file__", ""))).resolve().parent


def other_copies(search_path: list[str], root: Path) -> list[Path]:
    """Return what else on Python's search path could be imported as a package of pi."""
    found: dict[Path, None] = {}
    for entry in search_path:
        folder = Path(entry or os.curdir).resolve()
        for name in OWN_PACKAGES if folder != root else ():
            for path in (folder / name / "__init__.py", folder / f"{name}.py"):
                if os.path.isfile(path):
                    found[path.parent if path.name == "__init__.py" else path] = None
    return list(found)


def _stale_bundled(root: Path) -> Iterator[Path]:
    for entry in sys.path:
        path = Path(entry or os.curdir).resolve() / "pi_agent" / "bundled"
        if path.parents[1] != root and os.path.isdir(path):
            yield path


def _command(here: Surroundings) -> Iterator[Finding]:
    """Tell when the word `pi` starts something else."""
    found = shutil.which("pi", path=here.environ.get("PATH"))
    own = Path(sys.executable).parent / "pi"
    if not os.path.exists(own):
        return  # it was started in another way
    if found is None:
        advice = f"Add {here.shown(own.parent)} to PATH to start it as `pi`."
        yield Finding("command", "`pi` is not on the PATH", "note", advice)
    elif not _is_same(Path(found), own):
        advice = f"This one is {here.shown(own)}."
        yield Finding("command", f"`pi` starts {here.shown(found)}", "note", advice)


def _is_same(found: Path, own: Path) -> bool:
    """Whether one is a link to the other, or both start the same Python (a launcher in another folder)."""
    if found.resolve() == own.resolve():
        return True
    try:
        return found.read_bytes()[:4096] == own.read_bytes()[:4096]
    except OSError:
        return False


def _packages() -> Finding:
    versions: dict[str, object] = {}
    wrong: list[str] = []
    fixes: list[str] = []
    for name, wanted, is_optional in required_packages(metadata_requires()):
        version = _version_of(name)
        versions[name] = version
        if version is None and not is_optional:
            wrong.append(f"{name} is missing")
            fixes.append(f"'{name}{wanted}'")
        elif version is not None and not meets(version, wanted):
            wrong.append(f"{name} {version} (wanted: {wanted})")
            fixes.append(f"'{name}{wanted}'")
    if wrong:
        advice = f"{sys.executable} -m pip install {' '.join(fixes)}"
        return Finding("packages", ", ".join(wrong), "broken", advice, versions)
    if not versions:
        advice = "Install pi with pip or pipx, so that its packages can be checked."
        return Finding("packages", "not known: pi is not installed", "note", advice)
    return Finding("packages", "all are there, in versions that are wanted", details=versions)


def metadata_requires() -> list[str]:
    """Return what the installed pi says it needs; nothing when it was not installed."""
    try:
        return metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return []


def required_packages(requirements: list[str]) -> Iterator[tuple[str, str, bool]]:
    """Return names, wanted versions, and whether one can do without; what only tests need is left out."""
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement)
        condition = match["condition"] or "" if match is not None else ""
        if match is not None and not re.search(r"extra\s*==\s*.test", condition):
            yield match["name"], match["wanted"].strip().strip("()"), "extra" in condition


def meets(version: str, wanted: str) -> bool:
    """Whether a version fits clauses like `>=5.1,<6`. Only the numbers are looked at."""
    own = _numbers(version)
    for sign, text in _CLAUSE.findall(wanted):
        other = _numbers(text)
        size = max(len(own), len(other))
        left, right = _padded(own, size), _padded(other, size)
        fits = {
            ">=": left >= right,
            "<=": left <= right,
            "==": left == right,
            "!=": left != right,
            "<": left < right,
            ">": left > right,
            "~=": left >= right and own[: len(other) - 1] == other[:-1],
        }
        if not fits[sign]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match is not None else ()


def _padded(numbers: tuple[int, ...], size: int) -> tuple[int, ...]:
    return numbers + (0,) * (size - len(numbers))


def _version_of(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _wanted_python() -> str:
    try:
        return metadata.metadata(DISTRIBUTION)["Requires-Python"] or ""
    except metadata.PackageNotFoundError:
        return ""
