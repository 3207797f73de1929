"""The rows of a tree: in depth-first order, joined by lines only where there is more than one way to go on.

All of it is worked out when the tree, the filter or the search changes; moving among the rows costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from pi_agent.session.entries import Entry
from pi_agent.session.tree import TreeNode
from pi_tui.frozen import slotted

_FORK, _LAST, _LINE, _GAP = "├─ ", "└─ ", "│  ", "   "
LEVEL_CELLS: Final = 3
# Of the lines in front of a row so many cells are kept: no screen shows more, and trees may be deep.
_MOST_CELLS: Final = 60


@slotted(eq=False)
class Placed:
    """An entry in depth-first order, and where its parent is in that; -1 for a root."""

    entry: Entry
    parent: int


@slotted(eq=False)
class TreeRow:
    """An entry that shows: the row it hangs on (-1 for none), and the lines in front of it.

    `begins` says that a branch begins here, which may be folded if something follows.
    """

    entry: Entry
    parent: int
    lines: str = ""
    below: str = ""
    begins: bool = False
    children: int = 0

    @property
    def can_fold(self) -> bool:
        """Whether what follows may be hidden."""
        return self.begins and self.children > 0


def depth_first(roots: Sequence[TreeNode], active: Collection[str]) -> list[Placed]:
    """Return all entries in order: of several ways to go on the one that leads to the leaf comes first."""
    placed: list[Placed] = []
    waiting = [(node, -1) for node in reversed(_active_first(roots, active))]
    while waiting:
        node, parent = waiting.pop()
        placed.append(Placed(node.entry, parent))
        here = len(placed) - 1
        children = node.children
        if len(children) > 1:
            children = _active_first(children, active)
        waiting += [(child, here) for child in reversed(children)]
    return placed


def visible_rows(placed: Sequence[Placed], shows: Callable[[Entry], bool]) -> list[TreeRow]:
    """Return the rows of the entries that show, each hung on the nearest one before it that does."""
    rows: list[TreeRow] = []
    above: list[int] = []  # of each entry: its own row, else the nearest one before it
    for each in placed:
        parent = above[each.parent] if each.parent >= 0 else -1
        if shows(each.entry):
            rows.append(TreeRow(each.entry, parent))
            parent = len(rows) - 1
        above.append(parent)
    _draw_lines(rows)
    return rows


def unfolded_rows(rows: Sequence[TreeRow], folded: Collection[str]) -> list[int]:
    """Return the indexes of the rows that no folded branch hides."""
    if not folded:
        return list(range(len(rows)))
    shown: list[int] = []
    is_shut: list[bool] = []  # of each row: whether what follows it is hidden
    for index, row in enumerate(rows):
        hides = row.parent >= 0 and is_shut[row.parent]
        if not hides:
            shown.append(index)
        is_shut.append(hides or (row.can_fold and row.entry.id in folded))
    return shown


def _active_first(nodes: Sequence[TreeNode], active: Collection[str]) -> list[TreeNode]:
    return sorted(nodes, key=lambda node: node.entry.id not in active)


def _draw_lines(rows: Sequence[TreeRow]) -> None:
    roots = 0
    for row in rows:
        if row.parent >= 0:
            rows[row.parent].children += 1
        else:
            roots += 1
    seen = [0] * (len(rows) + 1)  # the last one counts the roots
    for row in rows:
        parent = rows[row.parent] if row.parent >= 0 else None
        siblings = parent.children if parent is not None else roots
        lines = parent.below if parent is not None else ""
        seen[row.parent] += 1
        row.begins = parent is None or siblings > 1
        if siblings < 2:
            row.lines = row.below = lines
            continue
        is_last = seen[row.parent] == siblings
        row.lines = (lines + (_LAST if is_last else _FORK))[-_MOST_CELLS:]
        row.below = (lines + (_GAP if is_last else _LINE))[-_MOST_CELLS:]
