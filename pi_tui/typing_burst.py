"""Many keys that come at once, as when text is pasted without brackets: they are inserted as one text.

A component takes part with two methods beside `handle_key`: `types(event)` says whether a key would do nothing but
insert its text, `handle_text(text)` inserts. Everything else about such a key stays: listeners see each one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Protocol, TypeGuard

from pi_tui.component import Renderable
from pi_tui.decode import Decoded
from pi_tui.events import KeyEvent

# Nobody types so many keys between two reads; a slow line may bring a few together.
BURST = 32


class TakesText(Renderable, Protocol):
    """A component that can insert what many keys type."""

    def types(self, event: KeyEvent) -> bool:
        """Whether a key would do nothing but insert its text."""
        ...

    def handle_text(self, text: str) -> None:
        """Insert what was typed, as one step."""
        ...


class TypedText:
    """What has been typed of a burst, until it is inserted."""

    def __init__(self, insert: Callable[[TakesText, str], None]) -> None:
        self._insert = insert
        self._component: TakesText | None = None
        self._parts: list[str] = []

    def add(self, component: TakesText, text: str) -> None:
        """Go on with text for a component."""
        if component is not self._component:
            self.finish()
            self._component = component
        self._parts.append(text)

    def finish(self) -> None:
        """Insert what has been typed so far."""
        component, self._component = self._component, None
        text = "".join(self._parts)
        self._parts.clear()
        if component is not None:
            self._insert(component, text)


def split_bursts(decoded: Sequence[Decoded]) -> Iterator[tuple[list[KeyEvent], list[Decoded]]]:
    """Yield the bursts in what one read brought, and what is none; of each pair one is empty."""
    if len(decoded) < BURST:
        yield [], list(decoded)
        return
    for is_typing, group in groupby(decoded, _is_typing):
        events = list(group)
        if is_typing and len(events) >= BURST:
            yield [event for event in events if isinstance(event, KeyEvent)], []
        else:
            yield [], events


def takes_text(component: object) -> TypeGuard[TakesText]:
    """Whether a component can insert what many keys type.

    A class that has a `handle_key` of its own, but inherits `types`, may do more with keys than `types` knows.
    """
    if not (hasattr(component, "types") and hasattr(component, "handle_text")):
        return False
    for kind in type(component).__mro__:
        if "types" in vars(kind):
            return True
        if "handle_key" in vars(kind):
            return False
    return False


def _is_typing(event: Decoded) -> bool:
    return (
        isinstance(event, KeyEvent)
        and event.kind == "press"
        and bool(event.text)
        and not event.raw.startswith(b"\x1b")
    )
