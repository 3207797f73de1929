"""What each component looks like in the cases that matter: empty, as usual, too much, wide text, with the keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pi_tui.component import Renderable
from pi_tui.theme import Theme
from tests.pi_tui.components.stories import (
    box,
    command_palette,
    diff_view,
    editor,
    image,
    input,
    key_hints,
    loader,
    markdown,
    progress,
    scroll_view,
    select_list,
    settings_list,
    split,
    stacks,
    table,
    tabs,
    text,
    tree,
    truncated_text,
)

Story = Callable[[Theme], Renderable]

STORIES: Final[Mapping[str, Mapping[str, Story]]] = {
    "box": box.STORIES,
    "command-palette": command_palette.STORIES,
    "diff-view": diff_view.STORIES,
    "editor": editor.STORIES,
    "image": image.STORIES,
    "input": input.STORIES,
    "key-hints": key_hints.STORIES,
    "loader": loader.STORIES,
    "markdown": markdown.STORIES,
    "progress": progress.STORIES,
    "scroll-view": scroll_view.STORIES,
    "select-list": select_list.STORIES,
    "settings-list": settings_list.STORIES,
    "split": split.STORIES,
    "stacks": stacks.STORIES,
    "table": table.STORIES,
    "tabs": tabs.STORIES,
    "text": text.STORIES,
    "tree": tree.STORIES,
    "truncated-text": truncated_text.STORIES,
}
