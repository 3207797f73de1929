"""Trees: empty, as usual, deep, with wide labels, and more rows than there is room for."""

from __future__ import annotations

from pi_tui.components.tree import Tree, TreeNode
from pi_tui.theme import Theme, get_select_list_theme


def _leaf(label: str) -> TreeNode[str]:
    return TreeNode(label, label)


def _branch(label: str, *children: TreeNode[str], expanded: bool = True) -> TreeNode[str]:
    return TreeNode(label, label, children, expanded)


def _deep(levels: int) -> TreeNode[str]:
    node = _leaf("the innermost of all")
    for level in range(levels, 0, -1):
        node = _branch(f"level {level}", node, _leaf("beside it"))
    return node


def _tree(theme: Theme, *roots: TreeNode[str], selected: int = 0, most: int = 30) -> Tree[str]:
    tree = Tree(roots, most, get_select_list_theme(theme))
    tree.set_selected_index(selected)
    return tree


def _project(theme: Theme) -> Tree[str]:
    toolkit = _branch("pi_tui", _leaf("width.py"), _leaf("wrap.py"))
    tests = _branch("tests", _leaf("test_width.py"), expanded=False)
    return _tree(theme, _branch("project", toolkit, tests), _leaf("README.md"), selected=2)


STORIES = {
    "empty": _tree,
    "usual": _project,
    "deep": lambda theme: _tree(theme, _deep(9), selected=9),
    "wide-labels": lambda theme: _tree(
        theme,
        _branch("日本語のフォルダー", _leaf("とても長い名前のファイル.txt"), _leaf("👍🏽 yes")),
    ),
    "more-than-fits": lambda theme: _tree(
        theme, _branch("numbers", *(_leaf(str(n)) for n in range(40))), selected=20, most=5
    ),
    "labels-of-others": lambda theme: _tree(theme, _leaf("\x1b[31mred"), _leaf("two\nlines\x07")),
}
