"""Which program can add packages to a Python environment: its own pip, uv, or the pip of the Python below it."""

from __future__ import annotations

import os
import re
import shutil
import site
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from pi_tui.frozen import frozen

# `--progress-bar raw` came with the one, `--python` with the other.
_PIP_TELLS_PROGRESS: Final = (24, 1)
_PIP_FILLS_OTHERS: Final = (22, 3)
# Debian keeps what belongs to its Python here.
_DEBIAN_PACKAGES: Final = Path("/usr/lib/python3/dist-packages")


@frozen
class Installer:
    """`command` is followed by `options` and requirements; `tells_progress`: in lines like `Progress 5 of 9`."""

    name: str
    command: tuple[str, ...]
    options: tuple[str, ...]
    tells_progress: bool = False


@frozen
class PythonEnvironment:
    """A Python, the folders of its packages, and the same of the Python below if this one is virtual."""

    python: str
    packages: Sequence[str]
    python_below: str | None = None
    packages_below: Sequence[str] = ()


def this_environment() -> PythonEnvironment:
    """Return the environment of this process."""
    below = getattr(sys, "_base_executable", None)
    if sys.prefix == sys.base_prefix or not below:
        return PythonEnvironment(sys.executable, sys.path)
    packages = [*site.getsitepackages([sys.base_prefix]), str(_DEBIAN_PACKAGES)]
    return PythonEnvironment(sys.executable, sys.path, below, packages)


def find_installer(
    environ: Mapping[str, str], environment: PythonEnvironment | None = None
) -> Installer | None:
    """Return what installs into `environment`, by default that of this process; `None` if nothing can."""
    where = environment or this_environment()
    own = _pip_version(where.packages)
    if own is not None:
        return _pip((where.python, "-m", "pip"), own)
    uv = shutil.which("uv", path=environ.get("PATH", os.defpath))
    if uv is not None:
        command = (uv, "pip", "install", "--python", where.python)
        return Installer("uv", command, ("--no-progress", "--reinstall"))
    below = _pip_version(where.packages_below)
    if where.python_below is None or below is None or below < _PIP_FILLS_OTHERS:
        return None
    return _pip((where.python_below, "-m", "pip", "--python", where.python), below)


def _pip(command: tuple[str, ...], version: tuple[int, ...]) -> Installer:
    tells_progress = version >= _PIP_TELLS_PROGRESS
    bar = "raw" if tells_progress else "off"
    options = ("--disable-pip-version-check", "--no-input", "--ignore-installed")
    return Installer(
        "pip", (*command, "install"), (*options, "--progress-bar", bar), tells_progress
    )


def _pip_version(folders: Iterable[str]) -> tuple[int, ...] | None:
    from importlib import metadata

    found = metadata.distributions(name="pip", path=list(folders))
    for distribution in found:
        return tuple(int(number) for number in re.findall(r"\d+", distribution.version)[:2])
    return None
