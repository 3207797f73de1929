"""Whatever texts components are given, and however narrow they are: no row is wider than the width."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import Renderable
from pi_tui.components.command_palette import CommandPalette, PaletteCommand
from pi_tui.components.diff_view import DiffView
from pi_tui.components.key_hints import KeyHint, KeyHints
from pi_tui.components.progress import Progress
from pi_tui.components.split import Split
from pi_tui.components.table import Table
from pi_tui.components.tabs import Tab, Tabs
from pi_tui.components.text import Text
from pi_tui.components.tree import Tree, TreeNode
from pi_tui.emulator import GridTerminal
from pi_tui.frame import resolve_cursor
from pi_tui.theme import SelectListTheme
from tests.pi_tui.strategies import styled_texts


def colored(text: str) -> str:
    """Return text in red."""
    return f"\x1b[31m{text}\x1b[39m"


RED = SelectListTheme(colored, colored, colored, colored, colored)


def progress(texts: list[str]) -> Renderable:
    shown = Progress(None, 1000, texts[0], lambda amount: f"{amount} {texts[-1]}")
    shown.update(len(texts) * 77)
    return shown


def tree(texts: list[str]) -> Renderable:
    node = TreeNode(texts[0], 0)
    for text in texts:
        node = TreeNode(text, 0, [node, TreeNode(text, 1)], expanded=True)
    return Tree([node], 30, RED)


def palette(texts: list[str]) -> Renderable:
    commands = [PaletteCommand("tui.select.up", text, texts[-1]) for text in texts]
    made = CommandPalette(commands, 3, RED, placeholder=texts[0])
    made.set_query(texts[-1][:1])
    return made


MAKERS: dict[str, Callable[[list[str]], Renderable]] = {
    "progress": progress,
    "tree": tree,
    "table": lambda texts: Table(texts, [texts, texts[1:]], 5, RED),
    "hints": lambda texts: KeyHints(
        [KeyHint("tui.select.up", t, print) for t in texts], max_rows=3
    ),
    "palette": palette,
    "tabs": lambda texts: Tabs([Tab(text, Text(text)) for text in texts]),
    "split": lambda texts: Split(Text(texts[0]), Text(texts[-1]), min_columns=3),
    "diff unified": lambda texts: DiffView("\n".join(texts), "\n".join(texts[1:]), None, "unified"),
    "diff": lambda texts: DiffView("\n".join(texts), "\n".join(texts[::-1]), None, "sideBySide"),
}


@pytest.mark.parametrize("name", MAKERS)
@given(texts=st.lists(styled_texts, min_size=1, max_size=5), width=st.integers(1, 50))
@settings(max_examples=60)
def test_rows_fit(name: str, texts: list[str], width: int) -> None:
    for row in MAKERS[name](texts).render(width):
        assert "\n" not in row
        # With two columns to spare, so that what does not fit is seen.
        terminal = GridTerminal(width + 2, 2)
        terminal.write(resolve_cursor(row, False))
        assert terminal.cursor[1] == 0 and terminal.cursor[0] <= width, repr(row)
        terminal.write("x")
        x, y = terminal.cursor
        # Links end with their row anyway; colours have to be ended by who began them.
        style = replace(terminal.cell(x - 1, y).style, link="")
        assert style == GridTerminal(1, 1).cell(0, 0).style, repr(row)
