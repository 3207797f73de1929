"""When the next frame may be drawn, so that frames leave time for everything else."""

from __future__ import annotations

FRAME_SECONDS = 0.016
_LONGEST_GAP = 0.1
_RESIZE_SECONDS = 0.05


class FramePace:
    """Knows when frames were drawn; the times are the caller's.

    Frames that are slow to draw take half of the time at most. Of a burst of resizes, which make every row
    new, the first is shown at once and the others some twenty times a second; with `waits_for_last_resize`
    only the last one is shown, when no other has followed for as long.
    """

    def __init__(self, waits_for_last_resize: bool = False) -> None:
        self._waits_for_last = waits_for_last_resize
        self._began = 0.0
        self._ended = float("-inf")
        self._gap = FRAME_SECONDS
        self._is_resized = False
        self._resize_frame = float("-inf")

    def frame_begins(self, now: float) -> None:
        """Note the start of a frame."""
        self._began = now

    def frame_ends(self, now: float) -> None:
        """Note that the frame has been drawn."""
        self._ended = now
        self._gap = min(max(FRAME_SECONDS, now - self._began), _LONGEST_GAP)
        if self._is_resized:
            self._is_resized = False
            self._resize_frame = now

    def resized(self, now: float) -> None:
        """Note that the next frame is the first one of a new size."""
        self._is_resized = True
        if self._waits_for_last:
            self._resize_frame = now

    def next_frame(self, now: float, soon: bool) -> float:
        """Return the earliest time of a frame asked for now; `soon` for one that answers the user."""
        when = now if soon else max(now, self._ended + self._gap)
        return max(when, self._resize_frame + _RESIZE_SECONDS) if self._is_resized else when
