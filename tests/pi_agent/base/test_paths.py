"""Where things are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.base.paths import AgentPaths, SessionFolder, bundled, cwd_key, make_private_folder


def test_everything_lies_below_the_home_directory_by_default() -> None:
    paths = AgentPaths.from_environment({"HOME": "/home/ann"})
    assert paths.agent_dir == Path("/home/ann/.pi/agent")
    assert paths.logs_dir == Path("/home/ann/.pi/agent/logs")
    assert paths.cache_dir == Path("/home/ann/.cache/pi")
    assert paths.sessions_of(Path("/home/ann/my app")) == SessionFolder(
        Path("/home/ann/.pi/agent/sessions/--home-ann-my app--")
    )


def test_the_environment_moves_the_folders() -> None:
    paths = AgentPaths.from_environment(
        {
            "HOME": "/home/ann",
            "PI_CODING_AGENT_DIR": "~/agent",
            "XDG_CACHE_HOME": "/var/cache",
            "PI_CODING_AGENT_SESSION_DIR": "/data/sessions",
        }
    )
    assert paths.agent_dir == Path("/home/ann/agent")
    assert paths.cache_dir == Path("/var/cache/pi")
    assert paths.sessions_of(Path("/srv")) == SessionFolder(Path("/data/sessions"), is_flat=True)
    assert paths.all_sessions() == [SessionFolder(Path("/data/sessions"), is_flat=True)]


def test_the_cache_may_have_a_folder_of_its_own() -> None:
    environ = {"HOME": "/h", "XDG_CACHE_HOME": "/c", "PI_CODING_AGENT_CACHE_DIR": "/p/.cache/pi"}
    assert AgentPaths.from_environment(environ).cache_dir == Path("/p/.cache/pi")


def test_the_command_line_beats_the_environment() -> None:
    paths = AgentPaths.from_environment(
        {"HOME": "/h", "PI_CODING_AGENT_SESSION_DIR": "/a"}, session_dir="/b"
    )
    assert paths.session_dir == Path("/b")


def test_an_empty_variable_counts_as_unset() -> None:
    paths = AgentPaths.from_environment(
        {
            "HOME": "/home/ann",
            "PI_CODING_AGENT_DIR": "",
            "XDG_CACHE_HOME": "",
            "PI_CODING_AGENT_SESSION_DIR": "",
        }
    )
    assert paths == AgentPaths.from_environment({"HOME": "/home/ann"})


@pytest.mark.parametrize(
    ("cwd", "key"), [("/home/ann/my app", "home-ann-my app"), ("/a:b/c\\d", "a-b-c-d"), ("/", "")]
)
def test_a_directory_is_named_by_dashes(cwd: str, key: str) -> None:
    assert cwd_key(Path(cwd)) == key


def test_bundled_files_are_taken_from_the_source_tree_first(tmp_path: Path) -> None:
    package = tmp_path / "pi_agent"
    (package / "bundled" / "examples").mkdir(parents=True)
    (tmp_path / "examples").mkdir()
    assert bundled("examples", package=package) == package / "bundled" / "examples"
    (tmp_path / "pyproject.toml").touch()
    assert bundled("examples", package=package) == tmp_path / "examples"


def test_docs_and_themes_are_part_of_the_package() -> None:
    assert bundled("themes").is_dir()
    assert bundled("docs").is_dir()
    assert bundled("docs").parent.name == "pi_agent"


def test_missing_folders_are_made_for_their_owner_only(tmp_path: Path) -> None:
    make_private_folder(tmp_path / "a" / "b")
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")]
    assert modes == [0o700, 0o700]
