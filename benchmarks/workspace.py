"""Where the measured program lives: its settings, a project folder, sessions to go on with, and a model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from benchmarks.content import write_session
from benchmarks.model_server import MODEL
from benchmarks.program import MODERN_ANSWERS, Program
from pi_agent.base.paths import AgentPaths

COMMAND: Final = Path(sys.executable).with_name("pi")

_ROOT: Final = Path(__file__).resolve().parents[1]


class Workspace:
    """A temporary folder and a model server, while the block runs."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="pi-bench-")
        self.root = Path(self._folder.name)
        self.project = self.root / "project"
        self.project.mkdir()
        self._server = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.model_server"],
            cwd=_ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._server.stdout is not None
        self._port = int(self._server.stdout.readline())
        self._describe_model()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.terminate()
        self._server.communicate()
        self._folder.cleanup()

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of the program: what the terminal is, and no settings of ours."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.root),
            "PI_CODING_AGENT_DIR": str(self._agent),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
            # Where `make` keeps the small model.
            "PI_CODING_AGENT_CACHE_DIR": str(_ROOT / ".cache" / "pi"),
        }

    def start(self, *arguments: str, answers: Iterable[str] = MODERN_ANSWERS) -> Program:
        """Start the interactive program; `answers` is what its terminal answers (see `GridTerminal`)."""
        return self.start_with("--model", f"bench/{MODEL}", *arguments, answers=answers)

    def start_with(self, *arguments: str, answers: Iterable[str] = MODERN_ANSWERS) -> Program:
        """Start the interactive program with these arguments alone."""
        argv: list[str | Path] = [COMMAND, *arguments]
        return Program(argv, env=self.environment, cwd=self.project, answers=answers)

    def resume(self, entries: int, *, compacted_every: int | None = None) -> Program:
        """Start the program with `-c`, to go on with a session of `entries` messages."""
        self.save_session(entries, compacted_every=compacted_every)
        return self.start("-c")

    def save_session(self, entries: int, *, compacted_every: int | None = None) -> Path:
        """Let there be one session, of `entries` messages, which was never read."""
        for old in self._sessions.glob("*.jsonl*"):
            old.unlink()
        path = self._sessions / "session.jsonl"
        write_session(path, cwd=self.project, entries=entries, compacted_every=compacted_every)
        return path

    @property
    def _sessions(self) -> Path:
        return AgentPaths.from_environment(self.environment).sessions_of(self.project).path

    @property
    def _agent(self) -> Path:
        return self.root / "agent"

    def _describe_model(self) -> None:
        model = {"id": MODEL, "name": MODEL, "contextWindow": 128_000}
        provider = {"baseUrl": f"http://127.0.0.1:{self._port}/v1", "api": "openai-completions"}
        described = {"providers": {"bench": provider | {"apiKey": "none", "models": [model]}}}
        self._agent.mkdir()
        (self._agent / "models.json").write_text(json.dumps(described))
