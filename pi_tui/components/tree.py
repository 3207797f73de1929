"""`Tree`: nodes below nodes, opened and closed by keys and clicks; closed branches cost nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from pi_tui.choices import closed, cut_text, single_line
from pi_tui.events import KeyEvent, MouseEvent, MouseResult
from pi_tui.frozen import frozen, slotted
from pi_tui.keybindings import KeybindingsManager
from pi_tui.keys import matches_key
from pi_tui.selectable_rows import MARK, NO_MARK, SelectableRows
from pi_tui.theme import SelectListTheme

_STEP = 2  # cells a level
_LEAST_LABEL = 8
_OPEN, _CLOSED = "▾ ", "▸ "

T = TypeVar("T")


@slotted(eq=False)
class TreeNode(Generic[T]):
    """A node with a value of the program's own.

    `children` may be a function, which is called when they are first shown.
    """

    label: str
    value: T
    children: Sequence[TreeNode[T]] | Callable[[], Sequence[TreeNode[T]]] = ()
    expanded: bool = False

    @property
    def is_branch(self) -> bool:
        """Whether there are children, or may be some."""
        return bool(self.children)

    def load(self) -> Sequence[TreeNode[T]]:
        """Return the children, made now if they were not yet."""
        if callable(self.children):
            self.children = self.children()
        return self.children


@frozen
class _Row(Generic[T]):
    """A node in sight of the list, how deep it lies, and the lines that lead to it."""

    node: TreeNode[T]
    depth: int
    guides: str
    is_last: bool


class Tree(SelectableRows, Generic[T]):
    """A tree of which the open branches show.

    Right opens a branch or goes into it, Left closes it or goes out of it, Space does either; Enter or a click
    chooses a leaf (`on_select`) and opens or closes a branch, or chooses that as well (`selects_branches`).
    Where it is narrow the lines of the outer levels give way to the labels.
    """

    def __init__(
        self,
        roots: Sequence[TreeNode[T]],
        max_visible: int,
        theme: SelectListTheme,
        *,
        selects_branches: bool = False,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        super().__init__(max_visible, theme, keybindings=keybindings)
        self.on_select: Callable[[TreeNode[T]], object] | None = None
        self.on_cancel: Callable[[], object] | None = None
        self.on_selection_change: Callable[[TreeNode[T]], object] | None = None
        self.selects_branches = selects_branches
        self._rows_shown: list[_Row[T]] = []
        self.set_roots(roots)

    def set_roots(self, roots: Sequence[TreeNode[T]]) -> None:
        """Show another tree; its first node is selected."""
        self._rows_shown = list(_open_rows(roots, 0, ""))
        self.set_selected_index(0)
        self.invalidate()

    @property
    def shown_nodes(self) -> list[TreeNode[T]]:
        """The nodes that no closed branch hides, from top to bottom."""
        return [row.node for row in self._rows_shown]

    def get_selected_node(self) -> TreeNode[T] | None:
        """Return the selected node; `None` in an empty tree."""
        return self._rows_shown[self.selected_index].node if self._rows_shown else None

    def select_node(self, node: TreeNode[T]) -> bool:
        """Select a node; `False` if a closed branch hides it. Nobody is told."""
        for index, row in enumerate(self._rows_shown):
            if row.node is node:
                self.set_selected_index(index)
                return True
        return False

    def set_expanded(self, node: TreeNode[T], expanded: bool) -> None:
        """Open or close a branch; the selection stays, or goes to the branch that now hides it."""
        if not node.is_branch or node.expanded == expanded:
            return
        children = node.load() if expanded else ()
        index = next((i for i, row in enumerate(self._rows_shown) if row.node is node), None)
        node.expanded = expanded
        self.invalidate()
        if index is None:
            return
        row = self._rows_shown[index]
        selected = self.selected_index
        start, stop = index + 1, self._end_of(index)
        inner = list(_open_rows(children, row.depth + 1, _guides_below(row)))
        self._rows_shown[start:stop] = inner
        if selected >= stop:
            self.set_selected_index(selected + len(inner) - (stop - start))
        elif selected > index:
            self.set_selected_index(index)

    def _end_of(self, index: int) -> int:
        """Return where the rows below a node end."""
        rows, depth = self._rows_shown, self._rows_shown[index].depth
        end = index + 1
        while end < len(rows) and rows[end].depth > depth:
            end += 1
        return end

    # -- as a list

    def row_count(self) -> int:
        """Return how many nodes show."""
        return len(self._rows_shown)

    def row_key(self, index: int) -> object:
        """Return a node."""
        return self._rows_shown[index].node

    def draw_row(self, index: int, width: int, is_selected: bool) -> str:
        """Return a node behind the lines that lead to it."""
        row = self._rows_shown[index]
        prefix = MARK if is_selected else NO_MARK
        sign = _sign(row)
        guides = _fitted(_guides_of(row), width - len(prefix) - len(sign) - _LEAST_LABEL)
        lead = f"{prefix}{guides}{sign}"
        label = cut_text(single_line(row.node.label), width - len(lead), "…")
        if is_selected:
            return closed(self.theme.selected_text(cut_text(lead + label, width)))
        return closed(self.theme.description(cut_text(lead, width)) + self.theme.text(label))

    def selection_changed(self) -> None:
        """Tell which node is selected now."""
        node = self.get_selected_node()
        if node is not None:
            self._callbacks.call(self.on_selection_change, node)

    def confirmed(self, key: object) -> None:
        """Choose a node, or open or close it."""
        if not isinstance(key, TreeNode):
            return
        if key.is_branch and not self.selects_branches:
            self.set_expanded(key, not key.expanded)
        else:
            self._callbacks.call(self.on_select, key)

    def cancelled(self) -> bool:
        """Tell that the user wants to leave."""
        self._callbacks.call(self.on_cancel)
        return self.on_cancel is not None

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Open, close, move, choose; `False` for a key that means nothing here."""
        node = self.get_selected_node()
        if node is not None:
            if self.keybindings.matches(event, "tui.tree.open"):
                return self._go_in(node)
            if self.keybindings.matches(event, "tui.tree.close"):
                return self._go_out(node)
            if matches_key(event, "space") and node.is_branch:
                self.set_expanded(node, not node.expanded)
                return True
        return super().handle_key(event)

    def take_press(self, event: MouseEvent) -> MouseResult | None:
        """Do as a list does; a press on the sign of a branch opens or closes it at once."""
        index = self.row_at(event.y)
        if index is not None:
            row = self._rows_shown[index]
            guides = _fitted(_guides_of(row), event.width - 2 * _STEP - _LEAST_LABEL)
            if row.node.is_branch and 0 <= event.x - _STEP - len(guides) < _STEP:
                self.select(index)
                self.set_expanded(row.node, not row.node.expanded)
                return MouseResult(handled=True, focus=True)
        return super().take_press(event)

    def _go_in(self, node: TreeNode[T]) -> bool:
        if node.is_branch and not node.expanded:
            self.set_expanded(node, True)
        elif self._end_of(self.selected_index) > self.selected_index + 1:
            self.select(self.selected_index + 1)
        return True

    def _go_out(self, node: TreeNode[T]) -> bool:
        if node.is_branch and node.expanded:
            self.set_expanded(node, False)
            return True
        depth = self._rows_shown[self.selected_index].depth
        for index in range(self.selected_index - 1, -1, -1):
            if self._rows_shown[index].depth < depth:
                self.select(index)
                break
        return True


def _open_rows(nodes: Sequence[TreeNode[T]], depth: int, guides: str) -> Iterator[_Row[T]]:
    """Yield these nodes and, below each, what its open branches show. No recursion: trees may be deep."""
    waiting = [_Row(node, depth, guides, node is nodes[-1]) for node in reversed(nodes)]
    while waiting:
        row = waiting.pop()
        yield row
        if row.node.expanded and row.node.is_branch:
            below, inner = row.node.load(), _guides_below(row)
            waiting += [_Row(n, row.depth + 1, inner, n is below[-1]) for n in reversed(below)]


def _sign(row: _Row[T]) -> str:
    if row.node.is_branch:
        return _OPEN if row.node.expanded else _CLOSED
    return "─ " if row.depth else "  "


def _guides_of(row: _Row[T]) -> str:
    if not row.depth:
        return ""
    return row.guides + ("└─" if row.is_last else "├─")


def _guides_below(row: _Row[T]) -> str:
    if not row.depth:
        return ""
    return row.guides + ("  " if row.is_last else "│ ")


def _fitted(guides: str, room: int) -> str:
    """Return the innermost part of the lines that has room."""
    if len(guides) <= room:
        return guides
    return "…" + guides[len(guides) - room + 1 :] if room > 0 else ""
