"""`Text` keeps its contract at any width, also while it grows."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.components.text import Text
from pi_tui.width import visible_width

words = st.text(alphabet=st.sampled_from("ab  \n\t日本👍🏽é-.,"), max_size=60)


def test_padding_surrounds_the_wrapped_rows() -> None:
    rows = Text("hello world foo", 1, 1).render(10)
    assert rows == [" " * 10, " hello    ", " world    ", " foo      ", " " * 10]


def test_a_narrow_width_takes_the_padding_first() -> None:
    assert Text("ab", 1, 0).render(2) == ["ab"]
    assert Text("ab", 5, 0).render(1) == ["a", "b"]


def test_blank_text_takes_no_rows_and_no_padding() -> None:
    assert Text("", 1, 1).render(10) == []
    assert Text("  \n ", 1, 1).render(10) == []


def test_the_same_list_comes_back_while_nothing_changed() -> None:
    text = Text("one two", 0, 0)
    rows = text.render(5)
    assert text.render(5) is rows
    text.set_text("one two")
    assert text.render(5) is rows
    text.set_text("one two three")
    assert text.render(5) is not rows


def test_a_background_whose_colour_changed_is_seen_without_invalidate() -> None:
    code = "44"
    text = Text("a", 0, 0, lambda line: f"\x1b[{code}m{line}\x1b[49m")
    assert "\x1b[44m" in text.render(3)[0]
    code = "45"
    assert "\x1b[45m" in text.render(3)[0]


@settings(max_examples=150)
@given(words, st.integers(1, 30), st.integers(0, 3))
def test_every_row_has_exactly_the_width(text: str, width: int, padding: int) -> None:
    for row in Text(text, padding, 1).render(width):
        assert visible_width(row) == width


@settings(max_examples=200)
@given(st.lists(words, min_size=1, max_size=8), st.integers(1, 14))
def test_growing_text_gives_the_rows_of_the_whole(pieces: list[str], width: int) -> None:
    growing = Text("", 0, 0)
    so_far = ""
    for piece in pieces:
        so_far += piece
        growing.set_text(so_far)
        assert growing.render(width) == Text(so_far, 0, 0).render(width)


def test_a_token_makes_a_row_of_a_long_text_again_not_all_of_it() -> None:
    view = Text("", 1, 0)
    so_far = ""
    rows: list[str] = []
    for number in range(2000):
        so_far += f"word{number} "
        view.set_text(so_far)
        before, rows = rows, view.render(80)
        made = sum(1 for old, new in zip(before, rows, strict=False) if old is not new)
        assert made <= 1 and len(rows) - len(before) <= 1
    assert len(rows) > 200


def test_a_style_is_put_on_the_text_of_each_row_and_not_on_the_padding() -> None:
    text = Text("one two three", 1, 0, style=lambda line: f"<{line}>")
    assert text.render(12) == [" <one two>  ", " <three>    "]


@settings(max_examples=60)
@given(st.lists(words, min_size=1, max_size=6), st.integers(2, 14))
def test_growing_styled_text_gives_the_rows_of_the_whole(pieces: list[str], width: int) -> None:
    def style(line: str) -> str:
        return f"\x1b[3m{line}\x1b[23m"

    growing = Text("", 1, 1, style=style)
    so_far = ""
    for piece in pieces:
        so_far += piece
        growing.set_text(so_far)
        assert growing.render(width) == Text(so_far, 1, 1, style=style).render(width)
