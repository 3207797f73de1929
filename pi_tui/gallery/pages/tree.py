"""Nodes below nodes."""

from __future__ import annotations

from functools import partial

from pi_tui import get_select_list_theme
from pi_tui.components import Tree, TreeNode
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def _numbers(start: int, size: int) -> list[TreeNode[int]]:
    """Return ten nodes that divide `size` numbers, made when they are looked at."""
    part = size // 10
    if part < 1:
        return []
    return [
        TreeNode(f"{first:,} to {first + part - 1:,}", first, partial(_numbers, first, part))
        if part > 1
        else TreeNode(f"{first:,}", first)
        for first in range(start, start + size, part)
    ]


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    fruits = [
        TreeNode(name, 0) for name in ("りんご", "a pear with a long description of it", "fig")
    ]
    tree = Tree(
        [
            TreeNode("Fruits", 0, fruits, expanded=True),
            TreeNode("A million numbers", 0, partial(_numbers, 1, 1_000_000)),
        ],
        12,
        get_select_list_theme(stage.theme),
    )
    tree.on_select = lambda node: stage.say(f"chosen: {node.label}")
    return Piece(samples(stage.theme, ("", tree)), focus=(tree,))


PAGE = Page(
    "Tree",
    "Right opens and goes in, Left closes and goes out, Space does either; click on a sign, or choose a leaf.",
    build,
    ("Tree", "TreeNode", "SelectableRows"),
)
