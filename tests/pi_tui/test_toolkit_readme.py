"""The first page of the toolkit: its program is what somebody starts with."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pi_tui
from tests.pty_session import PtySession

README = Path(pi_tui.__file__).with_name("README.md")


def test_the_program_runs_as_it_stands_there(tmp_path: Path) -> None:
    [code] = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "counter.py").write_text(code)
    with PtySession([sys.executable, tmp_path / "counter.py"], answers={"da1"}) as session:
        session.wait_for("Counted: 0")
        session.send(b"  ")
        session.wait_for("Counted: 2")
        session.send(b"\x1b[<0;5;3M\x1b[<0;5;3m")
        session.wait_for("Counted: 1")
        session.send(b"q")
        assert session.wait_exit() == 0


def test_it_is_read_in_one_sitting() -> None:
    assert len(README.read_text().splitlines()) <= 62
