"""Run something as somebody whom the permissions of files stop, which they do not do with root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# Root may write everything; without these two rights it is like anybody else.
DROP = "-dac_override,-dac_read_search"
AS_OTHERS = ["setpriv", f"--bounding-set={DROP}", f"--inh-caps={DROP}"]


def run_without_rights(code: str, *words: str | Path) -> str:
    """Run Python code with these arguments in a process without root's rights; returns what it printed."""
    argv = [sys.executable, "-c", code, *map(str, words)]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root cannot give up its rights without setpriv")
        argv = AS_OTHERS + argv
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()
