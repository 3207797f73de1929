"""The wheel: built from the tree, it holds what the program needs and runs from where it is unpacked."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [wheel] = folder.glob("*.whl")
    target = folder / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def run(unpacked: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the unpacked program; only its dependencies come from this environment."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=home,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": str(unpacked)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_lies_outside_the_two_packages(unpacked: Path) -> None:
    names = {path.name for path in unpacked.iterdir()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"pi_agent", "pi_tui"}
    assert not list(unpacked.rglob("tests"))


@pytest.mark.parametrize(
    "path",
    [
        "pi_agent/py.typed",
        "pi_tui/py.typed",
        "pi_agent/themes/dark.json",
        "pi_agent/docs/extensions.md",
        "pi_agent/bundled/examples/extensions/hello.py",
        "pi_agent/bundled/extensions/README.md",
    ],
)
def test_what_is_read_at_run_time_is_there(unpacked: Path, path: str) -> None:
    assert (unpacked / path).is_file()


def test_it_runs(unpacked: Path, tmp_path: Path) -> None:
    assert run(unpacked, tmp_path, "-m", "pi_agent", "--version").stdout.startswith("pi ")
    result = run(unpacked, tmp_path, "-m", "pi_agent", "--model", "demo/echo", "-p", "hi")
    assert (result.stdout, result.stderr) == ("hi\n", "")


def test_bundled_files_are_found_in_it(unpacked: Path, tmp_path: Path) -> None:
    code = (
        "import pi_agent; from pi_agent.base.paths import bundled\n"
        "print(pi_agent.__path__[0]); print(bundled('examples')); print(bundled('docs'))"
    )
    package, examples, docs = run(unpacked, tmp_path, "-c", code).stdout.splitlines()
    assert package == str(unpacked / "pi_agent")
    assert (Path(examples) / "extensions" / "hello.py").is_file()
    assert (Path(docs) / "usage.md").is_file()
