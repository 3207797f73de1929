"""Texts that are hard to measure and to cut, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

LETTERS = st.sampled_from(list("abcXYZ019.-/,"))
CLUSTERS = "日 本 한 あ カ 👨‍👩‍👧‍👦 👍🏽 🇩🇪 🇩 e\u0301 กำ नि क्ष ☀️ ☀ 1️⃣ ─ ö Ж ﾊﾟ ，"
PARTS_OF_CLUSTERS = "\u200b\u0301\u200d\u094d\ufe0f"
GRAPHEMES = st.sampled_from([*CLUSTERS.split(), *PARTS_OF_CLUSTERS])
SGR = ["0", "1", "22", "31", "39", "4", "24", "9", "29", "44", "49", "7", "91", "104"]
SGR += ["38;2;1;2;3", "48;5;17", "1;4;91"]
LINKS = ["\x1b]8;;http://a\x1b\\", "\x1b]8;id=1;http://b\x07", "\x1b]8;;\x1b\\"]
STYLES = st.sampled_from(["\x1b[m", *LINKS, *(f"\x1b[{codes}m" for codes in SGR)])
SPACES = st.sampled_from([" ", "  "])
NEWLINES = st.sampled_from(["\n", "\r\n", "\r"])

plain_words = st.lists(st.one_of(LETTERS, LETTERS, SPACES), max_size=40).map("".join)
plain_texts = st.lists(st.one_of(LETTERS, GRAPHEMES, SPACES), max_size=30).map("".join)
styled_lines = st.lists(st.one_of(LETTERS, LETTERS, GRAPHEMES, SPACES, STYLES), max_size=30).map(
    "".join
)
styled_texts = st.lists(
    st.one_of(LETTERS, LETTERS, GRAPHEMES, SPACES, STYLES, NEWLINES), max_size=30
).map("".join)

# What terminals draw, as odd as it comes: syllables in parts, sequences of emoji, marks, styles in every spelling.
_ODD_CLUSTERS = (
    "한 ᄒ ᄀ ㅎ ꥠ ｶ ᅟ 👩‍💻 🏳️‍🌈 👁️‍🗨️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🤦🏼‍♀️ 🏽 a🏽 ❤️‍🔥 ⌚︎ ☎︎ 1️ #️⃣ は\u3099 \u0600a \u00ad"
    " क्षि ক্ষ ខ្មែ က္က ລຳ שָׁ لا ﷺ 𒐫 𝒳 𓀀"
)
_ODD_STYLES = (
    "38:2::1:2:3 38:2:1:2:3 48:5:17 4:3 4:0 58:2::9:9:9 58;5;9 59 1;38;2;1;2;3;4;48;5;3 ;7 0;1;31 38;5;200;22"
    " 53 55 8 5 2;3 27 38;2;1;2;3 39;49"
)
_OTHER_SEQUENCES = (
    *("\x1b]8;id=a:b;http://c/?d=1;2\x1b\\", "\x1b]8;;http://é\x07", "\x1b]8;id=1;\x07"),
    *("\x1b]0;title\x07", "\x1b_x\x1b\\", "\x1bP1$r\x1b\\", "\x1b^x\x1b\\", "\x1b(B", "\x1b="),
)
_TERMINAL_PIECES = (
    LETTERS,
    LETTERS,
    st.sampled_from([*CLUSTERS.split(), *_ODD_CLUSTERS.split()]),
    SPACES,
    st.just("\t"),
    STYLES,
    st.sampled_from([*_OTHER_SEQUENCES, *(f"\x1b[{codes}m" for codes in _ODD_STYLES.split())]),
)
# What joins another character, where there is none: nobody knows where it shows, but it must not push anything.
_ORPHANS = st.sampled_from(
    "ᅡᆫힰퟋﾞ\u0600\U000e0061\u3099\u2060\u200b\u202e\u2066\ufeff" + PARTS_OF_CLUSTERS
)
terminal_lines = st.lists(st.one_of(*_TERMINAL_PIECES), max_size=24).map("".join)
terminal_texts = st.lists(st.one_of(*_TERMINAL_PIECES, NEWLINES), max_size=24).map("".join)
odd_texts = st.lists(st.one_of(*_TERMINAL_PIECES, NEWLINES, _ORPHANS), max_size=24).map("".join)
odd_lines = st.lists(st.one_of(*_TERMINAL_PIECES, _ORPHANS), max_size=24).map("".join)
