"""What each component looks like in the cases that matter: empty, as usual, too much, wide text, with the keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pi_tui.component import Renderable
from pi_tui.theme import Theme
from tests.pi_tui.components.stories import diff_view, progress, split, table, tabs, tree

Story = Callable[[Theme], Renderable]

STORIES: Final[Mapping[str, Mapping[str, Story]]] = {
    "diff-view": diff_view.STORIES,
    "progress": progress.STORIES,
    "split": split.STORIES,
    "table": table.STORIES,
    "tabs": tabs.STORIES,
    "tree": tree.STORIES,
}
