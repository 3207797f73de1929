"""What the frame loop needs of a terminal, real or in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pi_tui.frame import Frame


class Terminal(Protocol):
    """What a `TUI` needs of a terminal. `is_busy` means that the last frame has not been taken yet."""

    @property
    def columns(self) -> int:
        """Width in cells."""
        ...

    @property
    def rows(self) -> int:
        """Height in cells."""
        ...

    @property
    def is_busy(self) -> bool:
        """Whether output still waits for the terminal to read; a frame drawn now would be late."""
        ...

    @property
    def is_gone(self) -> bool:
        """Whether the terminal hung up: nothing can be read from or written to it any more."""
        ...

    def start(
        self,
        on_input: Callable[[bytes], None],
        on_resize: Callable[[], None],
        on_closed: Callable[[], None],
        on_ready: Callable[[], None],
    ) -> None:
        """Take the terminal over: raw input, callbacks from the running loop."""
        ...

    def stop(self, leave: str, farewell: str = "") -> None:
        """Give the terminal back as it was found: write `leave`, then what is to stay on the normal screen."""
        ...

    def set_last_words(self, last_words: str) -> None:
        """Name what is written should the process end without `stop`."""
        ...

    def write_last_words(self, farewell: str = "") -> None:
        """Write them now, and `farewell` after them, on any thread: the process is about to end."""
        ...

    def write(self, data: str) -> None:
        """Write a control sequence."""
        ...

    def draw(self, frame: Frame, show_cursor: bool) -> None:
        """Show a frame, writing only the rows that changed, in one write."""
        ...

    def forget_frame(self) -> None:
        """Make the next `draw` write every row."""
        ...
