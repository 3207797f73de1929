"""From bytes, cut anywhere, to events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.decode import Decoded, InputDecoder
from pi_tui.events import FocusEvent, KeyEvent, PasteEvent
from pi_tui.mouse import MouseReport
from pi_tui.replies import TerminalReply
from tests.pi_tui.call_count import Calls

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
        return _text(self.events)

    @property
    def replies(self) -> list[tuple[str, str]]:
        return [
            (event.kind, event.data) for event in self.events if isinstance(event, TerminalReply)
        ]


def _text(events: Iterable[Decoded]) -> str:
    return "".join(event.text for event in events if isinstance(event, KeyEvent))


def decode(*reads: bytes, kitty_active: bool = False) -> list[Decoded]:
    decoder = InputDecoder({}, kitty_active=kitty_active)
    return [event for data in reads for event in decoder.feed(data)]


# Text.


def test_text_is_one_key_for_each_cluster() -> None:
    events = decode("aB 1👍🏽日e\u0301".encode())
    assert [(event.id, event.text) for event in events if isinstance(event, KeyEvent)] == [
        ("a", "a"),
        ("shift+b", "B"),
        ("space", " "),
        ("1", "1"),
        ("👍🏽", "👍🏽"),
        ("日", "日"),
        ("e\u0301", "e\u0301"),
    ]


@pytest.mark.parametrize("cut", range(1, 10))
def test_a_character_in_two_reads_is_one_key(cut: int) -> None:
    data = "é日👍".encode()
    assert _text(decode(data[:cut], data[cut:])) == "é日👍"


def test_half_a_character_waits_and_is_then_replaced() -> None:
    line = Line()
    line.send(b"a\xe6\x97")
    assert line.text == "a"
    assert line.decoder.pending_timeout() == 0.05
    line.wait(0.06)
    line.send(b"b")
    assert line.text == "a\ufffdb"


def test_eight_bit_controls_are_not_typed() -> None:
    assert _text(decode("a\x9b31mb\x85".encode())) == "a31mb"


# Escape and its timeout.


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({}, 0.010),
        ({"SSH_CONNECTION": "a b"}, 0.100),
        ({"SSH_TTY": "/dev/pts/1"}, 0.100),
        ({"SSH_TTY": "/dev/pts/1", "PI_TUI_ESC_TIMEOUT": "25"}, 0.025),
        ({"PI_TUI_ESC_TIMEOUT": "soon"}, 0.010),
    ],
)
def test_a_lone_escape_waits_for_its_timeout(environ: dict[str, str], seconds: float) -> None:
    line = Line(environ)
    line.send(b"\x1b")
    assert line.decoder.pending_timeout() == seconds
    assert line.events == []
    line.wait(seconds)
    assert line.keys == ["escape"]
    assert line.decoder.pending_timeout() is None


def test_an_open_query_does_not_hold_back_escape() -> None:
    line = Line(queries=1)
    line.send(b"\x1b")
    line.wait(0.010)
    assert line.keys == ["escape"]


def test_alt_with_a_key_split_by_a_slow_link() -> None:
    line = Line({"SSH_TTY": "x"})
    line.send(b"\x1b")
    line.wait(0.09)
    line.send(b"x")
    line.send(b"\x1b")
    line.wait(0.09)
    line.send(b"[A")
    assert line.keys == ["alt+x", "up"]


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"\x1b\x1b", ["ctrl+alt+["]),
        (b"\x1b[", ["alt+["]),
        (b"\x1b]", ["alt+]"]),
        (b"\x1bO", ["shift+alt+o"]),
        (b"\x1bP", ["shift+alt+p"]),
        (b"\x1b_", ["alt+_"]),
        (b"\x1b]ab", ["alt+]", "a", "b"]),
        (b"\x1bO\r", ["shift+alt+o", "enter"]),
        (b"\x1b[\r", ["alt+[", "enter"]),
    ],
)
def test_what_begins_a_sequence_is_alt_with_a_key_when_nothing_follows(
    data: bytes, keys: list[str]
) -> None:
    line = Line()
    line.send(data)
    line.wait(0.05)
    assert line.keys == keys


def test_a_beginning_waits_longer_while_a_query_is_open() -> None:
    line = Line(queries=1)
    line.send(b"\x1b]1")
    line.wait(0.9)
    assert line.events == []
    line.send(b"1;#ffffff\x07")
    assert line.replies == [("background", "#ffffff")]
    line.send(b"\x1b]x")
    line.wait(1.0)
    assert line.keys == ["alt+]", "x"]


def test_raw_escape_then_its_release_as_a_report() -> None:
    events = decode(b"\x1b\x1b[27;1:3u", kitty_active=True)
    assert [(e.id, e.kind) for e in events if isinstance(e, KeyEvent)] == [
        ("escape", "press"),
        ("escape", "release"),
    ]


def test_alt_with_a_character_beyond_ascii() -> None:
    assert [e.id for e in decode("\x1bé".encode()) if isinstance(e, KeyEvent)] == ["alt+é"]


def test_byte_8_in_windows_terminal() -> None:
    local, remote = Line({"WT_SESSION": "x"}), Line({"WT_SESSION": "x", "SSH_TTY": "y"})
    local.send(b"\x08")
    remote.send(b"\x08")
    assert (local.keys, remote.keys) == (["ctrl+backspace"], ["backspace"])


def test_a_held_key_gives_press_repeats_and_release() -> None:
    events = decode(b"\x1b[97u\x1b[97;1:2u\x1b[97;1:2u\x1b[97;1:3u", kitty_active=True)
    assert [(e.kind, e.text) for e in events if isinstance(e, KeyEvent)] == [
        ("press", "a"),
        ("repeat", "a"),
        ("repeat", "a"),
        ("release", ""),
    ]


def test_a_report_and_the_character_it_doubles_are_one_key() -> None:
    assert _text(decode(b"\x1b[97ua")) == "a"
    assert _text(decode(b"\x1b[97u", b"a", b"a")) == "aa"
    assert _text(decode(b"\x1b[97;1ub")) == "ab"
    assert _text(decode(b"\x1b[97;2uA")) == "AA"
    assert _text(decode(b"\x1b[97u\x1b[97;1:3ua")) == "aa"
    assert _text(decode(b"\x1b[32u  ")) == "  "


# Sequences.


@pytest.mark.parametrize(
    "data",
    [
        *(b"\x1b[99X", b"\x1b[?1;2;3z", b"\x1b]52;c;aGk=\x07", b"\x1b]0;title\x1b\\"),
        *(b"\x1bP0$r\x1b\\", b"\x1b_x\x1b\\", b"\x1b[>0;10;1c", b"\x1b[0n", b"\x1b[57442u"),
        *(b"\x1bO1;2x", b"\x1b[[9~", b"\x1b[<0;1M", b"\x1b[1;2;3M", b"\x1b[4;480;640t"),
        b"\x1b[201~",
    ],
)
def test_unknown_sequences_are_dropped(data: bytes) -> None:
    assert decode(b"a" + data + b"b") == decode(b"a") + decode(b"b")


def test_a_sequence_cut_off_by_another_is_dropped() -> None:
    assert decode(b"\x1b[1;5\x1b[A") == decode(b"\x1b[A")
    assert decode(b"\x1b]11;rgb:1\x1b[A") == decode(b"\x1b[A")
    assert decode(b"\x1b]11;rgb:1\x18a") == decode(b"a")
    assert decode(b"\x1b]11;rgb:1\x1aa") == decode(b"a")
    assert decode(b"\x1b[1;5\ra") == decode(b"\ra")


def test_the_rest_of_a_late_sequence_completes_it() -> None:
    line = Line()
    line.send(b"\x1b[<35;1")
    line.wait(0.5)
    line.send(b"2;5M")
    line.send(b"\x1b[1;5")
    line.wait(0.5)
    line.send(b"C")
    assert line.events == [MouseReport(35, 11, 4, False), *decode(b"\x1b[1;5C")]


def test_typing_after_a_sequence_that_never_ends() -> None:
    line = Line()
    line.send(b"\x1b[1;5")
    line.wait(0.5)
    line.send(b"x")
    line.send(b"\x1b[1;5")
    line.wait(0.5)
    line.send(b"7")
    line.wait(1.1)
    line.send(b"\x1b[1;5")
    line.wait(2)
    line.send(b"C")
    line.send(b"\x1b[1;5")
    line.wait(0.5)
    line.send(b"4\r")
    assert line.keys == ["x", "7", "shift+c", "4", "enter"]


def test_focus_reports() -> None:
    assert decode(b"\x1b[I\x1b[O") == [FocusEvent(gained=True), FocusEvent(gained=False)]


def test_mouse_reports_count_from_zero() -> None:
    assert decode(b"\x1b[<0;10;5M\x1b[<0;10;5m\x1b[<64;1;1M") == [
        MouseReport(0, 9, 4, False),
        MouseReport(0, 9, 4, True),
        MouseReport(64, 0, 0, False),
    ]
    assert decode(b"\x1b[M *%\x1b[M#*%\x1b[MC*%\x1b[M`\xff!") == [
        MouseReport(0, 9, 4, False),
        MouseReport(3, 9, 4, True),
        MouseReport(35, 9, 4, False),
        MouseReport(64, 222, 0, False),
    ]


# Replies.

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


@pytest.mark.parametrize("data", REPLIES)
def test_a_reply_cut_anywhere_is_one_reply(data: bytes) -> None:
    for cut in range(1, len(data)):
        line = Line()
        line.send(data[:cut])
        line.send(data[cut:] + b"h")
        assert (line.replies, line.keys) == ([REPLIES[data]], ["h"])


@pytest.mark.parametrize("data", [reply for reply in REPLIES if reply[1:3] in (b"]1", b"]4")])
def test_an_awaited_reply_with_a_pause_anywhere_types_nothing(data: bytes) -> None:
    for cut in range(1, len(data)):
        line = Line(queries=1)
        line.send(data[:cut])
        line.wait(0.06)
        line.send(data[cut:])
        line.wait(0.06)
        line.send(b"h")
        assert (line.replies, line.text) == ([REPLIES[data]], "h"), cut


@pytest.mark.parametrize("data", REPLIES)
def test_an_awaited_reply_in_single_late_bytes_types_nothing(data: bytes) -> None:
    line = Line(queries=1)
    for byte in data:
        line.send(bytes((byte,)))
        line.wait(0.06)
    line.send(b"h")
    line.wait(2)
    assert line.text == "h"


def test_a_begun_reply_waits_without_limit() -> None:
    line = Line()
    line.send(b"\x1b]11;rgb:1e1e/1e")
    assert line.decoder.pending_timeout() is None
    assert line.decoder.flush() == []
    line.send(b"1e/1e1e\x1b\\")
    line.send(b"h")
    assert (line.replies, line.text) == ([("background", "rgb:1e1e/1e1e/1e1e")], "h")


def test_brackets_typed_after_a_late_reply_stay() -> None:
    line = Line(queries=1)
    for read in (BACKGROUND[:1], BACKGROUND[1:-1], BACKGROUND[-1:] + b"[["):
        line.send(read)
        line.wait(0.06)
    assert line.text == "[["


def test_escape_gets_out_of_a_reply_that_never_ends() -> None:
    line = Line()
    line.send(b"\x1b]11;rgb:1e1e")
    line.send(b"\x1b")
    line.wait(0.06)
    line.send(b"h")
    assert line.keys == ["escape", "h"]


def test_the_user_types_on_after_escape_while_a_query_is_open() -> None:
    line = Line(queries=1)
    line.send(b"\x1b")
    line.wait(0.06)
    line.send(b"]")
    line.wait(2)
    line.send(b"\x1b")
    line.wait(0.06)
    line.send(b"]")
    line.send(b"x")
    line.send(b"\x1b")
    line.wait(0.06)
    line.send(b"[1")
    line.wait(2)
    line.send(b"\x1b")
    line.wait(0.06)
    line.send(b"[12x")
    typed = ["]", "]x", "[1", "[12x"]
    assert line.keys == [key for text in typed for key in ("escape", *text)]


def test_replies_between_keys_are_taken_out() -> None:
    data = b"".join(b"x" + reply for reply in REPLIES)
    assert _text(decode(data)) == "x" * len(REPLIES)


# Pastes.


def test_a_paste_cut_anywhere_is_one_event_whatever_it_contains() -> None:
    content = "a\r\n\x1b[31mé\x1b]11;#fff\x07\x1b[200~\x1b\x1b[20"
    data = b"x" + PASTE_START + content.encode() + PASTE_END + b"y"
    for cut in range(1, len(data)):
        events = decode(data[:cut], data[cut:])
        assert events == [KeyEvent("x", "x"), PasteEvent(content), KeyEvent("y", "y")], cut


def test_a_paste_waits_for_its_end() -> None:
    line = Line()
    line.send(PASTE_START + b"a\x1b")
    assert line.decoder.pending_timeout() is None
    assert line.decoder.flush() == []
    line.send(b"b" + PASTE_END)
    assert line.events == [PasteEvent("a\x1bb")]


def test_undecodable_bytes_in_a_paste_are_replaced() -> None:
    assert decode(PASTE_START + b"a\xff" + PASTE_END) == [PasteEvent("a\ufffd")]


def test_a_megabyte_pasted() -> None:
    text = "0123456789abcde\n" * 65536
    data = PASTE_START + text.encode() + PASTE_END + b"\r"
    reads = [data[start : start + 4096] for start in range(0, len(data), 4096)]
    events = decode(*reads)
    assert events == [PasteEvent(text), KeyEvent("enter", also=("ctrl+m",))]


# Work.


def test_a_paste_costs_few_calls_for_each_read() -> None:
    decoder = InputDecoder({})
    decoder.feed(PASTE_START)
    with Calls() as calls:
        for _ in range(256):
            decoder.feed(b"0123456789abcde\n" * 256)
    assert calls.count < 256 * 30


# Were anything copied or searched again with each read, none of these would end within the time limit.


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("start", "size", "end"),
    [
        (PASTE_START, 1024, PASTE_END),
        (b"\x1b]11;", 512, b"\x07"),
        (b"\x1b]52;", 512, b"\x07"),
        (b"\x1b_G", 512, b"\x1b\\"),
    ],
)
def test_long_input_in_small_reads_is_linear(start: bytes, size: int, end: bytes) -> None:
    decoder = InputDecoder({})
    decoder.feed(start)
    read = b"0" * size
    for _ in range(32768):
        assert decoder.feed(read) == []
    events = decoder.feed(end)
    assert all(isinstance(event, (PasteEvent, TerminalReply)) for event in events)
    assert decoder.feed(b"x") == [KeyEvent("x", "x")]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("start", [b"\x1b[", b"\x1bO"])
def test_an_endless_sequence_is_linear(start: bytes) -> None:
    decoder = InputDecoder({})
    decoder.feed(start)
    for _ in range(32768):
        assert decoder.feed(b"1" * 128) == []
    assert decoder.feed(b"xy") == [KeyEvent("y", "y")]


@pytest.mark.timeout(20)
def test_many_keys_in_one_read_are_linear() -> None:
    assert len(decode(b"\x1b[A" * 50_000)) == 50_000
    assert len(decode("é1\r".encode() * 25_000)) == 75_000


# Any input.


def _by_character(events: Iterable[Decoded]) -> list[object]:
    """Return the events with text taken apart: clusters depend on what arrived together."""
    parts: list[object] = []
    for event in events:
        if isinstance(event, KeyEvent) and event.text and not event.raw.startswith(b"\x1b"):
            parts.extend(event.text)
        else:
            parts.append(event)
    return parts


def _cut(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in pairwise(edges)]


PIECES = [
    *REPLIES,
    *(
        b"a",
        b"A",
        b"\xc3\xa9",
        "👍🏽".encode(),
        b"\x1b",
        b"\x1b\x1b",
        b"\r",
        b"\x18",
        b"\xff",
        b"\xe6",
    ),
    *(
        b"\x1b[A",
        b"\x1bOP",
        b"\x1b[97u",
        b"\x1b[97;1:3u",
        b"\x1b[[A",
        b"\x1b[[",
        b"\x1b[7$",
        b"\x1b[",
    ),
    *(b"\x1b[M !!", b"\x1b[M", b"\x1b[<0;1;1M", b"\x1b]", b"\x1bP", b"\x1b_", b"\x1b\\", b"\x07"),
    *(PASTE_START, PASTE_END, b"1", b";", b"$", b"~", b"\x1bO1", b"\x9b", b"\x00"),
]
streams = st.one_of(
    st.binary(max_size=40), st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join)
)
cut_lists = st.lists(st.integers(min_value=0, max_value=400), max_size=8)


@settings(max_examples=200)
@given(streams, cut_lists, st.booleans())
def test_reads_do_not_change_what_input_means(
    data: bytes, cuts: list[int], kitty_active: bool
) -> None:
    whole = decode(data, kitty_active=kitty_active)
    parts = decode(*_cut(data, cuts), kitty_active=kitty_active)
    assert _by_character(parts) == _by_character(whole)


@settings(max_examples=200)
@given(streams, cut_lists, st.lists(st.sampled_from([0.0, 0.02, 0.06, 2.0]), max_size=10))
def test_any_input_with_any_pauses_ends_in_a_usable_decoder(
    data: bytes, cuts: list[int], pauses: list[float]
) -> None:
    line = Line(queries=len(cuts) % 2)
    for index, read in enumerate(_cut(data, cuts)):
        line.send(read)
        line.wait(pauses[index % len(pauses)] if pauses else 0)
    line.wait(5)
    line.send(PASTE_END + b"\x18\x18")
    line.wait(5)
    line.send(b"ok")
    assert line.text.endswith("ok")
    assert not any("\x1b" in event.text for event in line.events if isinstance(event, KeyEvent))


words = st.text(alphabet="abc ~[", max_size=4).map(str.encode)
items = st.one_of(words, st.sampled_from(list(REPLIES)), st.just(b"\x1b[<35;2;3M"))


@settings(max_examples=200)
@given(st.lists(items, max_size=12), cut_lists)
def test_only_what_the_user_typed_is_text(stream: list[bytes], cuts: list[int]) -> None:
    typed = b"".join(item for item in stream if b"\x1b" not in item).decode()
    line = Line(queries=1)
    for read in _cut(b"".join(stream), cuts):
        line.send(read)
        line.wait(0.06)
    line.wait(5)
    # A pause after the first byte of a reply may add the Escape key, and that is all.
    assert line.text == typed
    assert set(line.keys) <= {"escape", *"abc~[", "space"}
