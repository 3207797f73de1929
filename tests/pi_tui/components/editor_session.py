"""An editor on a pretended screen, and the steps of a measured session."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.component import CURSOR_MARKER, identity
from pi_tui.components.editor import Editor
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.key_parser import parse_key, text_key
from pi_tui.keybindings import KeybindingsManager
from pi_tui.theme import EditorTheme, SelectListTheme
from pi_tui.width import iter_graphemes, visible_width

KEYS = {
    "alt+enter": b"\x1b\r",
    "shift+enter": b"\x1b[13;2u",
    "ctrl+j": b"\n",
}


@dataclass
class Host:
    """A screen of a size that counts the frames it is asked for."""

    columns: int = 40
    rows: int = 24
    requests: int = 0

    def request_render(self, force: bool = False) -> None:
        self.requests += 1


@dataclass
class Session:
    """An editor, what it reported, and the hands that use it."""

    width: int = 40
    rows: int = 24
    padding_x: int = 0
    menu_rows: int = 5
    keybindings: KeybindingsManager | None = None
    submitted: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.host = Host(self.width, self.rows)
        look = SelectListTheme(identity, identity, identity, identity, identity)
        self.theme = EditorTheme(identity, look)
        self.editor = Editor(
            self.host,
            self.theme,
            self.padding_x,
            self.menu_rows,
            keybindings=self.keybindings,
        )
        self.editor.focused = True
        self.editor.on_submit = self.submitted.append
        self.editor.on_change = self.changes.append

    def type(self, text: str) -> None:
        """Type one grapheme after the other."""
        for cluster in iter_graphemes(text):
            self.editor.handle_key(text_key(cluster))

    def press(self, *key_ids: str) -> list[bool]:
        """Press keys by id; whether each was used."""
        return [
            self.editor.handle_key(KeyEvent(key_id, raw=KEYS.get(key_id, b"")))
            for key_id in key_ids
        ]

    def send(self, piece: str) -> None:
        """Give the editor what a terminal sends for one key."""
        event = parse_key(piece.encode("utf-8"))
        assert event is not None, f"not a key: {piece!r}"
        self.editor.handle_key(event)
        self.editor.render(self.width)

    def paste(self, text: str) -> None:
        """Paste in one piece."""
        self.editor.handle_paste(PasteEvent(text))

    def do(self, step: str, pieces: list[str] | None) -> None:
        """Do one step of a measured session."""
        kind, _, rest = step.partition(":")
        actions = {
            "paste": self.paste,
            "set": self.editor.set_text,
            "insert": self.editor.insert_text_at_cursor,
            "history": self.editor.add_to_history,
            "resize": self.resize,
        }
        if kind in actions and step != kind:
            actions[kind](rest)
        else:
            for piece in pieces or []:
                self.send(piece)
        self.editor.render(self.width)

    async def settle(self) -> None:
        """Let the loop do all that is ready; nothing here waits for time or input."""
        for _ in range(30):
            await asyncio.sleep(0)

    async def answered(self) -> None:
        """Wait until the editor has got all suggestions that it asked for."""
        await self.editor._suggestions.settled()

    def resize(self, width: str) -> None:
        """Give the screen another width."""
        self.width = self.host.columns = int(width)

    def lines(self) -> list[str]:
        """Return the rows as they look."""
        return [strip_terminal_sequences(line) for line in self.editor.render(self.width)]

    def text_rows(self) -> list[str]:
        """Return the rows between the borders, without blanks at their ends; the menu is closed."""
        assert not self.editor.is_showing_autocomplete()
        return [line.rstrip() for line in self.lines()[1:-1]]

    def menu_rows_shown(self) -> list[str]:
        """Return the rows of the menu, without blanks at their ends."""
        lines = [line.rstrip() for line in self.lines()]
        borders = [index for index, line in enumerate(lines) if line.startswith("──")]
        return lines[borders[1] + 1 :]

    def cursor_cell(self) -> tuple[int, int]:
        """Return row and column of the caret's mark."""
        found = [
            (row, visible_width(line.split(CURSOR_MARKER)[0]))
            for row, line in enumerate(self.editor.render(self.width))
            if CURSOR_MARKER in line
        ]
        assert len(found) == 1, f"the caret is marked {len(found)} times"
        return found[0]
