"""Reports of a terminal that has become light or dark while a program runs."""

from __future__ import annotations

import logging
from collections.abc import Callable

from pi_tui.appearance import Appearance

_log = logging.getLogger("pi.tui")

_ON, _OFF = "\x1b[?2031h", "\x1b[?2031l"
_SCHEMES: dict[int, Appearance] = {1: "dark", 2: "light"}

SchemeListener = Callable[[Appearance], None]


class SchemeReports:
    """Whether reports are wanted, and who is told of them."""

    def __init__(self) -> None:
        self.is_wanted = False
        self._listeners: list[SchemeListener] = []

    def add(self, listener: SchemeListener) -> Callable[[], None]:
        """Tell `listener` of every report; returns what takes it off."""
        self._listeners.append(listener)
        return lambda: self._remove(listener)

    def change(self, is_wanted: bool) -> str:
        """Want reports or not; returns what says so to the terminal, if that is new."""
        if is_wanted == self.is_wanted:
            return ""
        self.is_wanted = is_wanted
        return _ON if is_wanted else _OFF

    def enter(self) -> str:
        """Return what asks for reports at the start."""
        return _ON if self.is_wanted else ""

    def leave(self) -> str:
        """Return what ends them."""
        return _OFF if self.is_wanted else ""

    def take(self, number: int) -> None:
        """Tell everybody of a report; one that fails does not keep it from the others."""
        scheme = _SCHEMES[number]
        for listener in tuple(self._listeners):
            try:
                listener(scheme)
            except Exception:
                _log.exception("a listener for light and dark failed")

    def _remove(self, listener: SchemeListener) -> None:
        self._listeners = [other for other in self._listeners if other is not listener]
