"""Run `pi` as a process of its own, without a terminal and away from the settings of whoever runs the tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from tests.libraries import library_environ
from tests.warm_start import Process, start_process

ROOT = Path(__file__).resolve().parents[1]
COMMAND = (sys.executable, "-m", "pi_agent")

# Long enough for a slow machine, short of the limit of a test.
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Outcome:
    """How a process ended, and what it printed."""

    code: int
    out: str
    err: str


@dataclass
class Pi:
    """Somebody who has just installed pi: an empty project, no settings, no keys.

    `environ` is what their shell has set.
    """

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.project = self.folder / "project"
        self.agent_dir = self.folder / "agent"
        self.project.mkdir()
        self.agent_dir.mkdir()
        self._started: list[Process] = []

    def close(self) -> None:
        """Kill what was started and has not ended."""
        for process in self._started:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()

    def run(
        self, *words: str | Path, stdin: str | bytes | BinaryIO = b"", **options: Any
    ) -> Outcome:
        """Run `pi` with these words to its end; `options` are those of `subprocess.Popen`."""
        piped = isinstance(stdin, str | bytes)
        process = self.start(*words, stdin=subprocess.PIPE if piped else stdin, **options)
        data = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = process.communicate(
            data if isinstance(data, bytes) else None, timeout=PATIENCE_SECONDS
        )
        return Outcome(process.returncode, (out or b"").decode(), (err or b"").decode())

    def start(self, *words: str | Path, **options: Any) -> Process:
        """Start `pi` with these words, and nothing to read."""
        settings: dict[str, Any] = {
            "cwd": self.project,
            "env": self.full_environ(),
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        } | options
        argv = [*COMMAND, *map(str, words)]
        process = start_process(argv, **settings)
        self._started.append(process)
        return process

    def full_environ(self) -> Mapping[str, str]:
        """Return all that the process finds in its environment."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "PYTHONPATH": str(ROOT),
            "PI_CODING_AGENT_DIR": str(self.agent_dir),
            **library_environ(),
        } | self.environ

    def write(self, name: str, text: str | bytes) -> Path:
        """Write a file of the project."""
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = textwrap.dedent(text).encode() if isinstance(text, str) else text
        path.write_bytes(data)
        return path

    def plays(self, *steps: Mapping[str, object]) -> None:
        """Let `demo/script` answer with these steps."""
        path = self.folder / "script.jsonl"
        path.write_text("".join(json.dumps(step) + "\n" for step in steps))
        self.environ["PI_DEMO_SCRIPT"] = str(path)

    def knows_server(self, url: str, *models: str, key: str = "sk-test-0123456789") -> None:
        """Name a server with these models, by default one called `m`, in `models.json`: the provider `test`."""
        listed = [{"id": model} for model in models or ("m",)]
        provider = {"baseUrl": f"{url}/v1", "apiKey": key, "models": listed}
        text = json.dumps({"providers": {"test": provider}})
        (self.agent_dir / "models.json").write_text(text)

    def prefers(self, **settings: object) -> None:
        """Write `settings.json`; a double underscore is a dot: `retry__maxRetries=0`."""
        data: dict[str, Any] = {}
        for key, value in settings.items():
            *folders, name = key.split("__")
            place = data
            for folder in folders:
                place = place.setdefault(folder, {})
            place[name] = value
        (self.agent_dir / "settings.json").write_text(json.dumps(data))

    def session_files(self) -> list[Path]:
        """Return the files of all sessions, the oldest first."""
        return sorted(self.agent_dir.glob("sessions/*/*.jsonl"))

    def entries(self) -> list[Any]:
        """Return the lines of the only session, without its header."""
        (path,) = self.session_files()
        return [json.loads(line) for line in path.read_text().splitlines()[1:]]

    def messages(self, *roles: str) -> list[Any]:
        """Return the messages of the only session, those of `roles` or all."""
        messages = [entry["message"] for entry in self.entries() if entry["type"] == "message"]
        return [message for message in messages if not roles or message["role"] in roles]


def texts(messages: Iterable[Any]) -> list[str]:
    """Return what stored messages say."""
    return ["".join(block.get("text", "") for block in each["content"]) for each in messages]
