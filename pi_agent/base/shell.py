"""Which shell runs commands, and with which environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from pi_tui.frozen import frozen

# More than anybody reads, and less than fills a disk.
MAX_FILE_BYTES = 256 * 1024 * 1024
SESSION_VARIABLES = (
    "PI_SESSION_ID",
    "PI_SESSION_FILE",
    "PI_PROVIDER",
    "PI_MODEL",
    "PI_REASONING_LEVEL",
)


@frozen(kw_only=True)
class ShellSettings:
    """How commands are run. `prefix` goes before every command, on lines of its own.

    Of a longer output the file keeps the first `max_file_bytes`.
    """

    path: str | None = None
    prefix: str = ""
    helper_folder: Path | None = None
    output_folder: Path | None = None
    max_file_bytes: int = MAX_FILE_BYTES

    def argv(self, command: str, search_path: str | None) -> tuple[str, str, str]:
        """Return what runs a command; `search_path` is the `PATH` to find the shell in."""
        full = f"{self.prefix}\n{command}" if self.prefix else command
        return find_shell(self.path, search_path), "-c", full


def no_folder(cwd: Path) -> str:
    """Return what to say when the working folder is gone."""
    return f"Working folder does not exist: {cwd}\nCannot execute bash commands."


def find_shell(configured: str | None = None, search_path: str | None = None) -> str:
    """Return the shell to call with `-c`: the configured one, else bash, else sh.

    `search_path` is the `PATH` to look in; the process's own if it is not given.
    """
    if configured:
        return os.path.expanduser(configured)
    if os.access("/bin/bash", os.X_OK):
        return "/bin/bash"
    return shutil.which("bash", path=search_path) or "sh"


def shell_environment(
    inherited: Mapping[str, str],
    session: Mapping[str, str],
    helper_folder: Path | None = None,
) -> dict[str, str]:
    """Return the environment of a command: what is inherited, without another session's variables.

    `session` holds this session's variables; `helper_folder` goes to the front of `PATH`.
    """
    environment = {
        name: value for name, value in inherited.items() if name not in SESSION_VARIABLES
    }
    environment |= session
    if helper_folder is not None:
        rest = environment.get("PATH", "")
        environment["PATH"] = f"{helper_folder}{os.pathsep}{rest}" if rest else str(helper_folder)
    return environment
