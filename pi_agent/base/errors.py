"""The base of every failure that is told to the user: what happened, and what to do about it."""

from __future__ import annotations


class PiError(Exception):
    """A failure in words for a person. `hint` says what to do; it is shown on lines of its own."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def with_hint(self) -> str:
        """Return the message with the hint below it."""
        return f"{self.message}\n{self.hint}" if self.hint else self.message
