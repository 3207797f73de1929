"""Where settings, sessions, logs and bundled files live.

Everything comes from an environment that is passed in; nothing is looked up in a project's own `.pi` folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from pi_tui.frozen import frozen

Bundled = Literal["docs", "examples", "extensions", "themes"]

_INSIDE_PACKAGE: Final = ("docs", "themes")
_PACKAGE: Final = Path(__file__).resolve().parents[1]


@frozen
class SessionFolder:
    """A folder of session files. A flat one holds the sessions of all directories, told apart by their headers."""

    path: Path
    is_flat: bool = False


@frozen
class AgentPaths:
    """The user's folders. None of them need exist."""

    agent_dir: Path
    cache_dir: Path
    session_dir: Path | None = None

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str], *, session_dir: str | None = None
    ) -> AgentPaths:
        """Read the folders from `environment`; `session_dir` is the command line's choice and wins."""
        home = Path(environment.get("HOME") or os.path.expanduser("~"))
        agent_dir = environment.get("PI_CODING_AGENT_DIR")
        cache_home = environment.get("XDG_CACHE_HOME")
        cache_dir = environment.get("PI_CODING_AGENT_CACHE_DIR")
        sessions = session_dir or environment.get("PI_CODING_AGENT_SESSION_DIR")
        return cls(
            agent_dir=_absolute(agent_dir, home) if agent_dir else home / ".pi" / "agent",
            cache_dir=_absolute(cache_dir, home)
            if cache_dir
            else (_absolute(cache_home, home) if cache_home else home / ".cache") / "pi",
            session_dir=_absolute(sessions, home) if sessions else None,
        )

    def with_sessions_in(self, folder: str) -> AgentPaths:
        """Return these folders with all sessions in one; `~` is the home folder."""
        return replace(self, session_dir=Path(os.path.abspath(Path(folder).expanduser())))

    @property
    def logs_dir(self) -> Path:
        """Log files and crash reports."""
        return self.agent_dir / "logs"

    @property
    def themes_dir(self) -> Path:
        """Where the user's own themes are."""
        return self.agent_dir / "themes"

    @property
    def sessions_dir(self) -> Path:
        """The folder that holds one folder of sessions for each directory; not used when there is an override."""
        return self.agent_dir / "sessions"

    def sessions_of(self, cwd: Path) -> SessionFolder:
        """Return the folder for sessions of `cwd`."""
        if self.session_dir is not None:
            return SessionFolder(self.session_dir, is_flat=True)
        return SessionFolder(self.sessions_dir / f"--{cwd_key(cwd)}--")

    def all_sessions(self) -> list[SessionFolder]:
        """Return every folder that holds sessions now."""
        if self.session_dir is not None:
            return [SessionFolder(self.session_dir, is_flat=True)]
        try:
            folders = sorted(path for path in self.sessions_dir.iterdir() if path.is_dir())
        except OSError:
            return []
        return [SessionFolder(folder) for folder in folders]


def cwd_key(cwd: Path) -> str:
    """Return the part of a folder name that stands for a directory."""
    return re.sub(r"[/\\:]", "-", os.path.abspath(cwd).removeprefix(os.sep))


def bundled(name: Bundled, *, package: Path = _PACKAGE) -> Path:
    """Return the folder of files that ship with pi.

    A source tree wins over the copy in the wheel, because an editable installation leaves a stale copy.
    """
    if name in _INSIDE_PACKAGE:
        return package / name
    # Without the project file, a folder of that name beside the package belongs to somebody else.
    beside = package.parent / name
    if beside.is_dir() and (package.parent / "pyproject.toml").is_file():
        return beside
    return package / "bundled" / name


def make_private_folder(folder: Path) -> None:
    """Make a folder and those above it, as far as missing, for their owner only. Raises `OSError`."""
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def open_private(path: str | Path, flags: int) -> int:
    """Open a file that only its owner may read if this makes it; fits as `opener` of `open`."""
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def _absolute(text: str, home: Path) -> Path:
    if text == "~" or text.startswith("~/"):
        return home / text[2:]
    return Path(os.path.abspath(text))
