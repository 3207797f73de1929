"""A diff: what shows of two texts, where, and how much of it is made."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pi_tui.component_themes import DiffTheme
from pi_tui.components.diff_view import DiffView
from tests.pi_tui import look

MARKED = DiffTheme(changed=lambda text: f"<{text}>")
lines = st.lists(st.sampled_from("abcde"), max_size=12).map(
    lambda chosen: "".join(f"{c}\n" for c in chosen)
)


def rows(old: str, new: str, width: int = 60, context: int = 4) -> list[str]:
    """Return the rows as text."""
    shown = DiffView(old, new, MARKED, "unified", context).render(width)
    return ["".join(text for text, _ in look.read(row)) for row in shown]


@given(lines, lines)
def test_taking_the_rows_apart_gives_both_texts_back(old: str, new: str) -> None:
    shown = rows(old, new, context=100)
    if old == new:
        assert shown == ["No changes"]
        return
    signs = [(row.lstrip(" 0123456789")[:1], row[-1]) for row in shown]
    before = [text for sign, text in signs if sign != "+"]
    after = [text for sign, text in signs if sign != "-"]
    assert before == old.split() and after == new.split()


def test_only_words_of_lines_that_became_another_are_marked() -> None:
    assert rows("let x = 1\n", "let y = 1\n") == ["1 - let <x> = 1", "1 + let <y> = 1"]
    assert rows("one thing\n", "quite another\n") == ["1 - one thing", "1 + quite another"]
    long = "word " * 300
    assert "<" not in "".join(rows(f"{long}a\n", f"{long}b\n"))


def test_two_sides_stand_beside_each_other_from_a_hundred_columns_on() -> None:
    view = DiffView("same\nold\ngone\n", "same\nnew\n", MARKED)
    wide, narrow = view.render(101), view.render(99)
    assert wide[1] == f"2 - old{'':43}│2 + new"
    assert wide[2] == f"3 - gone{'':42}│"
    assert narrow[1:] == ["2 - old", "3 - gone", "2 + new"]


def test_counts() -> None:
    view = DiffView("a\nb\nc\n", "a\nB\nc\nd\n")
    assert (view.removed, view.added) == (1, 2)


def test_the_first_screen_of_a_long_diff_makes_no_more_than_that() -> None:
    made: list[str] = []

    def note(text: str) -> str:
        made.append(text)
        return text

    view = DiffView(
        "".join(f"{n}\n{n % 7}\n" for n in range(5_000)), "1\n" * 10, DiffTheme(removed=note)
    )
    assert view.measure(40) is None
    shown = view.render_rows(40, 0, 30)
    assert len(made) < 40
    assert len(shown) == 30 and view.estimate(40) > 30
    everything = view.render(40)
    assert everything[:30] == shown and view.measure(40) == len(everything)
    assert view.render(40) is everything
