"""The wheel: built from the tree and installed into an environment of its own, it holds all that pi needs, and runs."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from pi_agent.base.paths import bundled
from tests.pty_session import PtySession

ROOT = Path(__file__).resolve().parents[2]
# The interpreter outside of the environment that the tests run in: it has pip, as `make` needs it, too.
OUTSIDE = Path(sys.base_prefix) / "bin" / "python3"


def build(target: str, source: Path, folder: Path) -> Path:
    """Build a `wheel` or an `sdist` and return its file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    [built] = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@dataclass(frozen=True)
class Installed:
    """An environment with pi in it, and somebody's empty home."""

    folder: Path
    home: Path

    @property
    def site(self) -> Path:
        """Where its packages are."""
        [site] = self.folder.glob("lib/python*/site-packages")
        return site

    def run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment."""
        return subprocess.run(
            [self.folder / "bin" / command, *arguments],
            cwd=self.home,
            env={"PATH": "/usr/bin:/bin", "HOME": str(self.home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel as pip does; only its dependencies come from the environment of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    pip = [str(OUTSIDE), "-m", "pip", "--python", str(folder / "bin" / "python")]
    options = ["--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*pip, "install", *options, wheel], check=True, capture_output=True)
    home = tmp_path_factory.mktemp("home")
    result = Installed(folder, home)
    (result.site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return result


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_nothing_lies_outside_the_two_packages(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in names(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"pi_agent", "pi_tui"}


def test_nothing_is_in_it_that_only_developers_need(wheel: Path) -> None:
    folders = {part for name in names(wheel) for part in name.split("/")[:-1]}
    assert not folders & {"tests", "snapshots", "pictures", "benchmarks", "__pycache__", ".git"}
    assert not [name for name in names(wheel) if name.endswith((".svg", ".pyc", ".orig", ".rej"))]


def test_the_licence_is_in_it(wheel: Path) -> None:
    [name] = [name for name in names(wheel) if name.endswith("/licenses/LICENSE")]
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(name) == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize("package", ["pi_tui", "pi_agent"])
def test_every_module_and_every_data_file_is_in_it(wheel: Path, package: str) -> None:
    there = {name for name in names(wheel) if "/bundled/" not in name}
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in there if name.startswith(f"{package}/")} == wanted


@pytest.mark.parametrize("folder", ["examples", "extensions"])
def test_what_ships_beside_the_packages_is_in_it(wheel: Path, folder: str) -> None:
    start = f"pi_agent/bundled/{folder}/"
    wanted = {
        path.relative_to(ROOT / folder).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    there = {name.removeprefix(start) for name in names(wheel) if name.startswith(start)}
    assert there == wanted


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the source archive."""
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(build("sdist", ROOT, folder / "archive")) as archive:
        archive.extractall(folder)
    [unpacked] = folder.glob("pi_terminal_agent-*")
    return unpacked


def test_the_first_page_of_the_source_archive_leads_somewhere(source: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)", (source / "README.md").read_text(encoding="utf-8"))
    assert [target for target in targets if not (source / target).exists()] == []


def test_the_source_archive_makes_the_same_wheel(wheel: Path, source: Path, tmp_path: Path) -> None:
    again = build("wheel", source, tmp_path / "again")
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        assert sorted(first.namelist()) == sorted(second.namelist())
        assert [n for n in first.namelist() if first.read(n) != second.read(n)] == []


def test_pip_puts_one_command_and_two_packages(installed: Installed) -> None:
    [record] = installed.site.glob("pi_terminal_agent-*.dist-info/RECORD")
    with record.open(newline="") as file:
        paths = [row[0] for row in csv.reader(file)]
    outside = [path for path in paths if path.startswith(("..", "/"))]
    assert [Path(path).name for path in outside] == ["pi"]
    tops = {path.split("/")[0] for path in paths if path not in outside}
    assert tops == {"pi_agent", "pi_tui", record.parent.name}


@pytest.mark.parametrize("words", [["pi"], ["python", "-m", "pi_agent"]], ids=" ".join)
def test_it_runs(installed: Installed, words: list[str]) -> None:
    assert installed.run(*words, "--version").stdout.startswith("pi ")
    result = installed.run(*words, "--model", "demo/echo", "-p", "hi")
    assert (result.stdout, result.stderr, result.returncode) == ("hi\n", "", 0)


def test_the_gallery_of_the_toolkit_starts(installed: Installed) -> None:
    command = [str(installed.folder / "bin" / "python"), "-m", "pi_tui.gallery"]
    with PtySession(command, cwd=installed.home, answers={"da1"}) as session:
        session.wait_for("Text 1/")
        session.send(b"\x11")
        assert session.wait_exit() == 0


def test_bundled_files_are_found_in_it(installed: Installed) -> None:
    code = (
        "import pi_agent, pi_tui; from pi_agent.base.paths import bundled\n"
        "print(pi_agent.__path__[0]); print(pi_tui.__path__[0])\n"
        "for name in ('docs', 'examples', 'extensions', 'themes'): print(bundled(name))"
    )
    result = installed.run("python", "-c", code)
    assert result.stdout.splitlines() == [
        str(installed.site / path)
        for path in (
            "pi_agent",
            "pi_tui",
            "pi_agent/docs",
            "pi_agent/bundled/examples",
            "pi_agent/bundled/extensions",
            "pi_agent/themes",
        )
    ]


def test_an_example_that_ships_with_it_can_be_loaded(installed: Installed) -> None:
    example = installed.site / "pi_agent/bundled/examples/extensions/hello.py"
    result = installed.run("pi", "-e", str(example), "--model", "demo/echo", "-p", "hi")
    assert (result.stdout, result.stderr) == ("hi\n", "")


def test_the_extension_of_the_tour_is_found_in_it(installed: Installed) -> None:
    demo = ("pi", "--demo", "-p", "hi", "-ne", "-e")
    result = installed.run(*demo, "builtin:tour")
    assert (result.stdout.splitlines()[0], result.stderr) == ("## 1/7 Welcome", "")
    assert "There are: builtin:tour." in installed.run(*demo, "builtin:x").stderr


def test_the_commands_of_the_shell_work(installed: Installed) -> None:
    doctor = installed.run("pi", "doctor", "--json")
    assert str(installed.site) in doctor.stdout
    assert installed.run("pi", "completion", "bash").returncode == 0
    assert (
        "`pi local install` fetches what is missing."
        in installed.run("pi", "local", "status").stdout
    )


def test_the_first_start_shows_the_ways_to_a_model(installed: Installed) -> None:
    environ = {"HOME": str(installed.home), "PATH": "/usr/bin:/bin", "PI_OFFLINE": "1"}
    program = installed.folder / "bin" / "pi"
    with PtySession([program], cwd=installed.home, env=environ, answers={"da1"}) as session:
        session.wait_for("Welcome to pi")
        session.wait_for("Take the tour")


def test_the_tree_itself_uses_its_own_files() -> None:
    """An editable installation leaves a copy in site-packages, which is never the newest."""
    assert bundled("examples") == ROOT / "examples"
    assert bundled("extensions") == ROOT / "extensions"
