"""`Button`: a component of the gallery's own, which keys and clicks press."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui import Component, KeyEvent, MouseEvent, MouseResult, Theme, truncate_to_width


class Button(Component):
    """`[ a label ]`. Whatever has the attribute `focused` can have the keys."""

    def __init__(self, label: str, on_press: Callable[[], object], theme: Theme) -> None:
        self.focused = False
        self.label = label
        self._on_press = on_press
        self._theme = theme

    def render(self, width: int) -> list[str]:
        """Return the label, reversed while a key would press it."""
        text = truncate_to_width(f"[ {self.label} ]", width, "")
        return [self._theme.style(text, fg="accent", inverse=self.focused)]

    def handle_key(self, event: KeyEvent) -> bool:
        """Press with Enter or the space bar; other keys are for somebody else."""
        if event.id not in ("enter", "space") or event.kind == "release":
            return False
        self._on_press()
        return True

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Press with a click on the label, and take the keys as well."""
        is_on_label = event.x < len(self.label) + 4
        if event.type == "press":
            return MouseResult(focus=is_on_label)
        if event.type == "click" and is_on_label:
            self._on_press()
            return MouseResult(handled=True)
        return None
