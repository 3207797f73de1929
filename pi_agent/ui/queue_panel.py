"""What waits to be sent, above the editor: a row for each message, and once the panel has the keys, what they do.

A click selects a message and gives the panel the keys; the words or marks of its last row do what their keys do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from pi_agent.ui.plain import plain_line
from pi_tui.choices import Visible, visible_items
from pi_tui.component import Component
from pi_tui.component_themes import KeyHintsTheme
from pi_tui.components.key_hints import KeyHint, KeyHints
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.keybindings import get_keybindings, key_display_text
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width

if TYPE_CHECKING:
    from pi_agent.loop.queues import QueuedText

# Of a longer text no terminal shows more in a row.
_MOST_CHARACTERS: Final = 1000
_MOST_SHOWN: Final = 6
# From so many cells on keys are named and kinds written out.
_WIDE, _MEDIUM, _NARROW = 76, 38, 30
_KINDS: Final = {"steering": "Steering", "follow_up": "Follow-up"}


class QueueActs(Protocol):
    """What the panel asks for; a message is named by its id."""

    def edit(self, message_id: int) -> None:
        """Let the user edit it."""
        ...

    def move(self, message_id: int, *, up: bool) -> None:
        """Deliver it sooner or later."""
        ...

    def hold(self, message_id: int, is_held: bool) -> None:
        """Keep it from being delivered, or release it."""
        ...

    def delete(self, message_id: int) -> None:
        """Remove it."""
        ...

    def leave(self) -> None:
        """Give the editor the keys."""
        ...

    def type(self, event: KeyEvent | PasteEvent) -> bool:
        """Type into the editor, if it is something to type."""
        ...


class QueuePanel(Component):
    """Shows the messages of `source`, anew after each `refresh`; `max_rows` limits its height."""

    def __init__(self, theme: Theme) -> None:
        self.source: Callable[[], Sequence[QueuedText]] = tuple
        self.acts: QueueActs | None = None
        self.max_rows: int | None = None
        self._theme = theme
        self._texts: list[QueuedText] = []
        self._selected = 0
        self._focused = False
        self._window = Visible(0, 0, False)
        dim = partial(theme.fg, "dim")
        self._hints = KeyHints((), KeyHintsTheme(dim, dim), max_rows=1)
        self._made: tuple[object, list[str]] | None = None

    @property
    def focused(self) -> bool:
        """Whether the panel has the keys."""
        return self._focused

    @focused.setter
    def focused(self, focused: bool) -> None:
        self._focused = focused
        self.invalidate()

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self._texts

    def refresh(self) -> None:
        """Look anew at what waits. The selected message stays selected; the editor gets the keys when none is left."""
        selected = self._selected_text()
        self._texts = list(self.source())
        ids = [text.id for text in self._texts]
        if selected is not None and selected.id in ids:
            self._selected = ids.index(selected.id)
        self._selected = max(0, min(self._selected, len(ids) - 1))
        self.invalidate()
        if self._focused and not self._texts and self.acts is not None:
            self.acts.leave()

    # -- drawing

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._made = None

    def render(self, width: int) -> list[str]:
        """Return the rows; the last one, about the keys, is the one to go without."""
        for_what = (width, self.max_rows)
        if self._made is None or self._made[0] != for_what:
            self._made = (for_what, self._rows(width) if self._texts else [])
        return self._made[1]

    def _rows(self, width: int) -> list[str]:
        room = _MOST_SHOWN + 1 if self.max_rows is None else min(_MOST_SHOWN + 1, self.max_rows)
        if room < 1:
            return []
        count = len(self._texts)
        shown = min(count, max(1, room - 1))
        start = visible_items(self._selected, count, shown, shown).start if self._focused else 0
        self._window = Visible(start, start + shown, False)
        rows = [self._row(index, width) for index in range(start, start + shown)]
        last = self._last_row(width, count - shown)
        return [*rows, *([last] if last else [])][:room]

    def _row(self, index: int, width: int) -> str:
        text, theme = self._texts[index], self._theme
        is_selected = self._focused and index == self._selected
        mark = "" if not self._focused else "→" if is_selected else " "
        line = f"{mark} {_label(text, width)}{plain_line(text.text[:_MOST_CHARACTERS])}"
        color = "accent" if is_selected else "muted" if text.is_held else "dim"
        return theme.fg(color, truncate_to_width(line, width, "…"))

    def _last_row(self, width: int, hidden: int) -> str:
        if self._focused:
            self._hints.hints = self._hint_list(width)
            return next(iter(self._hints.render(width)), "")
        back, change = key_display_text("app.message.dequeue"), key_display_text("app.queue.focus")
        parts = [f"{back} takes {'them' if len(self._texts) > 1 else 'it'} back"] if back else []
        parts += [f"{change} edits"] if change else []
        told = "; ".join(
            part for part in (f"{hidden} more" if hidden else "", ", ".join(parts)) if part
        )
        return self._theme.fg("dim", truncate_to_width(f" {told}", width, "…")) if told else ""

    def _hint_list(self, width: int) -> list[KeyHint]:
        """Return what keys and clicks do: with the keys, in words, or as marks."""
        selected = self._selected_text()
        is_held = selected is not None and selected.is_held
        hints = (
            ("tui.select.confirm", "edit", "✎", self._edit),
            ("app.queue.moveUp", "up", "↑", lambda: self._move(up=True)),
            ("app.queue.moveDown", "down", "↓", lambda: self._move(up=False)),
            ("app.queue.hold", "send" if is_held else "hold", "▸" if is_held else "‖", self._hold),
            ("app.queue.delete", "delete", "✕", self._delete),
            ("tui.select.cancel", "back", "", self._leave),
        )
        if width >= _WIDE:
            return [KeyHint(action, word, act) for action, word, _, act in hints]
        is_marks = width < _MEDIUM
        return [KeyHint((), mark if is_marks else word, act) for _, word, mark, act in hints]

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key; what is typed goes to the editor."""
        if event.kind == "release":
            return False
        keys = get_keybindings()
        for action, act in self._actions().items():
            if keys.matches(event, action):
                act()
                return True
        return self.acts is not None and self.acts.type(event)

    def handle_paste(self, event: PasteEvent) -> None:
        """Paste into the editor."""
        if self.acts is not None:
            self.acts.type(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Select the message that is pressed, and do what the last row says where it is clicked."""
        if event.button != "left" or event.type not in ("press", "click"):
            return None
        index = self._window.start + event.y
        if index < self._window.stop:
            self._select(index)
            return MouseResult(handled=True, focus=True)
        if self._focused:
            self._hints.handle_mouse(replace(event, y=0))
            return MouseResult(handled=True)
        return None

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {
            "tui.select.cancel": self._leave,
            "tui.select.confirm": self._edit,
            "app.queue.moveUp": lambda: self._move(up=True),
            "app.queue.moveDown": lambda: self._move(up=False),
            "app.queue.hold": self._hold,
            "app.queue.delete": self._delete,
            "tui.select.up": lambda: self._select(self._selected - 1),
            "tui.select.down": lambda: self._select(self._selected + 1),
            "tui.select.pageUp": lambda: self._select(0),
            "tui.select.pageDown": lambda: self._select(len(self._texts) - 1),
        }

    def _select(self, index: int) -> None:
        self._selected = max(0, min(index, len(self._texts) - 1))
        self.invalidate()

    def _edit(self) -> None:
        self._ask(lambda acts, text: acts.edit(text.id))

    def _move(self, *, up: bool) -> None:
        self._ask(lambda acts, text: acts.move(text.id, up=up))

    def _hold(self) -> None:
        self._ask(lambda acts, text: acts.hold(text.id, not text.is_held))

    def _delete(self) -> None:
        self._ask(lambda acts, text: acts.delete(text.id))

    def _leave(self) -> None:
        self._ask(lambda acts, text: acts.leave())

    def _ask(self, do: Callable[[QueueActs, QueuedText], None]) -> None:
        """Ask for something that is done with the selected message."""
        text = self._selected_text()
        if self.acts is not None and text is not None:
            do(self.acts, text)

    def _selected_text(self) -> QueuedText | None:
        return self._texts[self._selected] if self._selected < len(self._texts) else None


def _label(text: QueuedText, width: int) -> str:
    """Return what a message is, and why it is not delivered; few letters on a narrow screen."""
    kind = _KINDS[text.kind]
    if width < _NARROW:
        return kind[0] + ("‖ " if text.is_held else "✎ " if text.is_edited else ": ")
    state = " (held)" if text.is_held else " (being edited)" if text.is_edited else ""
    return f"{kind}{state}: "
