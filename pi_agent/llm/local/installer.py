"""Which program can add packages to a Python environment: its own pip, uv, or the pip of the Python below it."""

from __future__ import annotations

import os
import re
import shutil
import site
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

# `--progress-bar raw` came with the one, `--python` with the other.
_PIP_TELLS_PROGRESS: Final = (24, 1)
_PIP_FILLS_OTHERS: Final = (22, 3)
# Debian keeps what belongs to its Python here.
_DEBIAN_PACKAGES: Final = Path("/usr/lib/python3/dist-packages")


@dataclass(frozen=True, slots=True)
class Installer:
    """`command` is followed by `options` and requirements; `tells_progress`: in lines like `Progress 5 of 9`."""

    name: str
    command: tuple[str, ...]
    options: tuple[str, ...]
    tells_progress: bool = False


def find_installer(python: str, environ: Mapping[str, str]) -> Installer | None:
    """Return what installs into the environment of this process, whose interpreter is `python`."""
    own = _pip_version(sys.path)
    if own is not None:
        return _pip((python, "-m", "pip"), own)
    uv = shutil.which("uv", path=environ.get("PATH", os.defpath))
    if uv is not None:
        command = (uv, "pip", "install", "--python", python)
        return Installer("uv", command, ("--no-progress", "--reinstall"))
    below = getattr(sys, "_base_executable", None)
    version = _pip_version(_packages_below())
    if sys.prefix == sys.base_prefix or not below or version is None:
        return None
    if version < _PIP_FILLS_OTHERS:
        return None
    return _pip((below, "-m", "pip", "--python", python), version)


def _pip(command: tuple[str, ...], version: tuple[int, ...]) -> Installer:
    tells_progress = version >= _PIP_TELLS_PROGRESS
    bar = "raw" if tells_progress else "off"
    options = ("--disable-pip-version-check", "--no-input", "--ignore-installed")
    return Installer(
        "pip", (*command, "install"), (*options, "--progress-bar", bar), tells_progress
    )


def _packages_below() -> list[str]:
    """Return where the Python that a virtual environment was made of has its packages."""
    return [*site.getsitepackages([sys.base_prefix]), str(_DEBIAN_PACKAGES)]


def _pip_version(folders: Iterable[str]) -> tuple[int, ...] | None:
    found = metadata.distributions(name="pip", path=list(folders))
    for distribution in found:
        return tuple(int(number) for number in re.findall(r"\d+", distribution.version)[:2])
    return None
