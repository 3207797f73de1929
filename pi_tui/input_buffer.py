"""The byte stream cut into whole pieces: text, single keys, sequences, strings and pastes.

How the stream is cut into reads never changes the pieces; only `expire` does, which says that the rest of
an unfinished piece did not come in time. Nothing is searched twice, so the work is linear in the input.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import Literal

from pi_tui.frozen import frozen
from pi_tui.replies import STRING_HEADERS, is_whole_string_reply

LOCAL_ESCAPE_TIMEOUT = 0.010
REMOTE_ESCAPE_TIMEOUT = 0.100
PARTIAL_TIMEOUT = 0.050
LATE_TIMEOUT = 1.0

PASTE_START = b"\x1b[200~"
_PASTE_END = b"\x1b[201~"

_ESC = 0x1B
_CANCELS = (0x18, 0x1A)
_TEXT_RUN = re.compile(rb"[^\x00-\x1f\x7f]+")
_OSC_STOP = re.compile(rb"[\x07\x18\x1a\x1b]")
_STRING_STOP = re.compile(rb"[\x18\x1a\x1b]")
_CONTROL_STOP = re.compile(rb"[^\x20-\x3f]")
_SINGLE_SHIFT_STOP = re.compile(rb"[^0-9;]")
_RXVT_SHIFTED = re.compile(rb"\x1b\[[235678]\$")
_CONSOLE_KEY = re.compile(rb"\x1b\[\[(?:[A-E]|\d{1,2}~)")
_CONSOLE_PARTIAL = re.compile(rb"\x1b\[\[\d{0,2}")
_OLD_MOUSE_SIZE = 6

# What a control sequence begins with when its ESC was taken for the Escape key.
_BEHEADED_CONTROL = re.compile(rb"\[(?:[?<0-9]|\Z)")

PieceKind = Literal["text", "key", "control", "string", "old_mouse", "paste", "nothing"]


@frozen
class Piece:
    """One whole piece. Strings come without their ESC and end, pastes without their markers.

    `late` bytes of a control sequence came before its time was up: if it turns out to mean nothing,
    the rest was typed by itself.
    """

    kind: PieceKind
    data: bytes
    late: int = 0


def is_remote_session(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is at the other end of an SSH connection."""
    return bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"))


class InputBuffer:
    """Keeps what has arrived until it is whole. `examined` counts the bytes that were searched for ends of pieces."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.queries_pending = 0
        self.examined = 0
        self._escape_timeout = _escape_timeout(environ)
        self._pending = bytearray()
        # Up to here `_pending` has been searched for the end of what it begins with.
        self._searched = 0
        self._is_pasting = False
        # So many bytes of what `_pending` begins with have outlived their time; a single one is an ESC
        # that was handed out as the Escape key while a query was open.
        self._late = 0
        # The string before this was ended by an ESC whose backslash has not come yet.
        self._expects_backslash = False
        self._gave_escape = False

    @property
    def pending(self) -> bytes:
        """What has arrived and is not whole yet."""
        return bytes(self._pending)

    def add(self, data: bytes) -> None:
        """Append what was read."""
        if not data:
            return
        if self._expects_backslash:
            self._expects_backslash = False
            data = data.removeprefix(b"\\")
        self._pending += data
        self._restore_escape()

    def put_back(self, data: bytes) -> None:
        """Put `data` in front again, to be cut anew."""
        self._pending[:0] = data

    def next_piece(self) -> Piece | None:
        """Take the next whole piece; `None` if there is none."""
        if not self._pending:
            return None
        piece = self._next_paste() if self._is_pasting else self._next_piece()
        if piece is not None:
            self._searched = 0
            self._late = 0
        return piece

    def timeout(self) -> float | None:
        """Return after how many seconds without input to call `expire`; `None` if there is no need."""
        pending = self._pending
        if self._expects_backslash:
            return LATE_TIMEOUT
        if not pending or self._is_pasting:
            return None
        if pending == b"\x1b":
            return self._escape_timeout
        if self._has_escape_in_string():
            return PARTIAL_TIMEOUT
        if self._is_reply_begun():
            return None
        if self._late:
            return LATE_TIMEOUT
        may_be_reply = pending[0] == _ESC and pending[1] in b"[]P_"
        return LATE_TIMEOUT if may_be_reply and self.queries_pending > 0 else PARTIAL_TIMEOUT

    def expire(self) -> list[Piece]:
        """Resolve what is unfinished, now that no more of it came in time.

        A paste and a reply that has begun stay: they wait for their end. What is left after the
        pieces returned here is to be cut anew with `next_piece`.
        """
        self._expects_backslash = False
        if not self._pending or self._is_pasting:
            return []
        pieces = self._expired()
        if pieces:
            self._searched = self._late = 0
        return pieces

    def _search(self, pattern: re.Pattern[bytes], start: int) -> re.Match[bytes] | None:
        match = pattern.search(self._pending, start)
        self.examined += (len(self._pending) if match is None else match.end()) - start
        return match

    def _take(self, kind: PieceKind, size: int) -> Piece:
        piece = Piece(kind, bytes(self._pending[:size]))
        del self._pending[:size]
        return piece

    # Each of the following takes what `_pending` begins with, or returns None if it is not whole yet.

    def _next_piece(self) -> Piece | None:
        first = self._pending[0]
        if first == _ESC:
            return self._next_escape()
        if first < 0x20 or first == 0x7F:
            return self._take("key", 1)
        return self._next_text()

    def _next_paste(self) -> Piece | None:
        end = self._pending.find(_PASTE_END, self._searched)
        self.examined += (len(self._pending) if end < 0 else end) - self._searched
        if end < 0:
            self._searched = max(0, len(self._pending) - len(_PASTE_END) + 1)
            return None
        piece = self._take("paste", end)
        del self._pending[: len(_PASTE_END)]
        self._is_pasting = False
        return piece

    def _next_text(self) -> Piece | None:
        match = self._search(_TEXT_RUN, 0)
        assert match is not None  # text begins with a byte of text
        is_final = match.end() < len(self._pending)
        _, size = codecs.utf_8_decode(match[0], "replace", is_final)
        return self._take("text", size) if size else None

    def _next_escape(self) -> Piece | None:
        pending = self._pending
        if len(pending) == 1:
            return None
        second = pending[1]
        if second == ord("["):
            return self._next_control()
        if second in b"]P_":
            return self._next_string()
        if second == ord("O"):
            return self._next_single_shift()
        if second == _ESC:
            if len(pending) == 2:
                return None
            # Some terminals send Escape as it is and its release as a sequence.
            return self._take("key", 1 if pending[2] in b"[]OP_" else 2)
        return self._next_alt()

    def _next_alt(self) -> Piece | None:
        """Take ESC and one character."""
        if self._pending[1] < 0x80:
            return self._take("key", 2)
        text, _ = codecs.utf_8_decode(self._pending[1:5], "replace", False)
        if not text:
            return None
        return self._take("key", 1 if text[0] == "\ufffd" else 1 + len(text[0].encode()))

    def _next_single_shift(self) -> Piece | None:
        """Take `SS3` and its letter."""
        stop = self._search(_SINGLE_SHIFT_STOP, max(2, self._searched))
        if stop is None:
            self._searched = len(self._pending)
            return None
        if 0x40 <= self._pending[stop.start()] < 0x7F:
            return self._take("key", stop.end())
        return self._take("key", 2) if stop.start() == 2 else self._take("nothing", stop.start())

    def _next_control(self) -> Piece | None:
        """Take a `CSI` sequence."""
        pending = self._pending
        if len(pending) == 2:
            return None
        if pending[2] == ord("["):
            return self._next_console_key()
        if pending[2] == ord("M"):
            return self._next_old_mouse()
        if _RXVT_SHIFTED.match(pending):
            return self._take("key", 4)
        stop = self._search(_CONTROL_STOP, max(2, self._searched))
        if stop is None:
            self._searched = len(pending)
            return None
        if not 0x40 <= pending[stop.start()] < 0x7F:
            return self._cut_off(stop.start())
        late = self._late
        data = self._take("control", stop.end()).data
        self._is_pasting = data == PASTE_START
        return Piece("control", data, late)

    def _cut_off(self, size: int) -> Piece:
        """Take the beginning of a control sequence that something else cuts off."""
        return self._take("key", 2) if size == 2 else self._take("nothing", self._late or size)

    def _next_console_key(self) -> Piece | None:
        if _CONSOLE_PARTIAL.fullmatch(self._pending):
            return None
        match = _CONSOLE_KEY.match(self._pending)
        return self._take("key", 3 if match is None else match.end())

    def _next_old_mouse(self) -> Piece | None:
        """Take a report of three bytes after `CSI M`, each a number plus 32."""
        pending = self._pending
        for index in range(3, min(_OLD_MOUSE_SIZE, len(pending))):
            if pending[index] < 0x20:
                return self._cut_off(index)
        return self._take("old_mouse", _OLD_MOUSE_SIZE) if len(pending) >= _OLD_MOUSE_SIZE else None

    def _next_string(self) -> Piece | None:
        """Take an `OSC`, `DCS` or `APC` string."""
        pending = self._pending
        pattern = _OSC_STOP if pending[1] == ord("]") else _STRING_STOP
        stop = self._search(pattern, max(2, self._searched))
        if stop is None:
            self._searched = len(pending)
            return None
        start = stop.start()
        if pending[start] in _CANCELS:
            return self._take("nothing", start + 1)
        if pending[start] != _ESC:
            return self._take_string(start, start + 1)
        if start + 1 == len(pending):
            self._searched = start
            return None
        if pending[start + 1] == ord("\\"):
            return self._take_string(start, start + 2)
        return self._take("key", 2) if start == 2 else self._take("nothing", start)

    def _take_string(self, start: int, end: int) -> Piece:
        piece = Piece("string", bytes(self._pending[1:start]))
        del self._pending[:end]
        return piece

    # Unfinished input.

    def _expired(self) -> list[Piece]:
        pending = self._pending
        if pending[0] != _ESC:
            return [self._take("text", len(pending))]
        if len(pending) == 1:
            self._gave_escape = self.queries_pending > 0
            return [self._take("key", 1)]
        if self._has_escape_in_string():
            return self._expire_escape_in_string()
        if self._is_reply_begun():
            return []
        if self._late:
            return [self._take("nothing", self._late)]
        if pending[1] == ord("[") and len(pending) > 2:
            # Its rest may still come, and would be typed as text if nobody remembered its beginning.
            self._late = self._searched = len(pending)
            return []
        if pending[1] == ord("O") and len(pending) > 2:
            return [self._take("nothing", len(pending))]
        if pending[1] >= 0x80:
            return [self._take("key", 1)]
        return [self._take("key", 2)]

    def _is_reply_begun(self) -> bool:
        return self._pending.startswith(tuple(b"\x1b" + header for header in STRING_HEADERS))

    def _has_escape_in_string(self) -> bool:
        pending = self._pending
        is_string = len(pending) > 2 and pending[0] == _ESC and pending[1] in b"]P_"
        return is_string and pending[-1] == _ESC

    def _expire_escape_in_string(self) -> list[Piece]:
        """Resolve an ESC after an unfinished string: the first half of its end, or the Escape key."""
        pending = self._pending
        if is_whole_string_reply(bytes(pending[1:-1])):
            self._expects_backslash = True
            return [self._take_string(len(pending) - 1, len(pending))]
        beginning = self._take("nothing", len(pending) - 1)
        return [beginning, self._take("key", 1)]

    def _restore_escape(self) -> None:
        """Put the ESC back in front of a reply when it was taken for the Escape key."""
        if self._gave_escape:
            self._gave_escape = False
            if _may_be_beheaded(self._pending):
                self._pending[:0] = b"\x1b"
                self._late = 1
        elif self._late == 1 and not _may_be_beheaded(self._pending[1:9]):
            del self._pending[:1]
            self._searched = self._late = 0


def _escape_timeout(environ: Mapping[str, str]) -> float:
    setting = environ.get("PI_TUI_ESC_TIMEOUT", "")
    if setting.isdecimal() and len(setting) < 7 and int(setting) > 0:
        return int(setting) / 1000
    return REMOTE_ESCAPE_TIMEOUT if is_remote_session(environ) else LOCAL_ESCAPE_TIMEOUT


def _may_be_beheaded(data: bytes | bytearray) -> bool:
    start = bytes(data[:8])
    is_string = any(
        header.startswith(start) or start.startswith(header) for header in STRING_HEADERS
    )
    return is_string or _BEHEADED_CONTROL.match(start) is not None
