"""Ask for a key in the editor's place. It is hidden while it is typed; of a pasted one the end may show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pi_agent.ui.dialogs.frame import frame
from pi_agent.ui.dialogs.hints import DialogHints
from pi_agent.ui.dialogs.key_reading import KeyReading, Token, read_key
from pi_agent.ui.plain import plain_line
from pi_tui.component import Component
from pi_tui.components.input import Input
from pi_tui.components.key_hints import KeyHint
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.frozen import frozen
from pi_tui.keybindings import get_keybindings
from pi_tui.masking import DEFAULT_MASK
from pi_tui.theme import Theme
from pi_tui.wrap import wrap_rows

_CLEAR_AT_END = 4
_LONG_ENOUGH = 16
_LITERAL_KEY = "tui.input.tab"
_LEAST_ROWS = 4


@frozen
class ApiKeyTexts:
    """Whose key is asked for, and what is good to know about it, the most important first."""

    title: str
    notes: Sequence[str]


class ApiKeyDialog(Component):
    """Calls `on_store` with the key as it is to be written in a file, and `on_back` for cancel keys.

    Whoever stores it tells with `say` how that goes; what was typed stays. `environ` is where its variables are.
    """

    def __init__(
        self,
        texts: ApiKeyTexts,
        theme: Theme,
        *,
        environ: Mapping[str, str],
        on_store: Callable[[str], object],
        on_back: Callable[[], object],
    ) -> None:
        self.remaining: int | None = None
        self.max_rows: int | None = None
        self._texts = texts
        self._theme = theme
        self._environ = environ
        self._on_store = on_store
        self._on_back = on_back
        self._is_literal = False
        self._was_pasted = False
        self._said: tuple[str, Token] | None = None
        self._input = Input("> ", "Paste or type the key", self._dim, mask=DEFAULT_MASK)
        self._input.on_submit = lambda text: self._store()
        self._input.on_escape = on_back
        self._input.on_change = lambda text: self._changed()
        self._hints = DialogHints(theme)
        self._input_row = 0
        self._hints_row = 0

    @property
    def focused(self) -> bool:
        """Whether the line has the keys."""
        return self._input.focused

    @focused.setter
    def focused(self, value: bool) -> None:
        self._input.focused = value

    def say(self, words: str, token: Token = "muted") -> None:
        """Tell how it goes, until something is typed."""
        self._said = (words, token)

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key."""
        if event.kind != "release" and get_keybindings().matches(event, _LITERAL_KEY):
            self._toggle_literal()
            return True
        return self._input.handle_key(event)

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste, without the blanks and line ends around it."""
        self._was_pasted = True
        self._input.handle_paste(PasteEvent(event.text.strip()))
        is_long = len(self._input.get_value()) >= _LONG_ENOUGH
        self._input.clear_at_end = _CLEAR_AT_END if is_long else 0

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Put the cursor where the line is pressed; a click on a hint does what it says."""
        if event.y == self._input_row:
            return self._input.handle_mouse(replace(event, y=0))
        return self._hints.handle_mouse(replace(event, y=event.y - self._hints_row))

    def _changed(self) -> None:
        self._said = None
        self._input.clear_at_end = 0
        if not self._input.get_value():
            self._was_pasted = self._is_literal = False
        # Where the key is found is no secret, unless it was meant to be the key itself.
        is_open = self._reading().is_name and not self._was_pasted
        self._input.mask = None if is_open else DEFAULT_MASK

    def _toggle_literal(self) -> None:
        if self._reading().has_signs:
            self._is_literal = not self._is_literal
            self._changed()

    def _store(self) -> None:
        written = self._reading().written
        if written is not None:
            self._on_store(written)

    def _reading(self) -> KeyReading:
        return read_key(self._input.get_value(), self._environ, is_literal=self._is_literal)

    # -- drawing

    def invalidate(self) -> None:
        """Drop all caches."""
        self._input.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the title, the line, how it is understood, what keys do; notes where there is room for them."""
        title = plain_line(self._texts.title)
        around = frame(title, self._theme, width, self.remaining, self.max_rows, keep=_LEAST_ROWS)
        hints = self._hints.rows(self._hint_list(), width)
        room = None
        if self.max_rows is not None:
            room = max(0, self.max_rows - len(around.above) - len(around.below) - 1 - len(hints))
        about = [*self._told(width), *self._notes(width)][:room]
        above = [*around.above, *self._input.render(width), *about]
        self._input_row, self._hints_row = len(around.above), len(above)
        rows = [*above, *hints, *around.below]
        return rows if self.max_rows is None else rows[: self.max_rows]

    def _told(self, width: int) -> list[str]:
        reading = self._reading()
        words, token = self._said or (reading.words, reading.token)
        return wrap_rows(self._theme.fg(token, plain_line(words)), width)

    def _notes(self, width: int) -> list[str]:
        text = "\n".join(plain_line(note) for note in self._texts.notes)
        return wrap_rows(self._dim(text), width)

    def _hint_list(self) -> list[KeyHint]:
        hints = [
            KeyHint("tui.input.submit", "store", self._store),
            KeyHint("tui.select.cancel", "back", self._on_back),
        ]
        if self._reading().has_signs:
            label = "understand it" if self._is_literal else "take as it is"
            hints.append(KeyHint(_LITERAL_KEY, label, self._toggle_literal))
        return hints

    def _dim(self, text: str) -> str:
        return self._theme.fg("dim", text)
