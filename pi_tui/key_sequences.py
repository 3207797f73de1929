"""Keys that mean something one after another: `ctrl+x ctrl+s`, `g g`.

Keys that may begin or go on with a sequence are held back. What has been completed comes as one event whose id
is the whole sequence, so that whoever asks `KeybindingsManager.matches` need not know of sequences; keys that turn
out to begin none come as they were typed.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from pi_tui.events import KeyEvent
from pi_tui.keybindings import KeybindingsManager, get_keybindings

# How long a key that means something alone is held back.
SEQUENCE_TIMEOUT = 0.6

_ESCAPE = "escape"


class KeySequences:
    """Takes one key after the other and gives those that are to be delivered; `pending` are held back.

    There is no clock in here: whoever owns it calls `expire` when `timeout` has passed since the last key.
    """

    def __init__(self, keybindings: Callable[[], KeybindingsManager] = get_keybindings) -> None:
        self._keybindings = keybindings
        self.pending: tuple[KeyEvent, ...] = ()

    def take(self, event: KeyEvent) -> list[KeyEvent]:
        """Return what is to be delivered now that `event` has come."""
        if event.kind == "release" or not (self.pending or self._begins(event)):
            return [event]
        if not self.pending:
            return self._grow(event)
        if event.kind == "repeat" and event.id == self.pending[-1].id:
            return []
        if self._goes_on((*self.pending, event)):
            return self._grow(event)
        if event.id == _ESCAPE:
            self.pending = ()
            return []
        return [*self.expire(), *self.take(event)]

    def timeout(self) -> float | None:
        """Return after how many seconds to call `expire`; `None` while nothing else can be meant."""
        if not self.pending:
            return None
        first = self.pending[0]
        means_something = first.text or self._keybindings().is_bound(first) or self._whole()
        return SEQUENCE_TIMEOUT if means_something else None

    def expire(self) -> list[KeyEvent]:
        """Return what the keys held back mean without another one."""
        held, self.pending = self.pending, ()
        for size in range(len(held), 1, -1):
            whole = self._name(held[:size])
            if whole is not None:
                return [KeyEvent(whole), *self._again(held[size:])]
        return [*held[:1], *self._again(held[1:])]

    def _again(self, events: tuple[KeyEvent, ...]) -> list[KeyEvent]:
        """Take keys that were held back once more, as the first ones."""
        return [delivered for event in events for delivered in self.take(event)]

    def _grow(self, event: KeyEvent) -> list[KeyEvent]:
        """Hold a key back, unless it completes what nothing else can follow."""
        self.pending = (*self.pending, event)
        whole = self._whole()
        if whole is None or self._goes_on(self.pending, further=True):
            return []
        self.pending = ()
        return [KeyEvent(whole)]

    def _begins(self, event: KeyEvent) -> bool:
        return bool(self._keybindings().sequences) and self._goes_on((event,))

    def _goes_on(self, events: tuple[KeyEvent, ...], *, further: bool = False) -> bool:
        """Whether a sequence starts with these keys; with `further`, one that does not end with them."""
        size = len(events)
        return any(
            len(keys) >= size + further
            and all(key in _ids(event) for key, event in zip(keys, events, strict=False))
            for keys in self._keybindings().sequences
        )

    def _whole(self) -> str | None:
        return self._name(self.pending)

    def _name(self, events: tuple[KeyEvent, ...]) -> str | None:
        """Return the sequence that these keys are, if they are one."""
        sequences = self._keybindings().sequences
        return next((" ".join(k) for k in product(*map(_ids, events)) if k in sequences), None)


def _ids(event: KeyEvent) -> tuple[str, ...]:
    return (event.id, *event.also)
