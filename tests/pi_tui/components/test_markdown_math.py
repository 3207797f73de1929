"""Formulas in Markdown: what is one, what only looks like one, and what arrives piece by piece."""

from __future__ import annotations

import pytest

from pi_tui.components.markdown import Markdown, MarkdownOptions
from tests.pi_tui.components.hands import plain
from tests.pi_tui.markdown_looks import slot_theme


def shown(text: str, width: int = 60, *, render_latex: bool = True) -> list[str]:
    options = MarkdownOptions(render_latex=render_latex)
    return [
        row.rstrip()
        for row in plain(Markdown(text, 0, 0, slot_theme(), None, options).render(width))
    ]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("so $x^2$ and $$y^2$$", "so x² and y²"),
        (r"so \(x^2\) and \[y^2\] too", "so x² and y² too"),
        ("cost $5 and $6", "cost $5 and $6"),
        ("$5-$10, $ 5$, $5 $", "$5-$10, $ 5$, $5 $"),
        ("$a$b", "ab"),
        ("$FOO$BAR", "$FOO$BAR"),
        ("`$x^2$` and $`x`$", "$x^2$ and $x$"),
        (r"\$x^2\$", "$x^2$"),
        (r"$\unknown_a b_c$ and $x^{$", r"$\unknown_a b_c$ and $x^{$"),
        ("**$x_i$** is _$y_i$_", "xᵢ is yᵢ"),
        ("| $x^2$ |\n|---|", "│ x² │"),
        (r"\[not a link\](x)", r"not a link(x)"),
        (r"see \[a](b)", "see [a](b)"),
        ("put $HOME/bin:$PATH there", "put $HOME/bin:$PATH there"),
        ("in $dir/$name, $c->d($e)", "in $dir/$name, $c->d($e)"),
        ("the $n$th of $N$-1 $X_i$", "the nth of N-1 Xᵢ"),
        (r"not yet \(x^2", r"not yet \(x^2"),
        (r"nor \[ x^2", r"nor \[ x^2"),
    ],
)
def test_in_a_line(text: str, row: str) -> None:
    rows = shown(text)
    assert row in rows


@pytest.mark.parametrize(
    "text", ["$$\n\\frac{a}{b}\n$$", "$$\\frac{a}{b}$$", "\\[\n\\frac{a}\n{b}\\]"]
)
def test_a_block_is_drawn_in_rows(text: str) -> None:
    assert shown(text) == ["a", "─", "b"]
    assert shown(f"before\n{text}\nafter") == ["before", "", "a", "─", "b", "", "after"]
    assert shown("\n".join(f"> {line}" for line in text.split("\n"))) == ["│ a", "│ ─", "│ b"]


def test_a_block_holds_what_would_be_a_list_and_no_blank_line() -> None:
    assert shown("$$\na\n- b\n$$") == ["a - b"]
    assert shown("$$\na\n\n- b") == ["$$", "a", "", "- b"]


def test_a_table_ends_a_block() -> None:
    assert shown("$$\na\n| b | c |\n|---|---|\n| 1 | 2 |")[:4] == ["$$", "a", "", "┌───┬───┐"]


def test_what_is_too_wide_or_not_known_stays_as_it_was_written() -> None:
    source = r"$$\begin{pmatrix}1 & 2\end{pmatrix}$$"
    assert shown(source) == ["( 1 │ 2 )"]
    assert "".join(shown(source, 8)).replace(" ", "") == source.replace(" ", "")
    assert shown("$$\n\\unknown\n$$") == ["$$", r"\unknown", "$$"]


def test_formulas_can_be_left_alone() -> None:
    assert shown("so $x^2$", render_latex=False) == ["so $x^2$"]
    assert shown("$$\n- a\n$$", render_latex=False) == ["$$", "- a", "  $$"]


def test_many_delimiters_without_end_take_no_time() -> None:
    view = Markdown("$a " * 20_000 + "\\(" * 20_000, 0, 0, slot_theme())
    assert "$a" in "".join(view.render(80))
