"""A tree: branches open and close by keys and clicks, and the selection stays where the user put it."""

from __future__ import annotations

import pytest

from pi_tui.component import identity
from pi_tui.components.tree import Tree, TreeNode
from pi_tui.theme import SelectListTheme
from tests.pi_tui.components.on_screen import on_screen

pytestmark = pytest.mark.anyio
PLAIN = SelectListTheme(identity, identity, identity, identity, identity)


def leaf(label: str) -> TreeNode[str]:
    return TreeNode(label, label)


def branch(label: str, *children: TreeNode[str], expanded: bool = False) -> TreeNode[str]:
    return TreeNode(label, label, children, expanded)


def project() -> tuple[Tree[str], list[str]]:
    """Return a tree, and what it reports as chosen."""
    roots = [branch("src", branch("ui", leaf("a.py"), leaf("b.py")), leaf("c.py")), leaf("README")]
    tree = Tree(roots, 20, PLAIN)
    chosen: list[str] = []
    tree.on_select = lambda node: chosen.append(node.value)
    return tree, chosen


async def test_right_goes_in_left_goes_out_and_enter_chooses_a_leaf() -> None:
    tree, chosen = project()
    async with on_screen(tree, 20, 6) as pilot:
        assert pilot.lines()[:2] == ["→ ▸ src", "    README"]
        pilot.press("right", "right", "right", "right")
        assert pilot.lines() == [
            "  ▾ src",
            "  ├─▾ ui",
            "→ │ ├── a.py",
            "  │ └── b.py",
            "  └── c.py",
            "    README",
        ]
        pilot.press("enter")
        assert chosen == ["a.py"]
        pilot.press("left", "left")
        assert pilot.lines()[1:3] == ["→ ├─▸ ui", "  └── c.py"]
        pilot.press("left", "enter")
        assert pilot.lines()[:2] == ["→ ▸ src", "    README"]
        assert chosen == ["a.py"]


async def test_clicks_do_all_that_keys_do() -> None:
    tree, chosen = project()
    async with on_screen(tree, 20, 6) as pilot:
        pilot.click(2, 0)  # on the sign
        assert pilot.lines()[1] == "  ├─▸ ui"
        pilot.click(8, 1)  # on a label
        assert pilot.lines()[1:3] == ["→ ├─▾ ui", "  │ ├── a.py"]
        pilot.click(9, 2)
        assert chosen == ["a.py"]
        pilot.click(4, 1)  # on the sign of the inner branch
        assert pilot.lines()[1:3] == ["→ ├─▸ ui", "  └── c.py"]


async def test_closing_a_branch_with_the_selection_in_it_selects_the_branch() -> None:
    inner = branch("inner", leaf("deep"), expanded=True)
    outer = branch("outer", inner, expanded=True)
    tree = Tree([outer, leaf("after")], 20, PLAIN)
    tree.set_selected_index(2)
    tree.set_expanded(outer, False)
    assert tree.get_selected_node() is outer
    tree.set_selected_index(1)
    tree.set_expanded(outer, True)
    selected = tree.get_selected_node()
    assert selected is not None and selected.label == "after"


async def test_children_are_made_when_they_are_first_shown_and_only_then() -> None:
    asked: list[str] = []

    def children(name: str) -> list[TreeNode[str]]:
        asked.append(name)
        return [leaf(f"{name}/x"), TreeNode("y", "y", lambda: children(f"{name}/y"))]

    tree = Tree([TreeNode("root", "root", lambda: children("root"))], 20, PLAIN)
    tree.render(40)
    assert asked == []
    node = tree.get_selected_node()
    assert node is not None
    for expanded in (True, False, True):
        tree.set_expanded(node, expanded)
    assert asked == ["root"]
    assert len(tree.render(40)) == 3


async def test_a_frame_draws_the_rows_in_sight_of_a_hundred_thousand() -> None:
    drawn: list[str] = []

    def text(row: str) -> str:
        drawn.append(row)
        return row

    theme = SelectListTheme(identity, text, identity, identity, identity)
    tree = Tree([leaf(str(n)) for n in range(100_000)], 10, theme)
    async with on_screen(tree, 20, 10) as pilot:
        drawn.clear()
        pilot.press("end")
        assert pilot.lines()[-2:] == ["→   99999", "  (100000/100000)"]
        assert len(drawn) < 10


async def test_the_way_out_is_told_and_a_key_that_means_nothing_is_left_to_others() -> None:
    tree, _ = project()
    left: list[bool] = []
    tree.on_cancel = lambda: left.append(True)
    async with on_screen(tree) as pilot:
        pilot.press("escape")
    assert left == [True]


async def test_a_tree_may_be_deeper_than_functions_can_call_each_other() -> None:
    node = leaf("end")
    for _ in range(3000):
        node = branch("level", node, expanded=True)
    assert len(Tree([node], 5, PLAIN).shown_nodes) == 3001


async def test_loading_a_branch_may_show_another_tree() -> None:
    def load() -> list[TreeNode[str]]:
        tree.set_roots([leaf("first"), lazy])
        return [leaf("inner")]

    lazy = TreeNode("lazy", "lazy", load)
    tree = Tree([lazy], 5, PLAIN)
    async with on_screen(tree, 20, 4) as pilot:
        pilot.press("right")
        assert pilot.lines() == ["→   first", "  ▾ lazy", "  └── inner", ""]


async def test_a_node_is_selected_by_the_program_unless_a_closed_branch_hides_it() -> None:
    inner = leaf("inner")
    outer = branch("outer", inner)
    tree = Tree([leaf("first"), outer], 20, PLAIN)
    assert not tree.select_node(inner) and tree.render(20)[0] == "→   first"
    tree.set_expanded(outer, True)
    assert tree.select_node(inner) and tree.render(20)[2] == "→ └── inner"
