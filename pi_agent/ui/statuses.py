"""The texts that extensions keep in the footer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pi_agent.extensions.owner import Owner, OwnerEndings
from pi_agent.ui.plain import styled_line


class Statuses:
    """Keyed texts, in the order of first use. Two extensions may use the same key.

    `changed` is called after every change. What an extension has set goes when its generation ends.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._texts: dict[tuple[Owner, str], str | None] = {}
        self._endings = OwnerEndings(self._remove_all)

    def set(self, owner: Owner, key: str, text: str | None) -> None:
        """Show a text, another one in its place, or none; a key keeps its place."""
        self._endings.watch(owner)
        self._texts[owner, key] = None if text is None else styled_line(text)
        self._changed()

    def texts(self) -> Mapping[str, str]:
        """Return the texts by key; a key that another extension uses, too, with the extension's name."""
        shown: dict[str, str] = {}
        for (owner, key), text in self._texts.items():
            if text:
                shown[key if key not in shown else f"{owner.name}/{key}"] = text
        return shown

    def _remove_all(self, owner: Owner) -> None:
        self._texts = {place: text for place, text in self._texts.items() if place[0] is not owner}
        self._changed()
