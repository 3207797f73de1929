"""Count what a piece of work takes, which is the same on every machine."""

from __future__ import annotations

import sys
from types import FrameType


class Calls:
    """Counts calls of functions while it is entered."""

    count = 0

    def __enter__(self) -> Calls:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        self.count += event in ("call", "c_call")
