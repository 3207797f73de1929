"""The library that the server of the built-in model is linked with, for machines that lack it."""

from __future__ import annotations

import os
from pathlib import Path

from pi_agent.llm.local.openmp import LIBRARY_FILE, system_has_library, with_library

ROOT = Path(__file__).resolve().parents[1]
# Where `pi local install` keeps it when `make` runs it; without it a file of its name will do for all that needs no
# real server.
_INSTALLED = ROOT / ".cache" / "pi" / "models" / "lib"
_STAND_IN = ROOT / "tests" / "programs" / "libraries"


def library_environ() -> dict[str, str]:
    """Return the variable by which the library is found, if the system has none."""
    if system_has_library(os.environ):
        return {}
    return with_library({}, _INSTALLED if (_INSTALLED / LIBRARY_FILE).exists() else _STAND_IN)
