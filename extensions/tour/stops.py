"""The stops of the tour: what they are called, and what is said to get there."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop, as the model's heading names it, and a question that leads there."""

    title: str
    question: str


STOPS = (
    Stop("Welcome", "Show me around"),
    Stop("Thinking", "How do you think?"),
    Stop("Markdown", "What about Markdown?"),
    Stop("Reading", "Read a file"),
    Stop("Commands", "Run a command"),
    Stop("Extensions", "What are extensions?"),
    Stop("Your turn", "What comes last?"),
)
EXTENSIONS = 5
LAST = len(STOPS) - 1

_HEADING = re.compile(r"^## (\d+)/\d+ ", re.MULTILINE)


def stop_of(answer: str) -> int | None:
    """Return which stop an answer is about; `None` if its heading names none."""
    heading = _HEADING.search(answer)
    number = int(heading[1]) if heading else 0
    return number - 1 if 0 < number <= len(STOPS) else None
