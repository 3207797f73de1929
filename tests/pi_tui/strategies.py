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
