"""The first item of the document: name, version, and the keys to begin with."""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.ui.cached_rows import CachedRows
from pi_agent.ui.plain import plain_line
from pi_tui.theme import Theme
from pi_tui.wrap import wrap_rows


class Header(CachedRows):
    """`pi 1.2.3`, key hints, and the files that were read for the model."""

    def __init__(self, theme: Theme, version: str, hints: Sequence[tuple[str, str]]) -> None:
        self._theme = theme
        self._version = version
        self._hints = tuple(hints)
        self._resources: list[tuple[str, list[str]]] = []
        self._shows_title = self._shows_resources = True

    def set_parts(self, *, title: bool, resources: bool) -> None:
        """Show or leave out the title with its hints, and what was loaded."""
        self._shows_title, self._shows_resources = title, resources
        self.invalidate()

    def set_resources(self, resources: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Name what was loaded: `[("Context", ["AGENTS.md"])]`."""
        self._resources = [(title, list(names)) for title, names in resources if names]
        self.invalidate()

    def make_rows(self, width: int) -> list[str]:
        """Return title, hints and a line for each kind of resource, wrapped; none of what is left out."""
        theme = self._theme
        title = theme.style("pi", fg="accent", bold=True) + theme.fg("dim", f" {self._version}")
        hints = theme.fg("muted", " · ").join(
            f"{theme.fg('dim', key)} {theme.fg('muted', what)}" for key, what in self._hints
        )
        parts = [title, *filter(None, [hints])] if self._shows_title else []
        for name, entries in self._resources if self._shows_resources else []:
            parts.append(
                theme.fg("mdHeading", f"[{name}] ")
                + theme.fg("dim", plain_line(", ".join(entries)))
            )
        margin = " " if width > 1 else ""
        room = width - len(margin)
        return [margin + row for part in parts for row in wrap_rows(part, room)]
