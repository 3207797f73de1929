"""`Loader`: a spinner and a message."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pi_tui.component import Component, ComponentHost, Style
from pi_tui.components.text import Text
from pi_tui.frozen import frozen

DEFAULT_FRAMES = tuple("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
DEFAULT_INTERVAL = 0.08


@frozen
class Indicator:
    """Frames drawn as they are, one every `interval` seconds. One frame stands still, none shows nothing."""

    frames: Sequence[str] = DEFAULT_FRAMES
    interval: float = DEFAULT_INTERVAL


class Loader(Component):
    """An empty row, then `<frame> <message>`. Turns by itself while a loop runs; `dispose()` stops it."""

    def __init__(
        self,
        tui: ComponentHost,
        spinner_style: Style,
        message_style: Style,
        message: str = "Loading...",
        indicator: Indicator | None = None,
    ) -> None:
        self._tui = tui
        self._spinner_style = spinner_style
        self._message_style = message_style
        self._message = message
        self._indicator = indicator
        self._frame = 0
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self._text = Text("", 1, 0)
        self._rows: tuple[list[str], list[str]] | None = None
        self._update()
        self.start()

    def start(self) -> None:
        """Begin to turn, if a loop runs and there is something to turn."""
        self._stopped = False
        self._schedule()

    def stop(self) -> None:
        """Stand still; no frame is requested afterwards."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def dispose(self) -> None:
        """Stop the timer."""
        self.stop()

    def set_message(self, message: str) -> None:
        """Change the message."""
        if message != self._message:
            self._message = message
            self._update()
            self._tui.request_render()

    def set_indicator(self, indicator: Indicator | None) -> None:
        """Change the frames and start at the first; `None` is the default spinner."""
        self.stop()
        self._indicator = indicator
        self._frame = 0
        self._update()
        self._tui.request_render()
        self.start()

    def invalidate(self) -> None:
        """Apply the styles again: the theme changed."""
        self._text.invalidate()
        self._update()

    def render(self, width: int) -> list[str]:
        """Return the empty row and the message's rows; the same list while the frame is the same."""
        if self._timer is None and not self._stopped:
            self._schedule()
        lines = self._text.render(width)
        if self._rows is None or self._rows[0] is not lines:
            self._rows = (lines, ["", *lines])
        return self._rows[1]

    def _frames(self) -> Sequence[str]:
        return self._indicator.frames if self._indicator is not None else DEFAULT_FRAMES

    def _interval(self) -> float:
        interval = self._indicator.interval if self._indicator is not None else DEFAULT_INTERVAL
        return interval if interval > 0 else DEFAULT_INTERVAL

    def _schedule(self) -> None:
        if self._stopped or self._timer is not None or len(self._frames()) < 2:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._timer = loop.call_later(self._interval(), self._turn)

    def _turn(self) -> None:
        self._timer = None
        if self._stopped:
            return
        self._frame = (self._frame + 1) % len(self._frames())
        self._update()
        self._tui.request_render()
        self._schedule()

    def _update(self) -> None:
        frames = self._frames()
        message = self._message_style(self._message)
        if not frames:
            self._text.set_text(message)
            return
        frame = frames[self._frame % len(frames)]
        if self._indicator is None:
            frame = self._spinner_style(frame)
        self._text.set_text(f"{frame} {message}")
