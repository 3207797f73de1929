"""Formulas in plain characters: by the table of what people write, and whatever else comes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.latex import render_latex

INLINE = {
    "x^2": "x²",
    "x_{10}": "x₁₀",
    "x^{ab}": "xᵃᵇ",
    "x^{AB}": "x^(AB)",
    "x_{foo}": "x_foo",
    "x_Q": "x_Q",
    "x_i^2": "xᵢ²",
    "e^{-x^2}": "e^(-x²)",
    "f'(x)": "f′(x)",
    r"\frac{a}{b}": "a/b",
    r"\frac{a+b}{c}": "(a+b)/c",
    r"\frac{a}{bc}": "a/(bc)",
    r"\frac{1}{10}": "1/10",
    r"\frac12": "1/2",
    r"\frac{1}{x_1}": "1/x₁",
    r"\sqrt{x}": "√x",
    r"\sqrt{x+1}": "√(x+1)",
    r"\sqrt[3]{x}": "∛x",
    r"\sqrt[n]{x}": "ⁿ√x",
    r"\sum_{i=1}^n i": "∑ᵢ₌₁ⁿ i",
    r"\lim_{x \to 0} f(x)": "lim[x→0] f(x)",
    r"\int_0^1 x dx": "∫₀¹ x dx",
    r"2\sin x": "2 sin x",
    r"\sin(x)": "sin(x)",
    r"\sin^2\theta": "sin² θ",
    r"a\times b": "a × b",
    r"a \le b": "a ≤ b",
    "a=b": "a = b",
    "x:=1": "x := 1",
    r"\hat{x}": "x̂",
    r"\vec{v}": "v⃗",
    r"\hat{xy}": "hat(xy)",
    r"\mathbb{R}^n": "ℝⁿ",
    r"\text{if } x": "if x",
    r"\binom{n}{k}": "(n choose k)",
    r"\boxed{x}": "[x]",
    r"\pmod{5}": "(mod 5)",
    r"a \bmod b": "a mod b",
    r"\not=": "≠",
    r"\not\in": "∉",
    r"\overset{!}{=}": "=^!",
    r"\left(\frac{a}{b}\right.": "(a/b",
    r"a\,b\quad c~d\!e": "a b c de",
    r"\mathrm{d}x": "dx",
    r"\operatorname{rank} A": "rank A",
    r"2\alpha*b": "2α*b",
    r"\{a\}": "{a}",
    r"\begin{pmatrix}1&2\\3&4\end{pmatrix}": "(1 2; 3 4)",
}
DISPLAY = {
    r"\frac{a}{b}+1": ["a", "─+1", "b"],
    r"\frac{1}{1+\frac{1}{x}}": [" 1", "───", "  1", "1+─", "  x"],
    r"\sum_{i=1}^n i": [" n", " ∑  i", "i=1"],
    r"\lim_{x \to 0} f(x)": ["lim f(x)", "x→0"],
    r"\begin{pmatrix}1&2\\3&4\end{pmatrix}": ["⎛ 1 │ 2 ⎞", "⎝ 3 │ 4 ⎠"],
    r"\begin{bmatrix}1\\20\\3\end{bmatrix}x": ["⎡ 1  ⎤", "⎢ 20 ⎥x", "⎣ 3  ⎦"],
    r"\begin{cases}x & \text{if } x > 0 \\ 0 & \text{otherwise}\end{cases}": [
        "⎧ x if x > 0",
        "⎨",
        "⎩ 0 otherwise",
    ],
    r"\begin{aligned}a&=b \\[2pt] &=d\end{aligned}": ["a = b", "= d"],
    r"a \\ b": ["a", "b"],
    r"\int_0^1 x": ["∫₀¹ x"],
}
NOT_DRAWN = [
    r"\unknown",
    "{a",
    "a}",
    r"\frac{a}",
    r"\begin{tikz}x\end{tikz}",
    r"\begin{cases}a",
    r"\end{cases}",
    r"\begin{align}a\end{gather}",
    "x^",
    "x^2^3",
    "a & b",
    "\\",
    "{" * 200 + "x" + "}" * 200,
    r"\frac" * 200 + "1" * 201,
    r"\not" * 2000 + "=",
    r"\sqrt[" * 200 + "3" + "]2" * 200,
    r"\begin{matrix}" * 200 + "x" + r"\end{matrix}" * 200,
    r"\begin{matrix}" + "&" * 1000 + r"\\" * 1000 + r"x\end{matrix}",
    "x" * 10_001,
]


@pytest.mark.parametrize("source", INLINE)
def test_in_one_row(source: str) -> None:
    assert render_latex(source) == INLINE[source]


@pytest.mark.parametrize("source", DISPLAY)
def test_in_several_rows(source: str) -> None:
    drawn = render_latex(source, display=True)
    assert drawn is not None and drawn.split("\n") == DISPLAY[source]


@pytest.mark.parametrize("source", NOT_DRAWN, ids=lambda source: source[:20])
def test_what_cannot_be_drawn_is_left_as_it_is(source: str) -> None:
    assert render_latex(source) is None
    assert render_latex(source, display=True) is None


pieces = st.sampled_from(
    [*"abxyz012+-=()[]|'&~^_{}{} ", *INLINE, r"\\", r"\begin{pmatrix}", r"\end{pmatrix}", r"\left."]
)


@given(st.lists(pieces, max_size=25).map("".join), st.booleans())
def test_whatever_comes_is_drawn_or_left(source: str, display: bool) -> None:
    drawn = render_latex(source, display)
    assert drawn is None or display or "\n" not in drawn


@given(st.text(max_size=30))
def test_any_text_is_drawn_or_left(source: str) -> None:
    render_latex(source)
    render_latex(source, display=True)
