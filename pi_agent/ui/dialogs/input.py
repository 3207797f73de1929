"""A question that is answered with a line of text, in the editor's place."""

from __future__ import annotations

import time
from collections.abc import Callable

from pi_agent.ui.dialogs.frame import frame
from pi_agent.ui.dialogs.stray_input import StrayInput
from pi_agent.ui.plain import plain_line, plain_text
from pi_tui.component import Component
from pi_tui.components.input import Input
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.theme import Theme


class InputDialog(Component):
    """Calls `on_answer` once: with the text, which may be empty, or with `None` for cancel keys.

    With a `text` the line begins as that, and Enter counts at once: whoever edits something has opened the dialog.
    `remaining` seconds, while set, are counted down in the title by whoever owns the time limit.
    """

    def __init__(
        self,
        title: str,
        placeholder: str,
        theme: Theme,
        on_answer: Callable[[str | None], None],
        clock: Callable[[], float] = time.monotonic,
        *,
        text: str | None = None,
    ) -> None:
        self.remaining: int | None = None
        self.max_rows: int | None = None
        self._title = plain_text(title)
        self._theme = theme
        self._on_answer = on_answer
        self._answered = False
        self._stray = StrayInput(clock)
        self._top = 0
        self._input = Input("> ", plain_line(placeholder), lambda text: theme.fg("dim", text))
        self._input.on_submit = self._submit
        self._input.on_escape = lambda: self._answer(None)
        if text is not None:
            self._input.handle_paste(PasteEvent(plain_line(text)))
            self._stray.chosen()

    @property
    def focused(self) -> bool:
        """Whether the line has the keys."""
        return self._input.focused

    @focused.setter
    def focused(self, value: bool) -> None:
        self._input.focused = value

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key."""
        return self._input.handle_key(event)

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste into the line."""
        self._input.handle_paste(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Put the cursor where the line is pressed."""
        return self._input.handle_mouse(event) if event.y == self._top else None

    def invalidate(self) -> None:
        """Drop all caches."""
        self._input.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the title and the line; the line stays when rows are few."""
        self._stray.shown()
        title = frame(self._title, self._theme, width, self.remaining, self.max_rows, keep=1)
        self._top = len(title.above)
        return [*title.above, *self._input.render(width), *title.below]

    def _submit(self, text: str) -> None:
        if self._stray.is_meant():
            self._answer(text)

    def _answer(self, text: str | None) -> None:
        if not self._answered:
            self._answered = True
            self._on_answer(text)
