"""Paths as models and people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.base.text_paths import find_existing, resolve_text_path

CWD = Path("/srv/project")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a.txt", "/srv/project/a.txt"),
        ("@a.txt", "/srv/project/a.txt"),
        ("@@a.txt", "/srv/project/@a.txt"),
        ("nowhere/../a.txt", "/srv/project/a.txt"),
        ("/etc/hosts", "/etc/hosts"),
        ("~", "/home/ada"),
        ("~/notes", "/home/ada/notes"),
        ("~notes", "/srv/project/~notes"),
        ("file:///tmp/a%20b", "/tmp/a b"),
        ("a\u00a0b\u3000c", "/srv/project/a b c"),
        ("", "/srv/project"),
    ],
)
def test_a_written_path_means_one_place(text: str, path: str) -> None:
    assert str(resolve_text_path(text, CWD, Path("/home/ada"))) == path


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("Shot at 5.03.02\u202fPM.png", "Shot at 5.03.02 PM.png"),
        ("cafe\u0301.txt", "caf\u00e9.txt"),
        ("caf\u00e9.txt", "cafe\u0301.txt"),
        ("it\u2019s.txt", "it's.txt"),
        ("l\u2019e\u0301cran.txt", "l'\u00e9cran.txt"),
    ],
)
def test_a_file_is_found_under_the_systems_own_spelling(
    tmp_path: Path, stored: str, typed: str
) -> None:
    (tmp_path / stored).touch()
    assert find_existing(tmp_path / typed) == tmp_path / stored
    (tmp_path / typed).touch()
    assert find_existing(tmp_path / typed) == tmp_path / typed
