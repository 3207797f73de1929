"""What keys do to a text, in the editor and in a line of input: type, delete, kill, yank, undo, move.

What one key does may go on with what the key before did: kills in a row make one entry of the ring, typed
letters one undo step. So each key starts with `begin`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pi_tui.edit_history import KillRing
from pi_tui.editing import Position, TextBuffer

Action = Literal["type", "kill", "yank"]


def _nothing() -> None:
    """Do nothing."""


class EditCommands:
    """The commands of one text. `on_edited` is told of changes, `on_deleted` of deletions after that.

    `on_moved` is told when the cursor was put somewhere.
    """

    def __init__(
        self,
        buffer: TextBuffer,
        *,
        on_edited: Callable[[], None] = _nothing,
        on_deleted: Callable[[], None] = _nothing,
        on_moved: Callable[[], None] = _nothing,
    ) -> None:
        self._buffer = buffer
        self._ring = KillRing()
        self._on_edited = on_edited
        self._on_deleted = on_deleted
        self._on_moved = on_moved
        self._action: Action | None = None
        self._previous: Action | None = None
        self._yank_start = Position(0, 0)

    # -- from key to key

    def begin(self) -> None:
        """Start what a key does."""
        self._previous, self._action = self._action, None

    def nothing_happened(self) -> None:
        """Let the next key go on with what the one before this did."""
        self._action = self._previous

    def end_chain(self) -> None:
        """Let nothing go on with what was done so far."""
        self._action = None

    # -- typing and deleting

    def type(self, text: str) -> None:
        """Insert what was typed; letters in a row are one undo step, a blank starts the next."""
        starts_step = self._previous != "type" or any(c.isspace() for c in text)
        self._buffer.insert(text, joins=not starts_step)
        self._action = "type"
        self._on_edited()

    def delete_backward(self) -> None:
        """Delete what the cursor would step over to the left."""
        self._delete(self._buffer.unit_before(self._buffer.cursor), self._buffer.cursor)

    def delete_forward(self) -> None:
        """Delete what the cursor would step over to the right."""
        self._delete(self._buffer.cursor, self._buffer.unit_after(self._buffer.cursor))

    def delete_word_backward(self) -> None:
        """Kill the word before the cursor."""
        self._kill_back_to(self._buffer.word_before(self._buffer.cursor))

    def delete_word_forward(self) -> None:
        """Kill the word after the cursor."""
        self._kill_up_to(self._buffer.word_after(self._buffer.cursor))

    def delete_to_line_start(self) -> None:
        """Kill the line up to the cursor; at its start, the line break before."""
        cursor = self._buffer.cursor
        start = Position(cursor.line, 0)
        self._kill_back_to(start if cursor.col else self._buffer.unit_before(cursor))

    def delete_to_line_end(self) -> None:
        """Kill the line from the cursor on; at its end, the line break."""
        cursor = self._buffer.cursor
        end = Position(cursor.line, len(self._buffer.lines[cursor.line]))
        self._kill_up_to(end if end != cursor else self._buffer.unit_after(cursor))

    # -- yanking, undoing

    def yank(self) -> None:
        """Insert what was killed last."""
        text = self._ring.peek()
        if text is None:
            return
        self._yank_start = self._buffer.cursor
        self._buffer.insert(text)
        self._action = "yank"
        self._on_edited()

    def yank_pop(self) -> None:
        """Replace what was yanked just now by what was killed before that."""
        if self._previous != "yank" or len(self._ring) < 2:
            return
        self._ring.rotate()
        self._buffer.replace(self._yank_start, self._buffer.cursor, "")
        self._on_edited()
        self._buffer.insert(self._ring.peek() or "", joins=True)
        self._action = "yank"
        self._on_edited()

    def undo(self) -> None:
        """Take the newest step back."""
        if self._buffer.undo():
            self._on_edited()

    def redo(self) -> None:
        """Do the step again that was undone last."""
        if self._buffer.redo():
            self._on_edited()

    # -- moving

    def move_to(self, position: Position) -> None:
        """Put the cursor somewhere."""
        self._buffer.cursor = position
        self._on_moved()

    def left(self) -> None:
        """Step to the left."""
        self.move_to(self._buffer.unit_before(self._buffer.cursor))

    def right(self) -> None:
        """Step to the right."""
        self.move_to(self._buffer.unit_after(self._buffer.cursor))

    def word_left(self) -> None:
        """Go to the start of the word before."""
        self.move_to(self._buffer.word_before(self._buffer.cursor))

    def word_right(self) -> None:
        """Go to the end of the word after."""
        self.move_to(self._buffer.word_after(self._buffer.cursor))

    def line_start(self) -> None:
        """Go to the start of the line."""
        self.move_to(Position(self._buffer.cursor.line, 0))

    def line_end(self) -> None:
        """Go to the end of the line."""
        line = self._buffer.cursor.line
        self.move_to(Position(line, len(self._buffer.lines[line])))

    # -- parts

    def _delete(self, start: Position, end: Position) -> None:
        if start != end:
            self._buffer.delete(start, end)
            self._on_edited()
            self._on_deleted()

    def _kill_back_to(self, start: Position) -> None:
        self._kill(start, self._buffer.cursor, prepend=True)

    def _kill_up_to(self, end: Position) -> None:
        self._kill(self._buffer.cursor, end, prepend=False)

    def _kill(self, start: Position, end: Position, *, prepend: bool) -> None:
        if start == end:
            self.nothing_happened()
            return
        accumulate = self._previous == "kill"
        self._ring.push(self._buffer.text_between(start, end), prepend, accumulate)
        self._buffer.replace(start, end, "")
        self._action = "kill"
        self._on_edited()
        self._on_deleted()


CommandTable = tuple[tuple[str, Callable[[EditCommands], None]], ...]

# The order decides where a key is bound twice.
EDITS: CommandTable = (
    ("tui.editor.deleteToLineEnd", EditCommands.delete_to_line_end),
    ("tui.editor.deleteToLineStart", EditCommands.delete_to_line_start),
    ("tui.editor.deleteWordBackward", EditCommands.delete_word_backward),
    ("tui.editor.deleteWordForward", EditCommands.delete_word_forward),
    ("tui.editor.deleteCharBackward", EditCommands.delete_backward),
    ("tui.editor.deleteCharForward", EditCommands.delete_forward),
    ("tui.editor.yank", EditCommands.yank),
    ("tui.editor.yankPop", EditCommands.yank_pop),
)
JUMPS: CommandTable = (
    ("tui.editor.cursorLineStart", EditCommands.line_start),
    ("tui.editor.cursorLineEnd", EditCommands.line_end),
    ("tui.editor.cursorWordLeft", EditCommands.word_left),
    ("tui.editor.cursorWordRight", EditCommands.word_right),
)
# What keys do that are not bound to anything.
UNBOUND_KEYS: CommandTable = (
    ("shift+backspace", EditCommands.delete_backward),
    ("shift+delete", EditCommands.delete_forward),
)
