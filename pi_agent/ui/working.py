"""How the working row looks while a run goes on: pi's own way, or as extensions want it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pi_agent.extensions.ui import WorkingIndicatorOptions
from pi_agent.ui.contributions import Contributions
from pi_agent.ui.plain import plain_line, styled_line
from pi_tui.components.loader import DEFAULT_FRAMES, DEFAULT_INTERVAL

_MESSAGE = "Working"
_FASTEST = 0.02


class WorkingLook:
    """Message, visibility and indicator, of each the newest; `changed` is called after every change."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.messages = Contributions[str](changed)
        self.visibility = Contributions[bool](changed)
        self.indicators = Contributions[WorkingIndicatorOptions](changed)

    @property
    def message(self) -> str:
        """What it says."""
        return plain_line(self.messages.top() or _MESSAGE)

    @property
    def is_visible(self) -> bool:
        """Whether it is shown at all."""
        return self.visibility.top() is not False

    @property
    def frames(self) -> Sequence[str] | None:
        """The frames as an extension draws them; `None` for the usual ones, in the theme's colour."""
        options = self.indicators.top()
        return None if options is None else [styled_line(frame) for frame in options.frames]

    @property
    def interval(self) -> float:
        """The seconds that a frame stays."""
        options = self.indicators.top()
        return DEFAULT_INTERVAL if options is None else max(_FASTEST, options.interval)

    def frame(self, number: int) -> str | None:
        """Return the frame to draw as it is; `None` for the usual one."""
        frames = self.frames
        if frames is None:
            return None
        return frames[number % len(frames)] if frames else ""


def usual_frame(number: int) -> str:
    """Return a frame of the usual indicator, without colour."""
    return DEFAULT_FRAMES[number % len(DEFAULT_FRAMES)]
