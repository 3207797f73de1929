"""GCC's OpenMP library, which the server is linked with: a small system has none, and packages that bring one do.

Looking reads the loader's list of libraries instead of loading the library: that would stay in this process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

LIBRARY_FILE: Final = "libgomp.so.1"
LOADER_CACHE: Final = Path("/etc/ld.so.cache")

_PATH_VARIABLE: Final = "LD_LIBRARY_PATH"


def system_has_library(environ: Mapping[str, str], loader_cache: Path = LOADER_CACHE) -> bool:
    """Return whether programs find the library; where nobody can tell, it counts as there."""
    if sys.platform != "linux":
        return True
    folders = environ.get(_PATH_VARIABLE, "").split(os.pathsep)
    return any(Path(folder, LIBRARY_FILE).exists() for folder in folders if folder) or _is_listed(
        loader_cache
    )


def with_library(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the environment of a program that finds the library in `folder`, too."""
    folders = [environ.get(_PATH_VARIABLE, ""), str(folder)]
    return {**environ, _PATH_VARIABLE: os.pathsep.join(filter(None, folders))}


@cache
def _is_listed(loader_cache: Path) -> bool:
    try:
        return LIBRARY_FILE.encode() + b"\0" in loader_cache.read_bytes()
    except OSError:
        return True
