"""Asking the terminal for a better keyboard, and giving it back.

The kitty protocol is asked for first; a terminal that answers the device-attributes query before (or with
flags 0) gets modifyOtherKeys instead. Replies may come late, split or never.
See https://sw.kovidgoyal.net/kitty/keyboard-protocol/.
"""

from __future__ import annotations

# Flags: 1 disambiguate, 2 event types, 4 alternate keys.
KEYBOARD_START = "\x1b[>7u\x1b[?u"
DEVICE_ATTRIBUTES_QUERY = "\x1b[c"
KITTY_POP = "\x1b[<u"
MODIFY_OTHER_KEYS_ON = "\x1b[>4;2m"
MODIFY_OTHER_KEYS_OFF = "\x1b[>4;0m"


class KeyboardNegotiation:
    """The state of one start: which protocol is on, and what undoes it."""

    def __init__(self) -> None:
        self.kitty_active = False
        self.modify_other_keys = False
        self._pushed = False
        self._answered = False

    def start(self, questions: str = "") -> str:
        """Return what to write at the start, with more questions; the one that ends the answers comes after."""
        self._pushed = True
        self._answered = False
        return KEYBOARD_START + questions

    def kitty_reply(self, flags: int) -> str:
        """Take the reply with the flags in force; returns what to write: nothing after the end."""
        if not self._pushed:
            return ""
        self.kitty_active = flags != 0
        if not self.kitty_active:
            return self._use_modify_other_keys()
        if not self.modify_other_keys:
            return ""
        self.modify_other_keys = False
        return MODIFY_OTHER_KEYS_OFF

    def device_attributes_reply(self) -> str:
        """Take the reply that ends the answers; returns what to write: nothing after the end."""
        if self._answered or not self._pushed:
            return ""
        self._answered = True
        return "" if self.kitty_active else self._use_modify_other_keys()

    def undo(self) -> str:
        """Return what gives the keyboard back as it was."""
        return (KITTY_POP if self._pushed else "") + (
            MODIFY_OTHER_KEYS_OFF if self.modify_other_keys else ""
        )

    def stop(self) -> str:
        """Return what gives the keyboard back, and forget everything: the next start asks anew."""
        undo = self.undo()
        self.kitty_active = self.modify_other_keys = self._pushed = self._answered = False
        return undo

    def _use_modify_other_keys(self) -> str:
        if self.modify_other_keys:
            return ""
        self.modify_other_keys = True
        return MODIFY_OTHER_KEYS_ON
