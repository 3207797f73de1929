"""Markdown: blocks, lists and quotes in each other, code, tables, text in Japanese."""

from __future__ import annotations

from pi_tui.components.markdown import Markdown
from pi_tui.markdown_theme import get_markdown_theme
from pi_tui.theme import Theme

_WORDS = """\
# A heading with `code`
Some **bold**, *slanted* and ~~struck~~ words, and [a link](https://example.org/page).

### Third level
---
"""
_LISTS = """\
1. One
   - nested, and long enough to go on in a second row
2. Two
- [ ] open
- [x] done
"""
_QUOTES = """\
> A quote with **bold** text and `code` in it
>
> - and a list
> > and a quote in it
"""
_CODE = """\
With code:
```python
def area(r: float) -> float:
    return 3.14 * r ** 2  # roughly
```
"""
_TABLE = """\
| Flag | What it does |
|---|---|
| `-v` | says more about what is going on |
| 日本 | wide |
"""
_FORMULAS = r"""
The roots of $ax^2 + bx + c = 0$ are

$$
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
$$

and \(\unknown{x}\) costs $5.

$$\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}$$
"""
_JAPANESE = "日本語の**「太字」**です。https://example.org/a。次の文は長いので折り返されます。"


def _markdown(theme: Theme, text: str) -> Markdown:
    return Markdown(text, 1, 0, get_markdown_theme(theme))


STORIES = {
    "empty": lambda theme: _markdown(theme, " \n"),
    "words": lambda theme: _markdown(theme, _WORDS),
    "lists": lambda theme: _markdown(theme, _LISTS),
    "quotes": lambda theme: _markdown(theme, _QUOTES),
    "code": lambda theme: _markdown(theme, _CODE),
    "table": lambda theme: _markdown(theme, _TABLE),
    "formulas": lambda theme: _markdown(theme, _FORMULAS),
    "japanese": lambda theme: _markdown(theme, _JAPANESE),
}
