"""Raw input to keys, pastes, mouse reports and terminal replies.

The decoder has no clock: whoever owns it reads `pending_timeout` after each call and calls `flush` when
that time has passed without input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pi_tui.events import FocusEvent, KeyEvent, PasteEvent
from pi_tui.input_buffer import PASTE_START, InputBuffer, Piece, is_remote_session
from pi_tui.key_parser import parse_key, text_key
from pi_tui.mouse import MouseReport
from pi_tui.replies import TerminalReply, parse_control_reply, parse_string_reply
from pi_tui.shift_key import find_shift_key
from pi_tui.width import iter_graphemes

_SGR_MOUSE = re.compile(rb"\x1b\[<(\d{1,5});(\d{1,6});(\d{1,6})([Mm])")
_PLAIN_CODE_REPORT = re.compile(rb"\x1b\[[\d:]+(?:;1?(?::[12]?)?(?:;[\d:]*)?)?u")
_ENTERS = (b"\r", b"\x1b\r")
_FOCUS = {b"\x1b[I": FocusEvent(gained=True), b"\x1b[O": FocusEvent(gained=False)}
_C1_CONTROLS = dict.fromkeys(range(0x80, 0xA0))


Decoded = KeyEvent | PasteEvent | MouseReport | FocusEvent | TerminalReply


class InputDecoder:
    """Takes bytes as they arrive and returns what they mean.

    The owner sets `kitty_active` once the terminal reports keys by that protocol, and keeps
    `queries_pending` at the number of its questions that the terminal has not answered. `shift_key` tells whether
    Shift is held down, where the terminal does not.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        kitty_active: bool = False,
        shift_key: Callable[[], bool] | None = None,
    ) -> None:
        self.kitty_active = kitty_active
        self._is_shift_down = find_shift_key(environ) if shift_key is None else shift_key
        self._windows_terminal = bool(environ.get("WT_SESSION")) and not is_remote_session(environ)
        self._buffer = InputBuffer(environ)
        # The character of the last event, if that was a report some terminals send beside the character.
        self._doubled = ""

    @property
    def queries_pending(self) -> int:
        """How many questions the terminal has not answered: unfinished replies get more time meanwhile."""
        return self._buffer.queries_pending

    @queries_pending.setter
    def queries_pending(self, count: int) -> None:
        self._buffer.queries_pending = count

    @property
    def examined(self) -> int:
        """How many bytes were searched for ends of sequences so far: a measure of the work."""
        return self._buffer.examined

    def feed(self, data: bytes) -> list[Decoded]:
        """Return what `data`, together with what was left of earlier reads, means."""
        self._buffer.add(data)
        return self._drained()

    def flush(self) -> list[Decoded]:
        """Return what is left over, now that no more of it came in time.

        A paste and a reply that has begun stay: they wait for their end.
        """
        events: list[Decoded] = []
        for piece in self._buffer.expire():
            events += self._decoded(piece)
        return events + self._drained()

    def pending_timeout(self) -> float | None:
        """Return after how many seconds without input to call `flush`; `None` if there is no need."""
        return self._buffer.timeout()

    def _drained(self) -> list[Decoded]:
        events: list[Decoded] = []
        while (piece := self._buffer.next_piece()) is not None:
            events += self._decoded(piece)
        return events

    def _decoded(self, piece: Piece) -> list[Decoded]:
        doubled, self._doubled = self._doubled, ""
        match piece.kind:
            case "text":
                return self._text(piece.data, doubled)
            case "key":
                event = self._key(piece.data)
                return [] if event is None else [event]
            case "control":
                return self._control(piece)
            case "string":
                return list(parse_string_reply(piece.data))
            case "old_mouse":
                return [_old_mouse_report(piece.data)]
            case "paste":
                return [PasteEvent(piece.data.decode("utf-8", "replace"))]
            case "nothing":
                return []

    def _text(self, data: bytes, doubled: str) -> list[Decoded]:
        text = data.decode("utf-8", "replace")
        if doubled:
            text = text.removeprefix(doubled)
        if text.isascii():
            return [text_key(character) for character in text]
        return [text_key(cluster) for cluster in iter_graphemes(text.translate(_C1_CONTROLS))]

    def _key(self, data: bytes) -> KeyEvent | None:
        if data in _ENTERS and self._is_shift_down is not None and self._is_shift_down():
            return KeyEvent("shift+enter", raw=data)
        return parse_key(
            data, kitty_active=self.kitty_active, windows_terminal=self._windows_terminal
        )

    def _control(self, piece: Piece) -> list[Decoded]:
        data = piece.data
        event = _FOCUS.get(data) or _mouse_report(data) or parse_control_reply(data)
        if event is not None:
            return [event]
        key = self._key(data)
        if key is not None:
            if _PLAIN_CODE_REPORT.fullmatch(data):
                self._doubled = key.text
            return [key]
        if piece.late and data != PASTE_START:
            self._buffer.put_back(data[piece.late :])
        return []


def _mouse_report(data: bytes) -> MouseReport | None:
    match = _SGR_MOUSE.fullmatch(data)
    if match is None:
        return None
    x, y = int(match[2]) - 1, int(match[3]) - 1
    return MouseReport(int(match[1]), x, y, is_release=match[4] == b"m")


def _old_mouse_report(data: bytes) -> MouseReport:
    code, x, y = (byte - 32 for byte in data[3:])
    # Without motion and wheel bits, button 3 says that some button was released.
    is_release = code < 32 and code & 3 == 3
    return MouseReport(code, x - 1, y - 1, is_release)
