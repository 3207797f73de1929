"""Run `pi` on a terminal, and read its screen."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from pi_tui.emulator import GridTerminal
from tests.pi_process import COMMAND, Pi
from tests.pty_session import PtySession

_RULE = "─" * 10


class ScreenPi(Pi):
    """The same person, in front of a terminal."""

    def show(
        self,
        *words: str | Path,
        model: str = "demo/echo",
        columns: int = 100,
        rows: int = 30,
        answers: Iterable[str] | Mapping[str, str] = (),
    ) -> PtySession:
        """Start `pi` with these words on a terminal that answers as `GridTerminal` is told."""
        return PtySession(
            [*COMMAND, "--model", model, *words],
            columns=columns,
            rows=rows,
            cwd=self.project,
            env=self.full_environ(),
            answers=answers,
        )

    def extension(self, code: str) -> Path:
        """Write an extension called `probe`; `OUT` in its code is a folder for what it notes."""
        path = self.folder / "probe.py"
        path.write_text(f"OUT = {str(self.folder)!r}\n" + textwrap.dedent(code), encoding="utf-8")
        return path


def editor_rows(terminal: GridTerminal) -> list[str]:
    """Return what stands between the two rules of the editor."""
    lines = terminal.lines()
    rules = [row for row, line in enumerate(lines) if line.startswith(_RULE)]
    return lines[rules[-2] + 1 : rules[-1]] if len(rules) > 1 else []


def editor_shows(*rows: str) -> Callable[[GridTerminal], bool]:
    """Return a condition: the editor shows these rows and no others."""
    return lambda terminal: editor_rows(terminal) == list(rows)


def shows(*texts: str) -> Callable[[GridTerminal], bool]:
    """Return a condition: each text stands in a row of the screen."""
    return lambda terminal: all(any(text in row for row in terminal.lines()) for text in texts)


def is_working(terminal: GridTerminal) -> bool:
    """Whether the screen says that the model is at work."""
    return any("Working" in row for row in terminal.lines())


def is_idle(terminal: GridTerminal) -> bool:
    """Whether it does not."""
    return not is_working(terminal)
