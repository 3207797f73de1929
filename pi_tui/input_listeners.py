"""Who sees the input before the component that it is for, and may stop or change it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from pi_tui.events import (
    FocusEvent,
    InputEvent,
    KeyEvent,
    MouseEvent,
    PasteEvent,
    ResizeEvent,
)

_log = logging.getLogger("pi.tui")

# A listener passes an event on with `None`, stops it with `{"consume": True}`, or puts another in its place.
ListenerResult = InputEvent | Mapping[str, bool] | None
InputListener = Callable[[InputEvent], ListenerResult]


_EVENTS = (KeyEvent, PasteEvent, MouseEvent, ResizeEvent, FocusEvent)


class InputListeners:
    """The listeners in order. One that is added or removed meanwhile counts from the next event on."""

    def __init__(self) -> None:
        self._listeners: tuple[InputListener, ...] = ()

    def add(self, listener: InputListener) -> None:
        """Ask `listener`, too."""
        self._listeners = (*self._listeners, listener)

    def remove(self, listener: InputListener) -> None:
        """Ask a listener no more; a missing one is ignored."""
        kept = list(self._listeners)
        if listener in kept:
            kept.remove(listener)
            self._listeners = tuple(kept)

    def ask(self, event: InputEvent, is_open: Callable[[], bool]) -> InputEvent | None:
        """Return what the listeners make of an event; `None` if it goes no further.

        A listener may end the program: none is asked once `is_open` says no.
        """
        for listener in self._listeners:
            try:
                result = listener(event)
            except Exception:
                _log.exception("an input listener failed")
                continue
            if not is_open():
                return None
            if isinstance(result, Mapping):
                if result.get("consume"):
                    return None
            elif isinstance(result, _EVENTS):
                event = result
            elif result is not None:
                _log.error("an input listener returned %s", type(result).__name__)
        return event
