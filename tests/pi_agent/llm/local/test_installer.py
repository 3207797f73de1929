"""Which program is asked to install, and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.llm.local.installer import PythonEnvironment, find_installer


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


@pytest.fixture
def below(tmp_path: Path) -> Path:
    return tmp_path / "below"


@pytest.fixture
def environment(own: Path, below: Path) -> PythonEnvironment:
    """Return a virtual environment; what it and the Python below it have is in two folders."""
    return PythonEnvironment("/venv/bin/python", [str(own)], "/usr/bin/python3", [str(below)])


def has_pip(folder: Path, version: str) -> None:
    info = folder / f"pip-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: pip\nVersion: {version}\n")


def has_uv(folder: Path) -> dict[str, str]:
    folder.mkdir()
    (folder / "uv").write_text("#!/bin/sh\n")
    (folder / "uv").chmod(0o755)
    return {"PATH": str(folder)}


def test_the_pip_of_the_environment_comes_first(
    environment: PythonEnvironment, own: Path, below: Path, tmp_path: Path
) -> None:
    has_pip(own, "26.3")
    has_pip(below, "26.3")
    installer = find_installer(has_uv(tmp_path / "bin"), environment)
    assert installer is not None
    assert installer.command == ("/venv/bin/python", "-m", "pip", "install")
    assert installer.tells_progress


def test_a_pip_that_cannot_tell_progress_is_not_asked_to(
    environment: PythonEnvironment, own: Path
) -> None:
    has_pip(own, "23.2.1")
    installer = find_installer({"PATH": ""}, environment)
    assert installer is not None
    assert not installer.tells_progress
    assert "raw" not in installer.options


def test_without_pip_uv_is_asked(
    environment: PythonEnvironment, below: Path, tmp_path: Path
) -> None:
    has_pip(below, "26.3")
    installer = find_installer(has_uv(tmp_path / "bin"), environment)
    assert installer is not None
    assert installer.command[1:] == ("pip", "install", "--python", "/venv/bin/python")


def test_without_both_the_pip_of_the_python_below_fills_the_environment(
    environment: PythonEnvironment, below: Path
) -> None:
    has_pip(below, "22.3")
    installer = find_installer({"PATH": ""}, environment)
    assert installer is not None
    assert installer.command == (
        *("/usr/bin/python3", "-m", "pip"),
        *("--python", "/venv/bin/python", "install"),
    )


@pytest.mark.parametrize("version", ["22.2.2", None])
def test_an_old_pip_below_cannot_fill_another_environment(
    environment: PythonEnvironment, below: Path, version: str | None
) -> None:
    if version is not None:
        has_pip(below, version)
    assert find_installer({"PATH": ""}, environment) is None
