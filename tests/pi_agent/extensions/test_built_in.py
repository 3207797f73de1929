"""Extensions that ship with pi: how they are named, and when they are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.extensions.built_in import (
    built_in_extensions,
    extension_file,
    left_on,
    unknown_switches,
)


@pytest.fixture
def shipped(tmp_path: Path) -> dict[str, Path]:
    for name in ("zoo", "ant"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "no_entry").mkdir()
    (tmp_path / "README.md").write_text("")
    return built_in_extensions(tmp_path)


def test_a_folder_with_an_entry_file_is_one_in_the_order_of_names(
    shipped: dict[str, Path], tmp_path: Path
) -> None:
    assert shipped == {
        "builtin:ant": tmp_path / "ant" / "__init__.py",
        "builtin:zoo": tmp_path / "zoo" / "__init__.py",
    }


def test_a_source_is_a_file_or_a_name(shipped: dict[str, Path]) -> None:
    assert extension_file("builtin:zoo", shipped) == shipped["builtin:zoo"]
    assert extension_file("some/file.py", shipped) == Path("some/file.py")
    with pytest.raises(PiError) as raised:
        extension_file("builtin:cat", shipped)
    assert raised.value.with_hint() == (
        "Unknown built-in extension: builtin:cat\nThere are: builtin:ant, builtin:zoo."
    )


def test_switches_leave_out_and_what_is_named_is_not_unasked(shipped: dict[str, Path]) -> None:
    ant, zoo = shipped.values()
    assert left_on(shipped, [], ()) == [ant, zoo]
    assert left_on(shipped, ["-builtin:zoo"], ()) == [ant]
    assert left_on(shipped, [], [ant]) == [zoo]


def test_a_switch_that_leaves_nothing_out_is_named(shipped: dict[str, Path]) -> None:
    known = '"-builtin:ant", "-builtin:zoo"'
    switches = ["-builtin:zoo", "builtin:zoo", "-builtin:cat", "file.py"]
    assert unknown_switches(shipped, switches) == [
        f'extensions: "{wrong}" leaves out nothing. It may be: {known}.' for wrong in switches[1:]
    ]


def test_without_the_folder_there_are_none(tmp_path: Path) -> None:
    assert built_in_extensions(tmp_path / "missing") == {}
