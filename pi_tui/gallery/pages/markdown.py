"""Formatted text, also while it arrives."""

from __future__ import annotations

from pi_tui import get_markdown_theme
from pi_tui.components import Markdown, MarkdownOptions, Spacer, VStack
from pi_tui.gallery.button import Button
from pi_tui.gallery.page import Page, Piece, Stage

_TEXT = r"""
# Markdown

Text with **bold**, *italic*, ~~struck~~ and `code`, and [a link](https://example.org/a).

- a list, 日本語の項目
  1. with numbers
  2. inside of it
- [x] and tasks

> A quote goes on
> for some rows.

| Table | Cells wrap |
|---|---:|
| left | and keep to their side |
| 世界 | 12 |

```python
def greet(name: str) -> str:
    return f"hello {name}"  # coloured as code
```

The roots of $ax^2 + bx + c = 0$ are

$$
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
$$

---
""".lstrip()
_PIECE = 7
_SECONDS = 0.03


class Stream:
    """A text that arrives in pieces."""

    def __init__(self, stage: Stage, view: Markdown) -> None:
        self._stage = stage
        self._view = view
        self._end = len(_TEXT)

    def start(self) -> None:
        """Begin at the beginning."""
        is_waiting, self._end = self._end < len(_TEXT), 0
        if not is_waiting:
            self._go_on()

    def stop(self) -> None:
        """Let it have arrived."""
        self._end = len(_TEXT)

    def _go_on(self) -> None:
        self._end += _PIECE
        # Text that begins as before is parsed from where it may have changed.
        self._view.set_text(_TEXT[: self._end])
        self._stage.tui.request_render()
        if self._end < len(_TEXT):
            self._stage.tui.call_later(_SECONDS, self._go_on)


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    view = Markdown(
        _TEXT, 0, 0, get_markdown_theme(stage.theme), options=MarkdownOptions(hyperlinks=True)
    )
    stream = Stream(stage, view)
    button = Button("Let it arrive once more", stream.start, stage.theme)
    return Piece(VStack([button, Spacer(), view]), focus=(button,), close=stream.stop)


PAGE = Page(
    "Markdown",
    "Answers of a model, help texts, notes. What has arrived is not parsed again when more comes.",
    build,
    ("Markdown", "MarkdownOptions", "get_markdown_theme", "render_latex"),
)
