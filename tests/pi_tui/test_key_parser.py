"""What each piece of keyboard input is called."""

from __future__ import annotations

import pytest

from pi_tui.events import KeyEvent
from pi_tui.key_parser import is_kitty_protocol_active, parse_key, set_kitty_protocol_active

LEGACY = [
    # bytes, id, also, id with reports, also with reports
    (b"\x0d", "enter", "ctrl+m", "enter", "ctrl+m"),
    (b"\x0a", "ctrl+j", "enter", "ctrl+j", "shift+enter"),
    (b"\x09", "tab", "ctrl+i", "tab", "ctrl+i"),
    (b"\x1b", "escape", "ctrl+[", "escape", "ctrl+["),
    (b"\x00", "ctrl+space", "", "ctrl+space", ""),
    (b"\x7f", "backspace", "", "backspace", ""),
    (b"\x08", "backspace", "ctrl+h", "backspace", "ctrl+h"),
    (b"\x01", "ctrl+a", "", "ctrl+a", ""),
    (b"\x1a", "ctrl+z", "", "ctrl+z", ""),
    (b"\x1c", "ctrl+\\", "", "ctrl+\\", ""),
    (b"\x1d", "ctrl+]", "", "ctrl+]", ""),
    (b"\x1e", "ctrl+^", "", "ctrl+^", ""),
    (b"\x1f", "ctrl+-", "ctrl+_", "ctrl+-", "ctrl+_"),
    (b"P", "shift+p", "", "shift+p", ""),
    (b"\x1b\x0d", "alt+enter", "ctrl+alt+m", "shift+enter", ""),
    (b"\x1b\x7f", "alt+backspace", "", "alt+backspace", ""),
    (b"\x1b\x08", "alt+backspace", "ctrl+alt+h", "alt+backspace", ""),
    (b"\x1bb", "alt+left", "alt+b", "alt+left", ""),
    (b"\x1bf", "alt+right", "alt+f", "alt+right", ""),
    (b"\x1bp", "alt+up", "alt+p", "alt+up", ""),
    (b"\x1bn", "alt+down", "alt+n", "alt+down", ""),
    (b"\x1bB", "alt+left", "shift+alt+b", None, ""),
    (b"\x1bF", "alt+right", "shift+alt+f", None, ""),
    (b"\x1b ", "alt+space", "", None, ""),
    (b"\x1bx", "alt+x", "", None, ""),
    (b"\x1bX", "shift+alt+x", "", None, ""),
    (b"\x1b7", "alt+7", "", None, ""),
    (b"\x1b?", "alt+?", "", None, ""),
    (b"\x1b\x01", "ctrl+alt+a", "", None, ""),
    (b"\x1b\x1c", "ctrl+alt+\\", "", None, ""),
    (b"\x1b\x1d", "ctrl+alt+]", "", None, ""),
    (b"\x1b\x1f", "ctrl+alt+-", "", None, ""),
    (b"\x1b\x1b", "ctrl+alt+[", "", "ctrl+alt+[", ""),
]


@pytest.mark.parametrize(("data", "plain", "also", "reported", "reported_also"), LEGACY)
def test_legacy_bytes(
    data: bytes, plain: str, also: str, reported: str | None, reported_also: str
) -> None:
    event = parse_key(data, kitty_active=False)
    assert event is not None
    assert (event.id, " ".join(event.also), event.kind) == (plain, also, "press")
    event = parse_key(data, kitty_active=True)
    assert (event and event.id) == reported
    assert event is None or " ".join(event.also) == reported_also


SEQUENCES = {
    "up": "[A OA",
    "down": "[B OB",
    "right": "[C OC",
    "left": "[D OD",
    "home": "[H OH [1~ [7~",
    "end": "[F OF [4~ [8~",
    "insert": "[2~",
    "delete": "[3~",
    "pageUp": "[5~ [[5~",
    "pageDown": "[6~ [[6~",
    "clear": "[E OE",
    "f1": "OP [11~ [[A [P",
    "f2": "OQ [12~ [[B [Q",
    "f3": "OR [13~ [[C",
    "f4": "OS [14~ [[D [S",
    "f5": "[15~ [[E",
    "f6": "[17~",
    "f7": "[18~",
    "f8": "[19~",
    "f9": "[20~",
    "f10": "[21~",
    "f11": "[23~",
    "f12": "[24~",
    "enter": "OM [13u [57414u [13;1u",
    "shift+tab": "[Z [9;2u",
    "shift+up": "[a [1;2A",
    "ctrl+down": "Ob [1;5B",
    "shift+clear": "[e",
    "ctrl+clear": "Oe",
    "shift+home": "[7$ [1;2H",
    "ctrl+end": "[8^ [1;5F",
    "shift+insert": "[2$ [2;2~",
    "ctrl+pageUp": "[5^ [5;5~ [5;69~ [5;133~",
    "alt+f1": "[1;3P",
    "ctrl+shift+alt+super+f4": "[1;16S",
    "shift+enter": "[13;2u [27;2;13~ [13;2~",
    "ctrl+shift+p": "[112;6u [112:80;6u [80;6u [27;6;80~ [112;70u [112;134u",
    "ctrl+c": "[99;5u [27;5;99~ [1089::99;5u [1089:1057:99;5u",
    "ctrl+k": "[107::118;5u",
    "super+k": "[107;9u",
    "shift+escape": "[27;2u",
    "ctrl+backspace": "[127;5u [27;5;127~",
    "ctrl+left": "[57417;5u",
    "5": "[57404u",
    "*": "[57411u",
    "ctrl++": "[61:43;6u [57413;5u",
}


@pytest.mark.parametrize("key_id", SEQUENCES)
def test_sequences(key_id: str) -> None:
    for sequence in SEQUENCES[key_id].split():
        for kitty_active in (False, True):
            event = parse_key(b"\x1b" + sequence.encode(), kitty_active=kitty_active)
            assert event is not None, sequence
            assert (event.id, event.kind) == (key_id, "press"), sequence


@pytest.mark.parametrize(
    ("data", "event"),
    [
        (b"[97;1:3u", KeyEvent("a", "", "release")),
        (b"[97;1:2u", KeyEvent("a", "a", "repeat")),
        (b"[97;2u", KeyEvent("shift+a", "A")),
        (b"[97:65;2u", KeyEvent("shift+a", "A")),
        (b"[32u", KeyEvent("space", " ")),
        (b"[32;2u", KeyEvent("shift+space", " ")),
        (b"[32;5u", KeyEvent("ctrl+space")),
        (b"[1;5:2A", KeyEvent("ctrl+up", kind="repeat")),
        (b"[1;1:3A", KeyEvent("up", kind="release")),
        (b"[5;1:3~", KeyEvent("pageUp", kind="release")),
        (b"[13;2~", KeyEvent("shift+enter", also=("shift+f3",))),
        (b"[61:43;6u", KeyEvent("ctrl++", also=("ctrl+shift+=",))),
        (b"[49:33;2u", KeyEvent("!", "!", also=("shift+1",))),
        (b"[27;2;33~", KeyEvent("!", "!", also=("shift+!",))),
        (b"[27;2;47~", KeyEvent("shift+/", "/")),
        (b"[1089::99u", KeyEvent("c", "с")),
        (b"[1089:1057:99;2u", KeyEvent("shift+c", "С")),
        (b"[1103u", KeyEvent("я", "я")),
        (b"[97;65u", KeyEvent("a", "a")),
        (b"[99;69u", KeyEvent("ctrl+c")),
        (b"[97;3u", KeyEvent("alt+a")),
        (b"[57399u", KeyEvent("0", "0")),
        (b"[57399;129u", KeyEvent("0", "0")),
        (b"[97;1;97u", KeyEvent("a", "a")),
        (b"[97;;228u", KeyEvent("a", "ä")),
    ],
)
def test_reports_have_text_and_kind(data: bytes, event: KeyEvent) -> None:
    assert parse_key(b"\x1b" + data, kitty_active=True) == event


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"ab", b"\xff", b"\xc2\x9b", b"\x1b\x00", b"\x1b]11;x\x07", b"\x1b\x1b[A"),
        *(b"\x1b[97;17u", b"\x1b[97;33u", b"\x1b[57442u", b"\x1b[57376u", b"\x1b[63743u"),
        *(b"\x1b[55296u", b"\x1b[9999999u", b"\x1b[1u", b"\x1b[97;1:4u", b"\x1b[1;2R", b"\x1b[25~"),
        *(b"\x1b[I", b"\x1b[200~", b"\x1b[99X", b"\x1b[" + b"1" * 9000 + b"u"),
    ],
)
def test_what_is_no_key_has_no_name(data: bytes) -> None:
    assert parse_key(data, kitty_active=False) is None
    assert parse_key(data, kitty_active=True) is None


def test_a_cluster_is_one_key() -> None:
    event = parse_key("👍🏽".encode())
    assert event == KeyEvent("👍🏽", "👍🏽")


def test_ctrl_backspace_in_a_local_windows_terminal() -> None:
    event = parse_key(b"\x08", windows_terminal=True)
    assert event == KeyEvent("ctrl+backspace", also=("ctrl+h",))


def test_the_protocol_can_be_set_for_all() -> None:
    assert not is_kitty_protocol_active()
    try:
        set_kitty_protocol_active(True)
        event = parse_key(b"\x1b\r")
        assert event is not None
        assert event.id == "shift+enter"
    finally:
        set_kitty_protocol_active(False)
