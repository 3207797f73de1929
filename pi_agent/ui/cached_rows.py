"""A component that makes its rows once for a width, until it is told that something has changed."""

from __future__ import annotations

from pi_tui.component import Component


class CachedRows(Component):
    """Implement `make_rows(width)`, and call `invalidate()` when what they are made from has changed."""

    _made: tuple[int, list[str]] | None = None

    def make_rows(self, width: int) -> list[str]:
        """Return the rows, made anew."""
        raise NotImplementedError

    def invalidate(self) -> None:
        """Drop the rows already made."""
        self._made = None

    def render(self, width: int) -> list[str]:
        """Return the rows; the same list while nothing changed."""
        if self._made is None or self._made[0] != width:
            self._made = (width, self.make_rows(width))
        return self._made[1]
