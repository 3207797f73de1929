"""Whatever comes, cut anywhere and with any pauses: nothing fails, nothing is lost, no reply is typed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.decode import Decoded
from pi_tui.events import KeyEvent, PasteEvent
from tests.pi_tui.input_line import (
    PASTE_END,
    PASTE_START,
    REPLIES,
    Line,
    decode,
)


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
    assert line.decoder.examined <= 4 * (len(data) + 8 * len(cuts)) + 8
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


# What terminals say that nobody asked for, or that means nothing here.
UNASKED = [
    *(
        b"\x1b[>0;10;1c",
        b"\x1b[=1;2c",
        b"\x1bP!|00000000\x1b\\",
        b"\x1b[0n",
        b"\x1b[8;24;80t",
        b"\x1b[?1;0;256S",
    ),
    *(
        b"\x1b]52;c;aGk=\x07",
        b"\x1b]0;title\x1b\\",
        b"\x1bP0$r\x1b\\",
        b"\x1b[?7;2$y",
        b"\x1b_x\x1b\\",
    ),
    *(b"\x1b[57441;1:1u", b"\x1b[57358u", b"\x1b[97;17u", b"\x1b]99;i=1;x\x07", b"\x1b[?2031;1$y"),
]
KEYS = {
    b"a": "a",
    b"Z": "shift+z",
    b" ": "space",
    b"\r": "enter",
    b"\x03": "ctrl+c",
    "é".encode(): "é",
    "👍".encode(): "👍",
    b"\x1bx": "alt+x",
    b"\x1b[A": "up",
    b"\x1bOP": "f1",
    b"\x1b[[5~": "pageUp",
    b"\x1b[3;5~": "ctrl+delete",
    b"\x1b[97;5u": "ctrl+a",
    b"\x1b[1089::99;5u": "ctrl+c",
    b"\x1b[112:80;6:2u": "ctrl+shift+p",
    b"\x1b[27;6;80~": "ctrl+shift+p",
    b"\x1b[98;2:1;66u": "shift+b",
    b"\x1b[99;1:3u": "c",
    b"\x1b[57400u": "1",
    b"\x1b[13;2u": "shift+enter",
}
between = st.sampled_from(
    [*UNASKED, *REPLIES, b"\x1b[<35;2;3M", b"\x1b[M !!", b"\x1b[I", b"\x1b[O"]
)


@settings(max_examples=200)
@given(st.lists(st.one_of(st.sampled_from(list(KEYS)), between), max_size=14), cut_lists)
def test_no_key_is_lost_among_what_the_terminal_says(stream: list[bytes], cuts: list[int]) -> None:
    line = Line()
    for read in _cut(b"".join(stream), cuts):
        line.send(read)
    assert line.keys == [KEYS[item] for item in stream if item in KEYS]


@settings(max_examples=100)
@given(st.lists(between, min_size=1, max_size=6), st.binary(max_size=30), cut_lists)
def test_a_paste_comes_whole_and_alone_among_what_the_terminal_says(
    others: list[bytes], pasted: bytes, cuts: list[int]
) -> None:
    pasted = pasted.replace(b"\x1b[201~", b"")
    data = b"".join([*others, PASTE_START, pasted, PASTE_END, *others, b"x"])
    line = Line()
    for read in _cut(data, cuts):
        line.send(read)
    pastes = [event.text for event in line.events if isinstance(event, PasteEvent)]
    assert (pastes, line.keys) == ([pasted.decode("utf-8", "replace")], ["x"])
