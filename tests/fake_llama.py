"""The built-in model without its weights: pi starts its server, which a stand-in for the real package plays.

llama = FakeLlama(folder)
llama.answers({"text": "Hello"})
pi.environ |= llama.environ
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pi_agent.llm.local_model import SERVER, WEIGHTS_BYTES, WEIGHTS_FILE
from tests.pi_process import ROOT


class FakeLlama:
    """A folder with what the stand-in plays; `environ` makes pi use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "llama"
        weights = self.folder / "cache" / "models" / WEIGHTS_FILE
        weights.parent.mkdir(parents=True)
        with weights.open("wb") as file:
            file.truncate(WEIGHTS_BYTES)  # a hole: it takes no room
        info = self.folder / f"{SERVER.package}-{SERVER.version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {SERVER.package}\nVersion: {SERVER.version}\n")
        (info / "RECORD").write_text("")
        paths = (ROOT / "tests" / "programs" / "fake_llama", self.folder, ROOT)
        self.environ = {
            "FAKE_LLAMA": str(self.folder),
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "PI_CODING_AGENT_CACHE_DIR": str(self.folder / "cache"),
        }

    def answers(self, *answers: Mapping[str, object]) -> None:
        """Answer the requests like this, one after another."""
        lines = "".join(json.dumps(answer) + "\n" for answer in answers)
        (self.folder / "answers.jsonl").write_text(lines)

    def starts(self, how: str) -> None:
        """Let the start `fail`, or `wait` for ever; anything else is a usual one."""
        (self.folder / "start").write_text(how)

    @property
    def requests(self) -> list[Any]:
        """What it was asked."""
        path = self.folder / "requests.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    @property
    def hung_up(self) -> bool:
        """Whether a client has left while it was reading the prompt."""
        return (self.folder / "hung_up").exists()
