"""A connection that bytes come over, for tests of the decoder, and what terminals reply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pi_tui.decode import Decoded, InputDecoder
from pi_tui.events import KeyEvent
from pi_tui.replies import TerminalReply

PASTE_START, PASTE_END = b"\x1b[200~", b"\x1b[201~"
BACKGROUND = b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"


class Line:
    """A connection with a clock: what is sent arrives at once, and time passes between."""

    def __init__(self, environ: Mapping[str, str] | None = None, *, queries: int = 0) -> None:
        self.decoder = InputDecoder(environ or {})
        self.decoder.queries_pending = queries
        self.events: list[Decoded] = []

    def send(self, data: bytes) -> None:
        self.events += self.decoder.feed(data)

    def wait(self, seconds: float) -> None:
        while (timeout := self.decoder.pending_timeout()) is not None and timeout <= seconds:
            seconds -= timeout
            self.events += self.decoder.flush()

    @property
    def keys(self) -> list[str]:
        return [event.id for event in self.events if isinstance(event, KeyEvent)]

    @property
    def text(self) -> str:
        return text_of(self.events)

    @property
    def replies(self) -> list[tuple[str, str]]:
        return [
            (event.kind, event.data) for event in self.events if isinstance(event, TerminalReply)
        ]


def text_of(events: Iterable[Decoded]) -> str:
    return "".join(event.text for event in events if isinstance(event, KeyEvent))


def decode(*reads: bytes, kitty_active: bool = False) -> list[Decoded]:
    decoder = InputDecoder({}, kitty_active=kitty_active)
    return [event for data in reads for event in decoder.feed(data)]


REPLIES = {
    b"\x1b[?7u": ("kitty_flags", "7"),
    b"\x1b[?62;22c": ("device_attributes", "62;22"),
    b"\x1b[?997;2n": ("color_scheme", "2"),
    b"\x1b[6;18;9t": ("cell_size", "18;9"),
    b"\x1b[12;40R": ("cursor_position", "12;40"),
    b"\x1b[?2026;2$y": ("mode", "2026;2"),
    b"\x1b]10;rgb:ff/ff/ff\x07": ("foreground", "rgb:ff/ff/ff"),
    BACKGROUND: ("background", "rgb:1e1e/1e1e/1e1e"),
    b"\x1b]4;3;#ffff00\x1b\\": ("palette", "3;#ffff00"),
    b"\x1b]7501;ok\x1b\\": ("program_status", "ok"),
    b"\x1bP>|term 1.0\x1b\\": ("terminal_name", "term 1.0"),
    b"\x1b_Gi=1;OK\x1b\\": ("graphics", "i=1;OK"),
    b"\x1bP1$r0m\x1b\\": ("setting", "0m"),
}
