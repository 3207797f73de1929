"""A picture of every component: its stories one below the other, at 44 columns and, beside that, at 20.

`make pictures` draws them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.resources.themes import load_bundled_theme
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.snapshot import check_snapshot, render_to_terminal
from pi_tui.svg import screen_svg
from pi_tui.theme import Theme
from pi_tui.wrap import fill_line
from tests.pi_tui.components.stories import STORIES, Story

SHEETS = Path(__file__).resolve().parents[3] / "docs" / "components"
WIDE, NARROW, GAP = 44, 20, 4
# A page should load at once; what is longer than a screen is cut.
MOST_BYTES = 60_000
MOST_ROWS = 16


def rows_of(story: Story, theme: Theme, width: int) -> list[str]:
    return story(theme).render(width)[:MOST_ROWS]


def sheet(component: str, theme: Theme) -> list[str]:
    """Return the rows of the picture."""
    rows: list[str] = []
    for name, story in STORIES[component].items():
        title = theme.fg("dim", name.replace("-", " "))
        wide, narrow = (rows_of(story, theme, width) for width in (WIDE, NARROW))
        rows += ["", title] if rows else [title]
        for number in range(max(len(wide), len(narrow))):
            left, right = (side[number] if number < len(side) else "" for side in (wide, narrow))
            rows.append(f"{fill_line(left, WIDE)}{' ' * GAP}{fill_line(right, NARROW)}")
    return rows


@pytest.mark.parametrize("component", STORIES)
def test_the_sheet(component: str) -> None:
    mode = get_terminal_color_mode({"COLORTERM": "truecolor"})
    theme = load_bundled_theme("dark", color_mode=mode)
    terminal = render_to_terminal(sheet(component, theme), WIDE + GAP + NARROW)
    picture = screen_svg(terminal, title=component)
    assert len(picture.encode()) < MOST_BYTES
    check_snapshot(SHEETS / f"{component}.svg", picture)


def test_each_component_has_its_page_and_the_page_its_picture() -> None:
    pages = {page.stem for page in SHEETS.glob("*.md")} - {"README"}
    assert pages == set(STORIES)
    index = (SHEETS / "README.md").read_text(encoding="utf-8")
    for component in STORIES:
        page = (SHEETS / f"{component}.md").read_text(encoding="utf-8")
        assert f"]({component}.svg)" in page and "```python" in page and "| Key" in page
        assert f"]({component}.md)" in index
