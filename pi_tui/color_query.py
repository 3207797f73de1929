"""Asking the terminal for its colours (OSC 10, 11 and 4), with a device-attributes query that ends the wait."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from pi_tui.frozen import frozen
from pi_tui.negotiation import DEVICE_ATTRIBUTES_QUERY
from pi_tui.replies import parse_reported_color

_PALETTE_SIZE = 16
QUESTION = (
    "\x1b]10;?\x07\x1b]11;?\x07"
    + "".join(f"\x1b]4;{index};?\x07" for index in range(_PALETTE_SIZE))
    + DEVICE_ATTRIBUTES_QUERY
)

Rgb = tuple[int, int, int]


@frozen
class TerminalColors:
    """What a terminal says of its colours as sRGB triples (0-255); unknown ones are `None`.

    The palette is known when all of its first sixteen colours are.
    """

    foreground: Rgb | None = None
    background: Rgb | None = None
    palette: tuple[Rgb, ...] | None = None


class ColorQuery:
    """One question and the replies to it."""

    question = QUESTION

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        on_late_reply: Callable[[TerminalColors], None] | None,
    ) -> None:
        self.colors = TerminalColors()
        self._done: asyncio.Future[None] = loop.create_future()
        self._palette: dict[int, Rgb] = {}
        self._on_late_reply = on_late_reply

    def take(self, slot: str, data: str) -> None:
        """Take one reply: a colour, or the index and the colour of a palette's entry."""
        index, _, text = data.rpartition(";")
        color = parse_reported_color(text)
        if slot == "palette":
            self._take_entry(index, color)
        elif slot == "foreground":
            self.colors = replace(self.colors, foreground=color)
        else:
            self.colors = replace(self.colors, background=color)
        if self._done.done() and self._on_late_reply is not None:
            self._on_late_reply(self.colors)
        if self.is_complete:
            self.finish()

    def _take_entry(self, index: str, color: Rgb | None) -> None:
        if color is None or not index.isdecimal() or int(index) >= _PALETTE_SIZE:
            return
        self._palette[int(index)] = color
        if len(self._palette) == _PALETTE_SIZE:
            whole = tuple(self._palette[entry] for entry in range(_PALETTE_SIZE))
            self.colors = replace(self.colors, palette=whole)

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to be told."""
        return None not in (self.colors.foreground, self.colors.background, self.colors.palette)

    def finish(self) -> None:
        """Wait no longer: what comes all the same is late."""
        if not self._done.done():
            self._done.set_result(None)

    async def result(self, timeout: float) -> TerminalColors:
        """Return what is known when the replies are complete or the time is up."""
        try:
            await asyncio.wait_for(asyncio.shield(self._done), timeout)
        except TimeoutError:
            self.finish()
        return self.colors


class ColorQueries:
    """Open questions, oldest first. Device-attributes replies are counted: others ask for them too."""

    def __init__(self) -> None:
        self._waiting: deque[ColorQuery | None] = deque()
        self._last: ColorQuery | None = None  # that was answered

    def count_foreign_reply(self) -> None:
        """Expect a device-attributes reply that belongs to somebody else."""
        self._waiting.append(None)

    def open(
        self,
        loop: asyncio.AbstractEventLoop,
        on_late_reply: Callable[[TerminalColors], None] | None,
    ) -> ColorQuery:
        """Begin a question; the caller writes its `question`."""
        query = ColorQuery(loop, on_late_reply)
        self._waiting.append(query)
        return query

    def color_reply(self, slot: str, text: str) -> None:
        """Give a colour to the oldest open question, or to the last one: it was answered in a strange order."""
        open_queries = (query for query in self._waiting if query and not query.is_complete)
        query = next(open_queries, self._last)
        if query is not None:
            query.take(slot, text)

    def device_attributes_reply(self) -> bool:
        """Take the reply that ends a question; `False` if it was not ours."""
        query = self._waiting.popleft() if self._waiting else None
        if query is None:
            return False
        query.finish()
        self._last = query
        return True

    def finish(self) -> None:
        """Nothing is answered any more: end the wait of every question."""
        for query in self._waiting:
            if query is not None:
                query.finish()
        self._waiting.clear()
        self._last = None
