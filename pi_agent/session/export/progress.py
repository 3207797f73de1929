"""How an export tells how far it is: the number of entries that are done, and of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Progress = Callable[[int, int], None]

# Entries are a few kilobytes; so often is often enough.
ENTRIES_A_STEP: Final = 10
