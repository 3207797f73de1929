"""From bytes, cut anywhere, to events."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pi_tui.decode import InputDecoder
from pi_tui.events import FocusEvent, KeyEvent, PasteEvent
from pi_tui.mouse import MouseReport
from pi_tui.replies import TerminalReply
from pi_tui.shift_key import find_shift_key
from tests.pi_tui.call_count import Calls
from tests.pi_tui.input_line import (
    BACKGROUND,
    PASTE_END,
    PASTE_START,
    REPLIES,
    Line,
    decode,
    text_of,
)

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
    assert text_of(decode(data[:cut], data[cut:])) == "é日👍"


def test_half_a_character_waits_and_is_then_replaced() -> None:
    line = Line()
    line.send(b"a\xe6\x97")
    assert line.text == "a"
    assert line.decoder.pending_timeout() == 0.05
    line.wait(0.06)
    line.send(b"b")
    assert line.text == "a\ufffdb"


def test_eight_bit_controls_are_not_typed() -> None:
    assert text_of(decode("a\x9b31mb\x85".encode())) == "a31mb"


# Escape and its timeout.


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({}, 0.010),
        ({"SSH_CONNECTION": "a b"}, 0.100),
        ({"SSH_TTY": "/dev/pts/1"}, 0.100),
        ({"SSH_TTY": "/dev/pts/1", "PI_TUI_ESC_TIMEOUT": "25"}, 0.025),
        ({"PI_TUI_ESC_TIMEOUT": "soon"}, 0.010),
        ({"PI_TUI_ESC_TIMEOUT": "0"}, 0.010),
        ({"PI_TUI_ESC_TIMEOUT": "-5"}, 0.010),
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


def test_enter_while_shift_is_held_down_where_the_terminal_does_not_tell() -> None:
    held = [False]
    decoder = InputDecoder({}, shift_key=lambda: held[0])
    for is_held, ids in ((False, ["enter", "alt+enter", "a"]), (True, ["shift+enter"] * 2 + ["a"])):
        held[0] = is_held
        events = decoder.feed(b"\r\x1b\ra")
        assert [event.id for event in events if isinstance(event, KeyEvent)] == ids


def test_shift_is_looked_at_in_apples_terminal_on_this_machine_only() -> None:
    def failing() -> Callable[[], int]:
        raise OSError("no such library")

    def reads(flags: int) -> Callable[[], Callable[[], int]]:
        return lambda: lambda: flags

    apple = {"TERM_PROGRAM": "Apple_Terminal"}
    down = find_shift_key(apple, platform="darwin", read_flags=reads(0x20102))
    up = find_shift_key(apple, platform="darwin", read_flags=reads(0x100))
    assert down is not None and down()
    assert up is not None and not up()
    for environ, platform in (
        ({**apple, "SSH_TTY": "/dev/pts/1"}, "darwin"),
        ({"TERM_PROGRAM": "iTerm.app"}, "darwin"),
        (apple, "linux"),
    ):
        assert find_shift_key(environ, platform=platform, read_flags=reads(0x20000)) is None
    assert find_shift_key(apple, platform="darwin", read_flags=failing) is None


def test_a_held_key_gives_press_repeats_and_release() -> None:
    events = decode(b"\x1b[97u\x1b[97;1:2u\x1b[97;1:2u\x1b[97;1:3u", kitty_active=True)
    assert [(e.kind, e.text) for e in events if isinstance(e, KeyEvent)] == [
        ("press", "a"),
        ("repeat", "a"),
        ("repeat", "a"),
        ("release", ""),
    ]


def test_a_report_and_the_character_it_doubles_are_one_key() -> None:
    assert text_of(decode(b"\x1b[97ua")) == "a"
    assert text_of(decode(b"\x1b[97u", b"a", b"a")) == "aa"
    assert text_of(decode(b"\x1b[97;1ub")) == "ab"
    assert text_of(decode(b"\x1b[97;2uA")) == "AA"
    assert text_of(decode(b"\x1b[97u\x1b[97;1:3ua")) == "aa"
    assert text_of(decode(b"\x1b[32u  ")) == "  "


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
    assert text_of(decode(data)) == "x" * len(REPLIES)


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


# What each byte may be searched for: the end of what it is in, and once more where that was cut.
EXAMINED = 2


@pytest.mark.parametrize(
    ("start", "filling", "end"),
    [
        (PASTE_START, b"0", PASTE_END),
        (PASTE_START, b"\x1b[201", PASTE_END),
        (b"\x1b]11;", b"0", b"\x07"),
        (b"\x1b]52;", b"0", b"\x1b\\"),
        (b"\x1b_G", b"0", b"\x1b\\"),
        (b"\x1bP>|", b"0", b"\x1b\\"),
        (b"\x1b[", b"1;", b"x"),
        (b"\x1bO", b"1", b"x"),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 4096])
def test_long_input_is_searched_once_however_it_is_cut(
    start: bytes, filling: bytes, end: bytes, size: int
) -> None:
    decoder = InputDecoder({})
    decoder.feed(start)
    reads = (filling * (5_000 // len(filling)) + end, b"x")
    data = b"".join(reads)
    with Calls() as calls:
        events = [
            event
            for begin in range(0, len(data), size)
            for event in decoder.feed(data[begin : begin + size])
        ]
    assert events[-1] == KeyEvent("x", "x")
    assert all(isinstance(event, (PasteEvent, TerminalReply)) for event in events[:-1])
    reads_made = len(data) // size + 1
    assert decoder.examined <= EXAMINED * len(data) + 8 * reads_made
    assert calls.count <= 40 * reads_made + 100


@pytest.mark.parametrize(
    ("key", "count"),
    [(b"\x1b[A", 1), ("é1\r".encode(), 3), (b"\x1b\x1b[A", 2), (b"\x1b[<35;2;3M", 1)],
)
def test_many_keys_in_one_read_are_searched_once(key: bytes, count: int) -> None:
    decoder = InputDecoder({})
    assert len(decoder.feed(key * 5_000)) == count * 5_000
    assert decoder.examined <= EXAMINED * len(key) * 5_000


@pytest.mark.parametrize("kitty_active", [False, True])
@pytest.mark.parametrize(
    "sequence",
    [
        "[?{}u",
        "[{}u",
        "[{}~",
        "[27;{};13~",
        "[97;1;{}u",
        "[<0;{};3M",
        "[6;{};3t",
        "[{};3R",
        "[1;{}A",
    ],
)
def test_numbers_without_end_are_no_keys_no_replies_and_take_no_time(
    sequence: str, kitty_active: bool
) -> None:
    data = b"\x1b" + sequence.format("9" * 5000).encode() + b"x"
    events = decode(data, kitty_active=kitty_active)
    assert text_of(events) == "x" and len(events) == 1
