"""The small built-in model behind its real server, for tests.

    with model_server() as server:
        ...  # OpenAI's API is at server.base_url, the model is server.model

`pi local install` fetches both, into `CACHE` if `make` runs it. Without them the tests that ask for it are skipped,
and fail where `CI=true`.
"""

from __future__ import annotations

import os
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from pi_agent.llm.local.server import CONTEXT_TOKENS, server_command, server_input
from pi_agent.llm.local_model import LocalModel

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "pi"
API_KEY = "the right key"


@dataclass(frozen=True)
class ModelServer:
    """A running server."""

    address: str
    pid: int
    api_key: str = API_KEY
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
def model_server(*, context: int = CONTEXT_TOKENS) -> Iterator[ModelServer]:
    """Start a server in a process of its own; it ends with the block, or with this process.

    `context` is how many tokens fit.
    """
    model = installed_model()
    given = server_input(model, api_key=API_KEY, context=context, threads=1)
    process = subprocess.Popen(
        server_command(),
        env=dict(model.server_environ()),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(given)
        process.stdin.flush()
        address = process.stdout.readline().strip()
        assert address, f"the server ended with status {process.wait()}"
        yield ModelServer(address, process.pid)
    finally:
        process.kill()
        process.communicate()


def installed_model() -> LocalModel:
    """Return the model that is to be asked; ends the test if it is not there."""
    model = LocalModel(CACHE, os.environ)
    reason = model.why_unavailable()
    if reason is not None:
        _unavailable(reason)
    return model


def _unavailable(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(f"the real model is missing: {reason}")
    pytest.skip(f"the real model is missing: {reason}")
