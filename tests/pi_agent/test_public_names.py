"""The names that `pi_agent` offers to extensions."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pi_agent


def test_public_names_are_sorted_and_load() -> None:
    """Each on first use."""
    assert pi_agent.__all__ == sorted(set(pi_agent.__all__))
    for name in pi_agent.__all__:
        assert getattr(pi_agent, name) is not None
    assert not hasattr(pi_agent, "does_not_exist")


def test_type_checkers_see_the_same_names() -> None:
    """The block for them imports exactly what is offered."""
    tree = ast.parse(Path(pi_agent.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    seen = {alias.asname or alias.name for node in imports for alias in node.names}
    assert seen == set(pi_agent.__all__)


def test_importing_the_package_loads_nothing_heavy() -> None:
    """`pi --version` comes through here."""
    code = "import sys, pi_agent; print(*sorted(set(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"asyncio", "pydantic", "urwid", "httpx", "pi_tui"} & set(loaded)
