"""The pages of the gallery, one a file, in the order of the list."""

from __future__ import annotations

from typing import Final

from pi_tui.gallery.page import Page
from pi_tui.gallery.pages import (
    boxes,
    colors,
    editor,
    focus,
    hardware_cursor,
    hyperlinks,
    input,
    key_sequences,
    keys,
    loader,
    markdown,
    messages,
    misbehaving,
    mouse,
    mouse_region,
    overlays,
    scroll_view,
    select_list,
    selection,
    settings_list,
    stacks,
    text,
    themes,
    transcript,
    widths,
    wrapping,
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
    widths.PAGE,
    wrapping.PAGE,
    keys.PAGE,
    key_sequences.PAGE,
    mouse.PAGE,
    focus.PAGE,
    overlays.PAGE,
    selection.PAGE,
    hyperlinks.PAGE,
    themes.PAGE,
    colors.PAGE,
    hardware_cursor.PAGE,
    messages.PAGE,
    misbehaving.PAGE,
)
