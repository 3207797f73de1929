"""How findings are laid out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pi_agent.cli.doctor.finding import LEVELS, Finding
from pi_agent.cli.doctor.report import ASCII_SIGNS, SIGNS, report_rows
from pi_tui.width import visible_width

FINDINGS = [
    Finding("keys", "no provider can be asked yet", "warning", "Set a key."),
    Finding("terminal", "日本語ターミナル 80x24"),
    Finding("logs", "/var: read-only file system", "broken", "Make it writable."),
]


@given(
    st.lists(st.tuples(st.sampled_from(LEVELS), st.text(), st.text()), max_size=3),
    st.integers(1, 100),
)
def test_no_row_is_wider_than_the_terminal(rows: list[tuple[str, str, str]], width: int) -> None:
    findings = [
        Finding("keys", text, next(each for each in LEVELS if each == level), advice)
        for level, text, advice in rows
    ]
    for marks in (SIGNS, SIGNS.colored(), ASCII_SIGNS):
        shown = report_rows(findings, width, marks)
        assert all(visible_width(row) <= width for row in shown)


def test_names_have_a_column_where_there_is_room() -> None:
    assert report_rows(FINDINGS, 60) == [
        "! keys         no provider can be asked yet",
        "               → Set a key.",
        "✓ terminal     日本語ターミナル 80x24",
        "✗ logs         /var: read-only file system",
        "               → Make it writable.",
        "1 thing is broken, 1 warning.",
    ]


def test_in_a_narrow_terminal_rows_hang_below_their_sign() -> None:
    assert report_rows(FINDINGS, 24) == [
        "! keys: no provider can",
        "  be asked yet",
        "  → Set a key.",
        "✓ terminal: 日本語ターミ",
        "  ナル 80x24",
        "✗ logs: /var: read-only",
        "  file system",
        "  → Make it writable.",
        "1 thing is broken, 1",
        "warning.",
    ]


def test_nothing_reaches_the_terminal_that_it_would_act_on() -> None:
    rows = report_rows([Finding("terminal", "evil\x1b]0;title\x07\nname", "note", "\x1b[2J")], 80)
    assert "\x1b" not in "".join(rows)
    assert len(rows) <= 3
