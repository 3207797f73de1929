"""The pages of the gallery, one a file, in the order of the list."""

from __future__ import annotations

from typing import Final

from pi_tui.gallery.page import Page
from pi_tui.gallery.pages import (
    boxes,
    editor,
    input,
    loader,
    markdown,
    mouse_region,
    scroll_view,
    select_list,
    settings_list,
    stacks,
    text,
    transcript,
)

PAGES: Final[tuple[Page, ...]] = (
    text.PAGE,
    boxes.PAGE,
    stacks.PAGE,
    scroll_view.PAGE,
    transcript.PAGE,
    markdown.PAGE,
    input.PAGE,
    editor.PAGE,
    select_list.PAGE,
    settings_list.PAGE,
    loader.PAGE,
    mouse_region.PAGE,
)
