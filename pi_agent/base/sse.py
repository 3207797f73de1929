"""Server-sent events out of bytes that may be cut anywhere.

Written here because httpx-sse drops a last event that no blank line follows, gives no access to what is
not an event (the error page a server sent instead), and has no limit for an event's size.
"""

from __future__ import annotations

import codecs

from pi_agent.base.errors import PiError
from pi_tui.frozen import frozen

MAX_EVENT_CHARS = 64 * 1024 * 1024
STRAY_CHARS = 16_384

_FIELDS = frozenset({"data", "event", "id", "retry"})


@frozen
class SseEvent:
    """One event: its `data` lines joined with newlines, and the type it was given."""

    data: str
    event: str = "message"


class SseDecoder:
    """Turn bytes into events. `stray` keeps the beginning of the lines that belong to no field.

    See https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
    """

    def __init__(self, max_event_chars: int = MAX_EVENT_CHARS) -> None:
        self.stray = ""
        self._max_event_chars = max_event_chars
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._after_return = False
        self._line: list[str] = []
        self._data: list[str] = []
        self._type = ""
        self._size = 0

    def feed(self, chunk: bytes) -> list[SseEvent]:
        """Return the events that `chunk` completes. Raises `PiError` for an event over the limit."""
        return self._take(self._decoder.decode(chunk))

    def close(self) -> list[SseEvent]:
        """Return what the end of the stream completes: a last event without its blank line."""
        events = self._take(self._decoder.decode(b"", final=True))
        for line in ("".join(self._line), ""):
            event = self._end_line(line)
            if event is not None:
                events.append(event)
        self._line = []
        return events

    def _take(self, text: str) -> list[SseEvent]:
        if not text:
            return []
        if self._after_return and text[0] == "\n":
            # The second half of a line end that was cut in two.
            text = text[1:]
            self._after_return = False
            if not text:
                return []
        self._after_return = text[-1] == "\r"
        first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._grow(first)
        events: list[SseEvent] = []
        for other in others:
            event = self._end_line("".join(self._line))
            if event is not None:
                events.append(event)
            self._line = []
            self._grow(other)
        return events

    def _grow(self, piece: str) -> None:
        if not piece:
            return
        self._line.append(piece)
        self._size += len(piece)
        if self._size > self._max_event_chars:
            raise PiError(
                f"the server sent an event of more than {self._max_event_chars} characters"
            )

    def _end_line(self, line: str) -> SseEvent | None:
        if not line:
            return self._end_event()
        field, _, value = line.partition(":")
        if value.startswith(" "):
            value = value[1:]
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._type = value
        elif field and field not in _FIELDS:
            # A field nobody knows, or no event stream at all.
            self._size -= len(line)
            self.stray = (self.stray + line + "\n")[:STRAY_CHARS]
        else:
            self._size -= len(line)
        return None

    def _end_event(self) -> SseEvent | None:
        event = SseEvent("\n".join(self._data), self._type or "message") if self._data else None
        self._data = []
        self._type = ""
        self._size = 0
        return event
