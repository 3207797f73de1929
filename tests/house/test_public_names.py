"""The public names: sorted, each loadable, the same as type checkers see, and each with a docstring."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import pi_tui.testing

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("pi_agent", "pi_tui", "pi_tui.components")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_can_be_loaded(package: str) -> None:
    module = importlib.import_module(package)
    assert len(module.__all__) == len(set(module.__all__))
    for name in module.__all__:
        assert getattr(module, name) is not None
        # A module that is imported takes the place of a name that is loaded on first use.
        assert not Path(str(module.__file__)).with_name(f"{name}.py").exists()
    assert set(dir(module)) == set(module.__all__)
    with pytest.raises(AttributeError, match="no attribute"):
        _ = module.no_such_name


def test_the_names_for_tests_are_sorted_and_there() -> None:
    names = pi_tui.testing.__all__
    assert names == sorted(set(names))
    assert all(getattr(pi_tui.testing, name).__doc__ for name in names)


@pytest.mark.parametrize("package", PACKAGES)
def test_type_checkers_see_the_same_names(package: str) -> None:
    path = ROOT / package.replace(".", "/") / "__init__.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname or alias.name
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == set(importlib.import_module(package).__all__)


def public_things() -> list[tuple[str, ast.AST]]:
    """Return every public module, class, function and method of the source."""
    found: list[tuple[str, ast.AST]] = []
    for package in ("pi_tui", "pi_agent"):
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            name = path.relative_to(ROOT).as_posix()
            found.append((name, tree))
            for node in tree.body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    found += named(node, name)
    return found


def named(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, where: str
) -> list[tuple[str, ast.AST]]:
    if node.name.startswith("_") or any("overload" in ast.unparse(d) for d in node.decorator_list):
        return []
    label = f"{where}: {node.name}"
    found: list[tuple[str, ast.AST]] = [(label, node)]
    if isinstance(node, ast.ClassDef):
        for member in node.body:
            if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
                setter = any(ast.unparse(d).endswith(".setter") for d in member.decorator_list)
                if not setter:
                    found += named(member, label)
    return found


def test_every_public_thing_has_a_docstring() -> None:
    missing = [
        label
        for label, node in public_things()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and not ast.get_docstring(node)
    ]
    assert not missing, "\n".join(missing)
