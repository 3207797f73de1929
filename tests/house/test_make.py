"""The Makefile works from any shell in which one may stand."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not there")
def test_an_environment_that_is_activated_is_filled_from_outside(tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    inside = tmp_path / ".venv" / "bin"
    venv.create(tmp_path / ".venv", with_pip=False, symlinks=True)
    environ = {**os.environ, "PATH": f"{inside}{os.pathsep}{os.environ['PATH']}"}
    planned = subprocess.run(
        ["make", "--dry-run", "run"],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    program = next(line.split()[0] for line in planned.stdout.splitlines() if " -m pip " in line)
    assert Path(program).is_absolute()
    assert not program.startswith(str(tmp_path))
