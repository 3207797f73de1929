"""What stands around a dialog in the editor's place: a rule, the title with its countdown, and a rule."""

from __future__ import annotations

from typing import Final

from pi_tui.frozen import frozen
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width
from pi_tui.wrap import wrap_rows

_MORE: Final = "…"


@frozen
class Frame:
    """The rows above and below what the dialog is about."""

    above: list[str]
    below: list[str]


def frame(
    title: str,
    theme: Theme,
    width: int,
    remaining: int | None,
    max_rows: int | None,
    *,
    keep: int,
) -> Frame:
    """Return the rows around a dialog; `remaining` seconds are told in the title.

    Of `max_rows` at least `keep` are left to the dialog: first the rules go, then rows of the title, which says so.
    """
    text = title if remaining is None else f"{title} ({remaining}s)"
    rows = wrap_rows(theme.style(text, fg="accent", bold=True), width)
    rule = [theme.fg("border", "─" * width)]
    if max_rows is None or len(rows) + 2 + keep <= max_rows:
        return Frame([*rule, *rows], rule)
    kept = rows[: max(0, max_rows - keep)]
    if kept and len(kept) < len(rows):
        kept[-1] = truncate_to_width(kept[-1] + theme.fg("accent", _MORE), width, _MORE)
    return Frame(kept, [])
