"""Kill pi while it works, and say what must be true of its session afterwards.

Files are read here with `json` alone, and what pi makes of them is compared with that.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pi_agent.session.store import SessionManager
from tests.pi_process import Pi
from tests.warm_start import Process

Line = dict[str, Any]
Load = Callable[[Path], Sequence[Line]]

# What a model does that is asked: text that takes its time, tools side by side and one after another, much output;
# and with its last answer the context is full.
STEPS = (
    {
        "text": "They looked around.",
        "tokensPerSecond": 800,
        "match": "<conversation>",
        "repeat": True,
    },
    {
        "text": "Let me look around first.",
        "tokensPerSecond": 800,
        "toolCalls": [
            {"name": "bash", "arguments": {"command": "printf '%040000d' 7"}},
            {"name": "write", "arguments": {"path": "notes.txt", "content": "one\ntwo\n"}},
            {"name": "bash", "arguments": {"command": "sleep 0.02; echo slow"}},
        ],
    },
    {
        "thinking": "There is a file.",
        "text": "I read it.",
        "toolCalls": [
            {"name": "read", "arguments": {"path": "notes.txt"}},
            {"name": "read", "arguments": {"path": "nothing.txt"}},
        ],
    },
    {
        "text": "That was all there is to say.",
        "tokensPerSecond": 800,
        "usage": {"input": 127_000, "output": 10},
        "repeat": True,
    },
)
# Two questions and these answers are told in a few events more; not many of them come before the first entry.
_EVENTS = 95
_SOON_SECONDS = 0.005


@dataclass
class KilledSession:
    """A session that one process after another goes on with.

    `before` is what the file held when it was checked last; `saved` are the messages and compactions that were told
    to be in it.
    """

    pi: Pi
    path: Path
    chance: random.Random
    before: bytes = b""
    saved: list[Line] = field(default_factory=list)

    def go_on_and_be_killed(self) -> None:
        """Kill a process that goes on with the session, right after some event or a moment later."""
        process = self._start()
        assert process.stdout is not None
        heard = b"".join(process.stdout.readline() for _ in range(self.chance.randint(1, _EVENTS)))
        time.sleep(self.chance.choice([0, self.chance.uniform(0, _SOON_SECONDS)]))
        process.kill()
        self._note(heard + process.stdout.read())
        process.wait()

    def go_on_to_the_end(self) -> list[Line]:
        """Let a process go on with the session; returns what it told."""
        out, _ = (process := self._start()).communicate()
        assert process.returncode == 0
        self._note(out)
        return lines_of(out)

    def lose_the_end(self) -> None:
        """Take away a part of the last line, as if the power had gone."""
        whole = self.path.read_bytes()
        last = whole.split(b"\n")[-2]
        if whole.endswith(b"\n") and whole.count(b"\n") > 1:
            self.before = whole[: -self.chance.randint(2, len(last))]
            self.path.write_bytes(self.before)
            self.saved = [each for each in self.saved if each != _saved_of(json.loads(last))]

    def check(self, load: Load) -> None:
        """Check the file, and what `load` makes of it."""
        now = self.path.read_bytes() if self.path.exists() else b""
        if not now:
            # What comes before the first question is written with it.
            assert {each.get("role") for each in self.saved} <= {"system"}, "nothing is there"
            self.saved.clear()
            return
        added = now.removeprefix(self.before)
        assert now == self.before + added, "what was in the file has changed"
        is_torn = bool(self.before) and not self.before.endswith(b"\n")
        assert not (added and is_torn) or added.startswith(b"\n"), "two lines in one"
        header, *entries = lines_of(now)
        assert header["type"] == "session"
        stored = [_saved_of(entry) for entry in entries]
        assert [each for each in self.saved if each not in stored] == [], (
            "lost, but told to be saved"
        )
        ids = [None, *(entry["id"] for entry in entries)]
        assert [entry["parentId"] for entry in entries] == ids[:-1], "not one conversation"
        assert list(load(self.path)) == entries
        self.before = now

    def _start(self) -> Process:
        self.pi.prefers(compaction__keepRecentTokens=50)
        words = ("--model", "demo/script", "--mode", "json", "--session", self.path)
        return self.pi.start(*words, "Look around.", "And then?")

    def _note(self, out: bytes) -> None:
        # A message is written before anything else is told after it.
        for event in lines_of(out)[:-1]:
            if event["type"] == "message_end":
                self.saved.append(event["message"])
            elif event["type"] == "compaction_end" and "result" in event:
                self.saved.append(_compaction(event["result"]))


def _saved_of(entry: Line) -> Line | None:
    """Return what a process has told of an entry."""
    return _compaction(entry) if entry["type"] == "compaction" else entry.get("message")


def _compaction(told: Line) -> Line:
    return {key: told[key] for key in ("summary", "firstKeptEntryId", "tokensBefore")}


def chance() -> random.Random:
    """Return what chooses the moments; the seed is shown where a test fails, and may be given."""
    seed = os.environ.get("PI_KILL_SEED") or str(random.randrange(1 << 32))
    print(f"PI_KILL_SEED={seed}")
    return random.Random(seed)


def lines_of(data: bytes) -> list[Line]:
    """Return the lines that are JSON, without those that a killed process left unfinished."""
    lines: list[Line] = []
    for line in data.split(b"\n"):
        try:
            lines.append(json.loads(line))
        except ValueError:
            continue
    return lines


def entries_of(path: Path) -> list[Line]:
    """Return the entries that pi finds in a session."""
    session = SessionManager.open(path)
    session.close()
    return [entry.raw for entry in session.get_entries()]
