"""Packages of the screen load what they name when it is used."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from pi_agent.ui import dialogs, renderers

PACKAGES = [dialogs, renderers]
each = pytest.mark.parametrize("package", PACKAGES, ids=["dialogs", "renderers"])


@each
def test_every_name_can_be_used_and_is_the_one_of_its_module(package: object) -> None:
    for name in vars(package)["__all__"]:
        value = getattr(package, name)
        assert value is getattr(importlib.import_module(value.__module__), name)
        assert vars(package)[name] is value, "it is looked for only once"


@each
def test_type_checkers_see_the_same_names(package: object) -> None:
    path = Path(str(vars(package)["__file__"]))
    block = next(
        node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.If)
    )
    seen = {
        alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == set(vars(package)["__all__"])


@each
def test_another_name_is_refused_in_plain_words(package: object) -> None:
    with pytest.raises(
        AttributeError, match=r"module 'pi_agent\.ui\.\w+' has no attribute 'no_such'"
    ):
        _ = package.no_such  # type: ignore[attr-defined]  # that is the point
