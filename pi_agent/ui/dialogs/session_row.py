"""A session as a row: the lines of the tree, its name or first message, where it belongs, its length and age."""

from __future__ import annotations

from typing import Final

from pi_agent.base.text_paths import with_tilde
from pi_agent.session.overview import SessionInfo, age_text
from pi_agent.ui.cut import end_of
from pi_agent.ui.plain import plain_line
from pi_tui.frozen import frozen
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width, visible_width

_LEAST_TITLE: Final = 12
_WIDTH_FOR_FOLDERS: Final = 60
_GAP: Final = "  "
# Cells that a level of the tree takes.
_LINE: Final = 3


@frozen
class RowLook:
    """What the rows of a list show. Paths are written with `~` for `home`."""

    shows_path: bool
    shows_folder: bool
    home: str | None


def session_row(
    info: SessionInfo,
    lines: str,
    width: int,
    theme: Theme,
    look: RowLook,
    *,
    age: float,
    is_selected: bool,
) -> str:
    """Return the row; facts go where they would leave too little of the title."""
    mark = "→ " if is_selected else "  "
    facts = _facts(info, age)
    if look.shows_folder and not look.shows_path and width >= _WIDTH_FOR_FOLDERS:
        folder = _path(info.header.cwd, look, width // 4)
        facts = _GAP + truncate_to_width(folder, width // 4, "", pad=True) + facts
    room = width - len(mark) - visible_width(facts)
    if room < _LEAST_TITLE:
        facts, room = "", width - len(mark)
    lines = lines[-(room // 2 // _LINE * _LINE) :] if room > _LINE else ""
    room -= len(lines)
    text = _path(str(info.path), look, room) if look.shows_path else plain_line(info.title)
    title = lines + truncate_to_width(text, room, "…", pad=bool(facts))
    color = "accent" if is_selected else "warning" if info.name else "text"
    row = theme.fg("accent", mark) + theme.fg(color, title) + theme.fg("dim", facts)
    return truncate_to_width(row, width, "")


def _facts(info: SessionInfo, age: float) -> str:
    count = "…" if info.message_count is None else str(info.message_count)
    return f"{_GAP}{count:>4}{_GAP}{age_text(age):>4}"


def _path(path: str, look: RowLook, width: int) -> str:
    return end_of(plain_line(with_tilde(path, look.home)), width)
