"""What the program says on its standard streams."""

from __future__ import annotations

import io
import sys

import pytest

from pi_agent.cli.streams import say


class Terminal(io.StringIO):
    """A stream that a person reads."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "told"),
    [
        (Terminal(), "Error: Session abcd belongs to /gone\n"),
        (io.StringIO(), "Error: Session abc\x1b]0;title\x07d belongs to /gone\x1b[2J\n"),
    ],
    ids=["terminal", "file"],
)
def test_what_files_say_of_themselves_does_nothing_to_a_terminal(
    stream: io.StringIO, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    say("Error: Session abc\x1b]0;title\x07d belongs to /gone\x1b[2J")
    assert stream.getvalue() == told
