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


class Drawing:
    """Counts what is drawn while it is entered: components asked for rows, and the rows that texts are wrapped into."""

    renders = 0
    rows_wrapped = 0

    def __enter__(self) -> Drawing:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        name = frame.f_code.co_name
        if event == "call" and name in ("render", "render_rows"):
            self.renders += 1
        if event == "return" and name == "wrap_text_with_ansi" and isinstance(argument, list):
            self.rows_wrapped += len(argument)
