"""What is measured with: prose, and sessions of any length in pi's file format. The same at every run."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

LAST_LINE: Final = "This is where the session ends."

_THINGS: Final = (
    *("cache", "editor", "frame", "lexer", "parser", "queue"),
    *("screen", "session", "table", "terminal", "token", "tree"),
)
_DEEDS: Final = (
    "checks",
    "copies",
    "counts",
    "drops",
    "finds",
    "keeps",
    "moves",
    "reads",
    "splits",
)
_START_MS: Final = 1_796_000_000_000

_Json = dict[str, object]


def prose(sentences: int, seed: int) -> str:
    """Return a paragraph."""
    pick = random.Random(seed)
    return " ".join(
        f"The {pick.choice(_THINGS)} {pick.choice(_DEEDS)} what the {pick.choice(_THINGS)}"
        f" {pick.choice(_DEEDS)} before the {pick.choice(_THINGS)} is asked."
        for _ in range(sentences)
    )


def markdown(blocks: int) -> str:
    """Return a document of paragraphs, with a heading, a list or code here and there."""
    return "\n\n".join(_block(index) for index in range(blocks))


def words(count: int) -> Iterator[str]:
    """Yield the pieces of a streamed answer: one word each, with its space or the end of its paragraph."""
    for index in range(count):
        yield f"word{index}" + ("\n\n" if index % 60 == 59 else " ")


def write_session(
    path: Path, *, cwd: Path, entries: int, compacted_every: int | None = None
) -> None:
    """Write a session of `entries` messages: question, call, result, answer, and so on.

    After each `compacted_every` of them a compaction stands in their place, but for the last ten.
    """
    header: _Json = {"type": "session", "version": 3, "id": _session_id(entries)}
    header |= {"timestamp": "2026-11-30T00:00:00.000Z", "cwd": str(cwd)}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        file.write(json.dumps(header) + "\n")
        for index in range(entries):
            last = index == entries - 1
            message = _answer(index, LAST_LINE) if last else _message(index)
            message["timestamp"] = _START_MS + index * 1000
            entry: _Json = {"type": "message", "id": f"{index:08x}"}
            entry["parentId"] = f"{index - 1:08x}" if index else None
            entry |= {"timestamp": "2026-11-30T00:00:00.000Z", "message": message}
            if compacted_every and index and index % compacted_every == 0:
                summary = _compaction(index)
                file.write(json.dumps(summary) + "\n")
                entry["parentId"] = summary["id"]
            file.write(json.dumps(entry) + "\n")


def _compaction(index: int) -> _Json:
    own: _Json = {"type": "compaction", "id": f"c{index:07x}", "parentId": f"{index - 1:08x}"}
    own |= {"timestamp": "2026-11-30T00:00:00.000Z", "summary": markdown(8)}
    return own | {"firstKeptEntryId": f"{index - 10:08x}", "tokensBefore": 100_000}


def _session_id(entries: int) -> str:
    return f"01a22c14-0f77-711f-b98a-{entries:012d}"


def _message(index: int) -> _Json:
    match index % 4:
        case 0:
            return {"role": "user", "content": [_text(f"Question {index}: {prose(2, index)}")]}
        case 1:
            command = f"ls -l src/{_THINGS[index % 12]}"
            call: _Json = {"type": "toolCall", "id": f"call_{index}", "name": "bash"}
            call["arguments"] = {"command": command}
            return _answer(index, prose(1, index), call)
        case 2:
            listing = "\n".join(
                f"-rw-r--r-- 1 dev dev {1000 * row + index:>8} {_THINGS[row]}.py"
                for row in range(9)
            )
            result: _Json = {"role": "toolResult", "toolCallId": f"call_{index - 1}"}
            return result | {"toolName": "bash", "content": [_text(listing)], "isError": False}
    return _answer(index, markdown(5))


def _answer(index: int, text: str, call: _Json | None = None) -> _Json:
    price = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "total"), 0)
    usage = {"input": 1200, "output": 50, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 1250}
    return {
        "role": "assistant",
        "content": [_text(text), *([call] if call else [])],
        "api": "openai-completions",
        "provider": "bench",
        "model": "bench-1",
        "usage": usage | {"cost": price},
        "stopReason": "toolUse" if call else "stop",
    }


def _text(text: str) -> _Json:
    return {"type": "text", "text": text}


def _block(index: int) -> str:
    thing = _THINGS[index % 12]
    match index % 5:
        case 0:
            return f"## The {thing}, part {index}\n\n{prose(3, index)}"
        case 2:
            return "\n".join(f"- **{thing}**: {prose(1, index + row)}" for row in range(3))
        case 3:
            return f"```python\ndef {thing}_{index}(x: int) -> int:\n    return x + {index}\n```"
    return prose(4, index)
