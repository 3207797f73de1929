"""What a mode without a screen says to a person: lines on standard error."""

from __future__ import annotations

from typing import TextIO

from pi_tui.ansi import sanitize_output


class Stderr:
    """Says things. That nobody can read them must not cost the answer."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def is_terminal(self) -> bool:
        """Whether a person reads it at once."""
        return self._stream.isatty()

    def warn(self, text: str) -> None:
        """Say what is not as it should be."""
        self.say(f"Warning: {text}")

    def error(self, text: str) -> None:
        """Say what went wrong."""
        self.say(f"Error: {text}")

    def say(self, text: str) -> None:
        """Write a line; on a terminal it colours at most, whoever it is from."""
        if self.is_terminal:
            text = sanitize_output(text)
        try:
            self._stream.write(text + "\n")
            self._stream.flush()
        except OSError:
            pass
