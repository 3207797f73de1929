"""Completing a path: what its folder holds, written on in the way that it was typed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pi_tui.files.completion import MAX_MATCHES, complete_path
from pi_tui.files.typed_path import PathRoots
from tests.pi_tui.files.trees import make_tree

TREE = ["project/src/app.py", "project/Setup.cfg", "project/.env", "project/été.md", "home/Notes/"]


def _complete(top: Path, typed: str) -> list[str]:
    roots = PathRoots(str(top / "project"), str(top / "home"))
    return [match.written for match in complete_path(typed, roots)]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", ["src/", ".env", "été.md", "Setup.cfg"]),
        ("S", ["src/", "Setup.cfg"]),
        ("./s", ["./src/", "./Setup.cfg"]),
        ("src/", ["src/app.py"]),
        ("src//", ["src//app.py"]),
        ("~", ["~/Notes/"]),
        ("~/n", ["~/Notes/"]),
        ("..", ["../"]),
        ("../h", ["../home/"]),
        (".", [".env"]),
        ("e\u0301t", ["été.md"]),
        ("ÉT", ["été.md"]),
        ("nowhere/x", []),
        ("Setup.cfg/", []),
    ],
)
def test_a_path_goes_on_as_it_was_typed(tmp_path: Path, typed: str, expected: list[str]) -> None:
    make_tree(tmp_path, TREE)
    assert _complete(tmp_path, typed) == expected


def test_an_absolute_path_stays_absolute(tmp_path: Path) -> None:
    make_tree(tmp_path, TREE)
    assert _complete(tmp_path, f"{tmp_path}/pro") == [f"{tmp_path}/project/"]


def test_a_link_to_a_folder_is_a_folder_and_a_broken_one_a_file(tmp_path: Path) -> None:
    make_tree(tmp_path, TREE)
    (tmp_path / "project/docs").symlink_to(tmp_path / "home")
    (tmp_path / "project/gone").symlink_to(tmp_path / "nowhere")
    assert _complete(tmp_path, "d") == ["docs/"]
    assert _complete(tmp_path, "docs/") == ["docs/Notes/"]
    assert _complete(tmp_path, "g") == ["gone"]


def test_names_that_an_editor_would_change_are_left_out(tmp_path: Path) -> None:
    make_tree(tmp_path, [*TREE, "project/two\nlines", "project/tab\there", "project/bell\x07"])
    Path(os.fsdecode(os.fsencode(tmp_path / "project") + b"/torn\xff")).touch()
    assert _complete(tmp_path, "t") == []
    assert _complete(tmp_path, "b") == []


def test_of_a_very_full_folder_the_first_are_offered(tmp_path: Path) -> None:
    make_tree(tmp_path / "project", [f"f{number:04}" for number in range(MAX_MATCHES + 5)])
    (tmp_path / "project/fz").mkdir()
    found = _complete(tmp_path, "f")
    assert found[:2] == ["fz/", "f0000"]
    assert len(found) == MAX_MATCHES
