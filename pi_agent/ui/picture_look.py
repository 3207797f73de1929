"""What the settings say about pictures."""

from __future__ import annotations

from typing import NamedTuple

from pi_agent.resources.settings import SettingsStore


class PictureLook(NamedTuple):
    """Whether pictures are drawn where the terminal can, and how many columns wide at most."""

    are_drawn: bool = True
    columns: int = 60


def picture_look(settings: SettingsStore) -> PictureLook:
    """Return how the settings want pictures."""
    return PictureLook(
        settings.get_bool("terminal.showImages"), settings.get_number("terminal.imageWidthCells")
    )
