"""Texts that are cut where they begin: of a path the end says most."""

from __future__ import annotations

from pi_tui.width import slice_by_column, visible_width


def end_of(text: str, width: int) -> str:
    """Return a text, or as much of its end as there is room for."""
    length = visible_width(text)
    if length <= width:
        return text
    return "…" + slice_by_column(text, length - width + 1, width - 1, True) if width > 0 else ""
