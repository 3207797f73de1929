"""The list of examples."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "extensions"


def test_the_list_names_every_example_and_nothing_else() -> None:
    """One line each."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- `([^`]+)`: ", text, re.MULTILINE)
    there = [path.name for path in FOLDER.glob("*.py")]
    assert sorted(listed) == sorted(there)
