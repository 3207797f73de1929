"""What may take the prompt editor's place."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from pi_tui.events import KeyEvent, PasteEvent


@runtime_checkable
class EditorComponent(Protocol):
    """What a replacement for the prompt editor must have.

    Optional: `on_submit`, `on_change`, `add_to_history`, `insert_text_at_cursor`, `get_expanded_text`
    (`get_text` stands in for it), `set_autocomplete_provider`, `border_color`, `set_padding_x`,
    `set_autocomplete_max_visible`.
    """

    def get_text(self) -> str:
        """Return the text as it is shown."""
        ...

    def set_text(self, text: str) -> None:
        """Replace the text."""
        ...

    def handle_key(self, event: KeyEvent) -> bool | None:
        """Take a key while focused; `False` means it was not used."""
        ...

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste while focused."""
        ...
