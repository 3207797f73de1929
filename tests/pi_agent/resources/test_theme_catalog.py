"""Which themes there are, and which of several with one name counts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.base.paths import AgentPaths
from pi_agent.resources.settings import SettingsStore
from pi_agent.resources.theme_catalog import ThemeCatalog, ThemeInfo


def write(path: Path, name: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"name": name}))
    return path


def catalog(
    folder: Path, *named: Path, themes: list[str] | None = None, only_named: bool = False
) -> ThemeCatalog:
    settings = SettingsStore()
    settings.set({"themes": themes})
    paths = AgentPaths(folder / "agent", folder / "cache")
    return ThemeCatalog(paths, settings, named=named, only_named=only_named)


def test_without_files_there_are_those_that_come_with_pi(tmp_path: Path) -> None:
    found = catalog(tmp_path)
    assert found.names == ["system", "dark", "light"]
    assert found.infos[0] == ThemeInfo("system", None)
    assert all(info.path is not None and info.path.is_file() for info in found.infos[1:])
    assert found.problems == []


def test_all_places_are_looked_at_and_the_first_of_a_name_counts(tmp_path: Path) -> None:
    option = write(tmp_path / "option" / "x.json", "shared")
    own = write(tmp_path / "agent" / "themes" / "a.json", "shared")
    mine = write(tmp_path / "agent" / "themes" / "b.json", "mine")
    listed = write(tmp_path / "agent" / "more" / "c.json", "mine")
    dark = write(tmp_path / "agent" / "themes" / "d.json", "dark")
    found = catalog(tmp_path, option.parent, themes=["more"])
    assert found.names == ["system", "dark", "light", "mine", "shared"]
    assert found.own_names == ["mine", "shared"]
    assert found.path("shared") == option
    assert found.path("mine") == mine
    assert found.path("dark") != dark
    assert found.problems == [
        f'Theme file {own} is left out: {option} has the name "shared", too.',
        f'Theme file {dark} is left out: a theme named "dark" comes with pi.',
        f'Theme file {listed} is left out: {mine} has the name "mine", too.',
    ]


def test_one_file_named_twice_is_one_theme(tmp_path: Path) -> None:
    own = write(tmp_path / "agent" / "themes" / "a.json", "a")
    found = catalog(tmp_path, own, own.parent, themes=["themes/a.json"])
    assert found.own_names == ["a"]
    assert found.problems == []


def test_only_named_ones_may_be_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "agent" / "themes" / "a.json", "a")
    write(tmp_path / "agent" / "more" / "b.json", "b")
    option = write(tmp_path / "c.json", "c")
    assert catalog(tmp_path, option, themes=["more"], only_named=True).own_names == ["c"]


@pytest.mark.parametrize(
    ("themes", "left"),
    [
        (["!*-old.json"], ["a", "b"]),
        (["!themes/*"], []),
        (["!themes/*", "+themes/b.json"], ["b"]),
        (["-themes/b.json"], ["a", "a-old"]),
        (["-themes/b.json", "+themes/b.json"], ["a", "a-old"]),
        (["!nothing"], ["a", "a-old", "b"]),
    ],
)
def test_the_setting_leaves_files_out(tmp_path: Path, themes: list[str], left: list[str]) -> None:
    for name in ("a", "b", "a-old"):
        write(tmp_path / "agent" / "themes" / f"{name}.json", name)
    assert catalog(tmp_path, themes=themes).own_names == left


@pytest.mark.parametrize("entry", ["missing", "~nobody-of-this-name/x", "a\0b", ""])
def test_a_path_where_nothing_is_is_told(tmp_path: Path, entry: str) -> None:
    found = catalog(tmp_path, themes=[entry])
    assert found.names == ["system", "dark", "light"]
    (problem,) = found.problems
    assert problem.startswith("There are no themes at ")


def test_a_file_that_cannot_be_read_has_its_files_name(tmp_path: Path) -> None:
    folder = tmp_path / "agent" / "themes"
    write(folder / "fine.json", "fine")
    (folder / "broken.json").write_text("{")
    (folder / "list.json").write_text("[]")
    (folder / "nameless.json").write_text('{"name": ""}')
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    assert catalog(tmp_path).own_names == ["broken", "fine", "list", "nameless"]


def test_a_new_file_is_found_when_it_is_asked_for(tmp_path: Path) -> None:
    found = catalog(tmp_path)
    with pytest.raises(PiError, match=r'Theme "late" was not found\.') as told:
        found.path("late")
    assert told.value.hint == "There are: system, dark, light."
    path = write(tmp_path / "agent" / "themes" / "late.json", "late")
    assert found.path("late") == path
    write(tmp_path / "agent" / "themes" / "later.json", "later")
    assert found.own_names == ["late"]
    found.refresh()
    assert found.own_names == ["late", "later"]
