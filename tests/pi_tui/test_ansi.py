"""Escape sequences: found, stripped, made safe, and followed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.ansi import (
    AnsiState,
    get_active_background,
    hyperlink,
    replace_control_characters,
    sanitize_output,
    split_sequences,
    split_unfinished,
    strip_terminal_sequences,
)
from tests.pi_tui.look import end_look, read
from tests.pi_tui.strategies import styled_lines

CASES = settings(max_examples=100)
SEQUENCES = [
    "\x1b[31m",
    "\x1b[2K",
    "\x1b[?25l",
    "\x1b[>4;2m",
    "\x1b[3;4H",
    "\x1b]0;title\x07",
    "\x1b]8;;http://x\x1b\\",
    "\x1bP1;2q#0\x1b\\",
    "\x1b^note\x1b\\",
    "\x1b_pi:c\x07",
    "\x1b(B",
    "\x1b7",
    "\x1bM",
    "\x1b#8",
]
# What a hostile or broken program writes, in pieces of any length.
NOISE = st.lists(
    st.one_of(
        st.sampled_from(["\x1b", "\x1b[", "\x1b]", "\x1b\\", "\x1bP", "\x1b[31m"]),
        st.sampled_from("\x07\x08\x9b\x9c\x9d\x7f\x00\ud800"),
        st.sampled_from("am1;?[]\\\n\t\r日"),
    ),
    max_size=14,
).map("".join)


def state_after(text: str) -> AnsiState:
    state = AnsiState()
    state.feed_all(text)
    return state


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_a_complete_sequence_is_one_and_is_stripped(sequence: str) -> None:
    assert list(split_sequences(f"a{sequence}b")) == [(False, "a"), (True, sequence), (False, "b")]
    assert strip_terminal_sequences(f"a{sequence}b") == "ab"


def test_stripping_keeps_controls_that_are_no_sequence() -> None:
    assert strip_terminal_sequences("a\x07b\x08\tc\n\x1b") == "a\x07b\x08\tc\n\x1b"


@CASES
@given(NOISE)
def test_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(piece for _, piece in split_sequences(text)) == text


def test_a_run_of_controls_becomes_one_space() -> None:
    assert replace_control_characters("a\n\x1b\x07b") == "a b"
    assert replace_control_characters("a\x7f\x9bb c") == "a b c"


def test_a_link_has_no_controls_in_its_target() -> None:
    assert hyperlink("text", "http://x/\x1b\\\x07\x9c1") == (
        "\x1b]8;;http://x/\\1\x1b\\text\x1b]8;;\x1b\\"
    )


# Untrusted text


@CASES
@given(NOISE)
def test_nothing_but_styles_newlines_and_tabs_is_left_of_controls(text: str) -> None:
    safe = sanitize_output(text)
    rest = re.sub(r"\x1b\[[0-9;:]*m", "", safe)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", rest)


@CASES
@given(NOISE)
def test_safe_text_stays_as_it_is(text: str) -> None:
    safe = sanitize_output(text)
    assert sanitize_output(safe) == safe


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"),
        ("\x1b[mplain", "\x1b[0mplain"),
        ("\x1b[01;34mdir\x1b[22m", "\x1b[1;34mdir\x1b[22m"),
        ("\x1b[38;5;9;48;2;1;2;3mx", "\x1b[38;5;9;48;2;1;2;3mx"),
        ("\x1b[38:2::1:2:3mx", "\x1b[38:2::1:2:3mx"),
        ("\x1b[8mhidden\x1b[28m", "hidden\x1b[28m"),
        ("\x1b[>4;2mx\x1b[?25lx\x1b[=1ux", "xxx"),
        ("\x1b[2J\x1b[Hx", "x"),
        ("\x1b]0;title\x07x\x1b]52;c;aGk=\x1b\\x", "xx"),
        ("\x1b]8;;http://evil\x1b\\x\x1b]8;;\x1b\\", "x"),
        ("\x1bPq#0\n-\x1b\\x\x1b_Ga=d\x1b\\x\x1b^n\x1b\\x\x1bXs\x1b\\x", "xxxx"),
        ("\x9b31mx\x9d0;t\x9cx\x90q\x9cx", "xxx"),
        ("a\x1bcb\x1b(Bc\x1b7d", "abcd"),
        ("a\x07\x08\x0e\x7fb", "ab"),
        ("\ud83d!", "\ufffd!"),
        ("cut\x1b[3", "cut"),
        ("cut\x1b]8;;http", "cut"),
        ("cut\x1b", "cut"),
        ("a\x1b]never ended\nnext", "a\nnext"),
        ("a\x1bPnever ended\nnext", "a\nnext"),
        ("a\x1b]aborted\x1b[31mb", "a\x1b[31mb"),
    ],
)
def test_untrusted_text_keeps_its_colours_and_no_other_control(text: str, safe: str) -> None:
    assert sanitize_output(text) == safe


def test_styles_of_untrusted_text_look_as_before() -> None:
    text = (
        "\x1b[1;3mab\x1b[22;91mcd\x1b[4;23mef\x1b[24;39mg\x1b[48;5;17mh\x1b[49mi\x1b[2mj\x1b[22mk"
    )
    assert read(sanitize_output(text + "\x07")) == read(text)


@CASES
@given(NOISE, st.lists(st.integers(0, 14), max_size=4))
def test_text_in_pieces_is_as_safe_as_whole(text: str, cuts: list[int]) -> None:
    pieces = []
    position = 0
    for cut in sorted(cuts):
        pieces.append(text[position:cut])
        position = max(position, cut)
    pieces.append(text[position:])
    result = rest = ""
    for piece in pieces:
        done, rest = split_unfinished(rest + piece)
        result += sanitize_output(done)
    assert result + sanitize_output(rest) == sanitize_output(text)


def test_a_colour_cut_between_two_pieces_leaves_no_stray_m() -> None:
    done, rest = split_unfinished("ab\x1b[3")
    assert sanitize_output(done) == "ab"
    done, rest = split_unfinished(rest + "1mcd")
    assert (sanitize_output(done), rest) == ("\x1b[31mcd", "")


def test_a_string_that_never_ends_is_not_waited_for_for_ever() -> None:
    text = "\x1b]" + "x" * 100_000
    assert split_unfinished(text) == (text, "")


@pytest.mark.parametrize(
    "piece", ["\x1b]", "\x1bP\n", "\x90\n", "\x9d", "\x9b1", "\x1b[1", "\x1b "]
)
def test_a_text_full_of_beginnings_is_read_once(piece: str) -> None:
    """Read again for each beginning, these would take minutes."""
    text = piece * 200_000 + "\x07x"
    assert sanitize_output(text).strip("\n") == "x"
    assert split_unfinished(text) == (text, "")
    assert strip_terminal_sequences(text).endswith("x")


# State


@CASES
@given(styled_lines)
def test_opening_codes_lead_to_the_same_look_and_closing_codes_to_none(line: str) -> None:
    state = state_after(line)
    assert end_look(state.open_codes()) == end_look(line)
    assert end_look(line + state.close_codes()) == ""
    assert bool(state) == bool(end_look(line))
    assert state_after(state.open_codes()) == state


@CASES
@given(styled_lines)
def test_a_line_end_keeps_colours_and_ends_links_and_lines(line: str) -> None:
    words = end_look(line).split()
    ended = end_look(line + state_after(line).line_end_codes()).split()
    assert ended == [w for w in words if w not in ("underline", "strike") and "link=" not in w]


@CASES
@given(styled_lines)
def test_the_active_background_is_that_of_the_last_cell(line: str) -> None:
    looks = end_look(get_active_background(line)).split()
    assert looks == [word for word in end_look(line).split() if word.startswith("bg=")]


def test_a_reset_does_not_end_a_link() -> None:
    state = state_after("\x1b[1m\x1b]8;;http://x\x07\x1b[0m")
    assert state.link == "http://x"
    assert state.open_codes() == "\x1b]8;;http://x\x07"
    assert state.close_codes() == "\x1b]8;;\x07"


def test_a_link_keeps_its_parameters_and_its_terminator() -> None:
    state = state_after("\x1b]8;id=7;http://x;y\x1b\\")
    assert state.open_codes() == "\x1b]8;id=7;http://x;y\x1b\\"
    assert state.link == "http://x;y"
    assert state.close_codes() == "\x1b]8;;\x1b\\"


@pytest.mark.parametrize(
    ("codes", "opened"),
    [
        ("\x1b[1m\x1b[21m", ""),
        ("\x1b[1;2m\x1b[22m", ""),
        ("\x1b[4:3m", "\x1b[4:3m"),
        ("\x1b[4:3m\x1b[4:0m", ""),
        ("\x1b[58;5;1m", "\x1b[58;5;1m"),
        ("\x1b[38;5;1;1m", "\x1b[38;5;1;1m"),
        ("\x1b[31m\x1b[38;5m", "\x1b[31m"),
        ("\x1b[97;107m", "\x1b[97;107m"),
        ("\x1b[98;108;12m", ""),
        ("\x1b[?1m", ""),
    ],
)
def test_codes_are_understood_as_terminals_do(codes: str, opened: str) -> None:
    assert state_after(codes).open_codes() == opened


def test_a_copy_goes_its_own_way() -> None:
    state = state_after("\x1b[1m")
    other = state.copy()
    other.feed("\x1b[31m")
    assert (state.open_codes(), other.open_codes()) == ("\x1b[1m", "\x1b[1;31m")


def test_only_styles_and_links_change_the_state() -> None:
    state = AnsiState()
    assert state.feed("\x1b[31m")
    assert state.feed("\x1b]8;;u\x07")
    assert not state.feed("\x1b_pi:c\x07")
    assert state.feed_all("a\x1b[1mb\x1b_pi:c\x07c\x1b[2K") == "\x1b_pi:c\x07\x1b[2K"
