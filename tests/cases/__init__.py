"""Cases of text functions, one file a function: a title, then `name: JSON value` lines, then a blank line.

A name given more than once makes a list. Lines that begin with `#` are remarks.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class TextCase:
    """One case: its title and its values in the order of the file."""

    title: str
    values: tuple[tuple[str, str | int | bool], ...]

    def text(self, name: str) -> str:
        """Return the string called `name`."""
        (value,) = self.texts(name)
        return value

    def texts(self, name: str) -> list[str]:
        """Return every string called `name`."""
        return [value for key, value in self.values if key == name and isinstance(value, str)]

    def number(self, name: str) -> int:
        """Return the number called `name`."""
        (value,) = [value for key, value in self.values if key == name and isinstance(value, int)]
        return value

    def flag(self, name: str) -> bool:
        """Return the truth value called `name`, `False` where it is not given."""
        return any(value is True for key, value in self.values if key == name)


def read_cases(stem: str) -> list[TextCase]:
    """Return the cases of `<stem>.txt`."""
    lines = (FOLDER / f"{stem}.txt").read_text(encoding="utf-8").split("\n")
    blocks = "\n".join(line for line in lines if not line.startswith("#")).split("\n\n")
    return [_case(block.strip("\n").split("\n")) for block in blocks if block.strip()]


def _case(lines: list[str]) -> TextCase:
    values = [line.split(": ", 1) for line in lines[1:]]
    return TextCase(lines[0], tuple((name, json.loads(value)) for name, value in values))
