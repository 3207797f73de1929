"""The lines of a session file, read when somebody looks at them.

Those looked at last are kept, up to so many bytes. The file stays open: whatever takes its name later, these are
the lines that were there when the session was opened.
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections import OrderedDict
from typing import Final, Generic, TypeVar

from pi_agent.base.jsonl import parse_line
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import Message
from pi_agent.session.entries import read_message
from pi_agent.session.index import SessionIndex, text_of

# Of lines, as they stand in the file; decoded they take about three times that.
_KEPT_LINES_BYTES: Final = 2 << 20
# What the model is told is asked for again with each request: there is room for the largest context.
_KEPT_MESSAGES_BYTES: Final = 16 << 20

T = TypeVar("T")
_log = logging.getLogger("pi.session")


class Bodies:
    """Reads lines and messages by the numbers of their entries; `lines_read` counts what came from the file.

    The open file is closed with the last reference to this.
    """

    def __init__(self, descriptor: int, index: SessionIndex, lines_read: int = 0) -> None:
        self._descriptor = descriptor
        weakref.finalize(self, os.close, descriptor)
        self._index = index
        self._lines = _Kept[JsonObject](_KEPT_LINES_BYTES)
        self._messages = _Kept[tuple[Message | None]](_KEPT_MESSAGES_BYTES)
        self.lines_read = lines_read

    def line(self, number: int) -> JsonObject:
        """Return an entry's line, with the id that the entry goes by."""
        kept = self._lines.get(number)
        return (
            self._lines.put(number, self._read(number), self._size(number))
            if kept is None
            else kept
        )

    def message(self, number: int) -> Message | None:
        """Return the message of an entry; `None` when its line holds none that can be read."""
        kept = self._messages.get(number)
        if kept is None:
            line = self._lines.get(number) or self._read(number)
            message = read_message(line.get("message"), entry_id=self._index.id_of(number))
            kept = self._messages.put(number, (message,), self._size(number))
        return kept[0]

    def _size(self, number: int) -> int:
        return self._index.sizes[number]

    def _read(self, number: int) -> JsonObject:
        index = self._index
        self.lines_read += 1
        raw = parse_line(os.pread(self._descriptor, self._size(number), index.offsets[number]))
        if raw is None:
            _log.warning("entry %s is not where it was: its file was changed", index.id_of(number))
            raw = {"type": index.kind_of(number).type, "parentId": index.parent_id_of(number)}
        own_id = index.id_of(number)
        return raw if text_of(raw, "id") == own_id else {**raw, "id": own_id}


class _Kept(Generic[T]):
    """Values by number, the last ones used, until their sizes add up to a limit.

    Threads may share it: a fork is copied while the screen is drawn.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._total = 0
        self._values: OrderedDict[int, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, number: int) -> T | None:
        """Return a value, if it is still there."""
        with self._lock:
            kept = self._values.get(number)
            if kept is None:
                return None
            self._values.move_to_end(number)
            return kept[0]

    def put(self, number: int, value: T, size: int) -> T:
        """Keep a value, and let go of others for it."""
        with self._lock:
            if number in self._values:
                return self._values[number][0]  # another thread has read it meanwhile
            self._values[number] = (value, size)
            self._total += size
            while self._total > self._limit and len(self._values) > 1:
                _, (_, gone) = self._values.popitem(last=False)
                self._total -= gone
        return value
