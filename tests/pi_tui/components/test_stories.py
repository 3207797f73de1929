"""The stories of the components as pictures at 20, 40 and 80 columns: dark one by one, light on one sheet."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.resources.themes import load_bundled_theme
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.snapshot import check_snapshot, snapshot_component
from pi_tui.theme import Theme
from tests.pi_tui.components.stories import STORIES

SNAPSHOTS = Path(__file__).resolve().parents[3] / "snapshots/pi_tui/components/test_stories"
MODE = get_terminal_color_mode({"COLORTERM": "truecolor"})
ALL = [(component, story) for component, stories in STORIES.items() for story in stories]


def theme(name: str) -> Theme:
    return load_bundled_theme(name, color_mode=MODE)


@pytest.mark.parametrize(("component", "story"), ALL)
def test_the_picture(component: str, story: str) -> None:
    shown = STORIES[component][story](theme("dark"))
    check_snapshot(SNAPSHOTS / component / f"{story}.txt", snapshot_component(shown.render))


@pytest.mark.parametrize("component", STORIES)
def test_the_sheet_in_the_light_theme(component: str) -> None:
    sheet = "\n".join(
        f"{story}\n{snapshot_component(make(theme('light')).render, [40])}"
        for story, make in STORIES[component].items()
    )
    check_snapshot(SNAPSHOTS / component / "light.txt", sheet)
