"""What all lists of choices share: an item, the rows of it that are in sight, and where a key leads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pi_tui.ansi import RESET, sanitize_output
from pi_tui.events import InputEvent
from pi_tui.frozen import frozen
from pi_tui.keybindings import KeybindingsManager
from pi_tui.width import truncate_to_width, visible_width

_PAGES = (("tui.select.pageUp", -1), ("tui.select.pageDown", 1))
_STEPS = (("tui.select.up", -1), ("tui.select.down", 1))


@frozen
class SelectItem:
    """One choice: what it stands for, and what a list shows; an empty label shows the value."""

    value: str
    label: str = ""
    description: str | None = None


def as_select_item(item: SelectItem | Mapping[str, str | None]) -> SelectItem:
    """Return an item that was perhaps given as a dict."""
    if isinstance(item, SelectItem):
        return item
    return SelectItem(item["value"] or "", item.get("label") or "", item.get("description"))


class Visible(NamedTuple):
    """The items in sight, `start` to `stop`, and whether a row tells where among all they are."""

    start: int
    stop: int
    has_position: bool


def visible_items(selected: int, count: int, most: int, max_rows: int | None = None) -> Visible:
    """Return which of `count` items to show: at most `most`, the selected one in the middle.

    `max_rows` limits the items and the row that tells the position together.
    """
    shown = min(count, max(1, most))
    if max_rows is not None and shown + (shown < count) > max_rows:
        shown = max(1, min(shown, max_rows - 1))
    start = max(0, min(selected - shown // 2, count - shown))
    has_position = shown < count and (max_rows is None or shown < max_rows)
    return Visible(start, start + shown, has_position)


def get_select_page_index(
    keybindings: KeybindingsManager, event: InputEvent, selected: int, count: int, page_size: int
) -> int | None:
    """Return where a page key leads, not beyond the ends; `None` for any other event."""
    for action, direction in _PAGES:
        if keybindings.matches(event, action):
            return max(0, min(selected + direction * page_size, count - 1))
    return None


def get_select_index(
    keybindings: KeybindingsManager, event: InputEvent, selected: int, count: int, page_size: int
) -> int | None:
    """Return where a key of a list leads: up and down go round, pages do not; `None` for other events."""
    for action, direction in _STEPS:
        if keybindings.matches(event, action):
            return (selected + direction) % count if count else 0
    return get_select_page_index(keybindings, event, selected, count, page_size)


def single_line(text: str) -> str:
    """Return text as it may stand in a row of a list: colours stay, breaks and tabs become one space."""
    clean = sanitize_output(text)
    return " ".join(clean.splitlines()).replace("\t", " ") if not clean.isprintable() else clean


def cut_text(text: str, width: int, ellipsis: str = "") -> str:
    """Return text cut to a width, without the resets that would end a style put around it."""
    if width <= 0 or visible_width(text) <= width:
        return text if width > 0 else ""
    room = width - visible_width(ellipsis)
    return truncate_to_width(text, room, "").removesuffix(RESET) + ellipsis if room >= 0 else ""


def closed(row: str) -> str:
    """Return a row with the styles ended that a text in it may have left open."""
    return row + RESET if "\x1b" in row and not row.endswith(RESET) else row
