"""What several extensions want in one place of the screen: the newest wins, and nobody can clear another's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from pi_agent.extensions.owner import Owner, OwnerEndings

T = TypeVar("T")


class Contributions(Generic[T]):
    """A stack with at most one value of each extension. A value goes when its generation ends.

    `changed` is called after every change, `removed` with each value that has gone.
    """

    def __init__(
        self,
        changed: Callable[[], None] = lambda: None,
        removed: Callable[[T], None] = lambda value: None,
    ) -> None:
        self._values: dict[Owner, T] = {}
        self._endings = OwnerEndings(self.clear)
        self._changed = changed
        self._removed = removed

    def set(self, owner: Owner, value: T) -> None:
        """Put a value on top, in the place of what `owner` had."""
        gone = self._values.pop(owner, None)
        self._values[owner] = value
        self._endings.watch(owner)
        if gone is not None:
            self._removed(gone)
        self._changed()

    def clear(self, owner: Owner) -> None:
        """Take the value of `owner` away; what lies under it is back."""
        if owner not in self._values:
            return
        gone = self._values.pop(owner)
        self._removed(gone)
        self._changed()

    def drop_top(self) -> None:
        """Take the newest value away."""
        if self._values:
            self.clear(next(reversed(self._values)))

    def top(self) -> T | None:
        """Return the newest value."""
        return next(reversed(self._values.values()), None)

    def values(self) -> list[T]:
        """Return all values, the newest last."""
        return list(self._values.values())

    def below(self, owner: Owner) -> T | None:
        """Return the value under that of `owner`."""
        values = list(self._values)
        place = values.index(owner) if owner in self._values else len(values)
        return self._values[values[place - 1]] if place else None
