"""For whoever looks for a fault in drawing: why everything was written anew, and frames as they were drawn.

`PI_TUI_DEBUG_REDRAW=1` appends to `pi-tui-debug.log`, `PI_TUI_DEBUG=1` puts each frame of a screen in the scrollback
into a file of a new folder. What cannot be written is lost, the program goes on.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pi_tui.log_file import append_to_log

DEBUG_LOG_NAME = "pi-tui-debug.log"


class FrameLog:
    """Writes as the environment says: usually nothing."""

    def __init__(self, environ: Mapping[str, str], folder: Path | None) -> None:
        self._logs_redraws = environ.get("PI_TUI_DEBUG_REDRAW") == "1"
        self._dumps_frames = environ.get("PI_TUI_DEBUG") == "1"
        self.path = (folder or Path(tempfile.gettempdir())) / DEBUG_LOG_NAME
        self.frames_folder: Path | None = None
        self._frames = 0

    def redraw(self, reason: str, columns: int, rows: int) -> None:
        """Note why all rows of a frame are written."""
        if not self._logs_redraws:
            return
        moment = time.strftime("%Y-%m-%d %H:%M:%S")
        line = f"{moment} {os.getpid()} full redraw at {columns}x{rows}: {reason}\n"
        with suppress(OSError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with append_to_log(self.path) as file:
                file.write(line.encode())

    def frame(self, about: Mapping[str, object], rows: Sequence[bytes], written: str) -> None:
        """Keep a frame: what is known `about` it, its rows on the screen, and what was written for it."""
        if not self._dumps_frames:
            return
        self._frames += 1
        facts = "".join(f"{name}: {value}\n" for name, value in about.items())
        shown = "".join(f"{row!r}\n" for row in rows)
        text = f"{facts}\nrows:\n{shown}\nwritten:\n{written!r}\n"
        with suppress(OSError):
            if self.frames_folder is None:
                self.frames_folder = Path(tempfile.mkdtemp(prefix="pi-tui-frames-"))
            (self.frames_folder / f"frame-{self._frames:06}.txt").write_text(text, "utf-8")
