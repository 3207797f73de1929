"""Recorded runs: what is told in which order, what is written, and how a session file is gone on with."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.golden_model import GoldenModel
from tests.fixtures.load import Case, decided, load_fixture
from tests.pi_process import Outcome, Pi
from tests.wire_server import WireServer

FIXTURE = "rpc_golden"
MODES = {"text": ("-p",), "json": ("--mode", "json"), "bare": ()}
# Commands for programs that hold on to pi, which these cases need in the middle of a run.
NEEDS_COMMANDS = {"open-fork-from-old", "open-continue-and-clone"}


def cases(kind: str) -> list[Any]:
    try:
        found = load_fixture(FIXTURE)
    except pytest.skip.Exception as skipped:
        return [pytest.param(None, marks=pytest.mark.skip(reason=str(skipped)))]
    return [
        pytest.param(case, id=case.id)
        for case in found
        if case.input["kind"] == kind
        and not case.contested
        and case.id not in NEEDS_COMMANDS | set(decided(FIXTURE))
        and (kind == "json" or any("prompt" in step for step in case.input["steps"]))
    ]


@pytest.fixture
def served(pi: Pi) -> Iterator[Pi]:
    """Give a pi whose models are played by the recorded runs' model."""
    with WireServer(answer=GoldenModel()) as server:
        pi.knows_server(server.url)
        path = pi.agent_dir / "models.json"
        provider = json.loads(path.read_text())["providers"]["test"]
        provider["models"] = [
            {"id": "mock-1", "maxTokens": 16_384, "contextWindow": 128_000},
            {"id": "mock-2", "input": ["text", "image"]},
        ]
        path.write_text(json.dumps({"providers": {"mock": provider}}))
        pi.prefers(retry__baseDelayMs=1)
        yield pi


@pytest.mark.parametrize("case", cases("json"))
def test_a_run_tells_and_writes_what_was_recorded(case: Case, served: Pi) -> None:
    given, expected = case.input, case.expected
    for name, content in given.get("files", {}).items():
        is_binary = isinstance(content, dict)
        served.write(name, base64.b64decode(content["base64"]) if is_binary else content)
    mode = MODES[given["mode"]]
    ended = served.run(*mode, *_words(given["args"], served), stdin=given.get("stdin", ""))
    for again in given.get("again", ()):
        ended = served.run(*mode, *_words(again, served))
    assert ended.code == expected["exit"], ended.err
    assert [_kinds(path.read_text()) for path in _files(served)] == [
        [_kind(line) for line in file["lines"]] for file in expected["files"]
    ]
    if given["mode"] == "json":
        assert _trace(ended) == expected["trace"]
    elif given["mode"] == "text":
        assert ended.out == expected["stdout"]


@pytest.mark.parametrize("case", cases("open"))
def test_a_session_file_is_gone_on_with_as_was_recorded(case: Case, served: Pi) -> None:
    given, expected = case.input, case.expected
    text = given["session"].replace("{CWD}", str(served.project))
    text = "\ufeff" * bool(given.get("bom")) + text
    before = text.replace("\n", "\r\n" if given.get("crlf") else "\n").encode()
    path = served.write("s.jsonl", before)
    (served.project / "sub").mkdir()
    for step in given["steps"]:
        if "prompt" in step:
            ended = served.run("--mode", "json", "--session", path, "--", step["prompt"])
            assert ended.code == 0, ended.err
    now = path.read_bytes()
    kept = "unchanged" if now == before else "appended" if now.startswith(before) else "rewritten"
    assert kept == expected["kept"]
    (file,) = expected["files"]
    assert _kinds(now.decode()) == [_kind(line) for line in file["lines"]]


def _words(words: list[str], pi: Pi) -> list[str]:
    files = _files(pi)
    filled = [word.replace("{CWD}", str(pi.project)) for word in words]
    filled = [word.replace("{file:0}", str(files[0])) if files else word for word in filled]
    if "--model" in filled or "--list-models" in filled or "--export" in filled:
        return ["--provider", "mock"] * ("--model" in filled) + filled
    return ["--provider", "mock", "--model", "mock-1", *filled]


def _files(pi: Pi) -> list[Path]:
    found = [*pi.session_files(), *pi.project.rglob("*.jsonl")]
    return sorted(found, key=lambda path: path.name)


def _kinds(text: str) -> list[str]:
    return [_kind(_read(line)) for line in text.split("\n") if line]


def _read(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return {"not json": line}


def _kind(line: Any) -> str:
    if not isinstance(line, dict):
        return "?"
    message = line.get("message")
    kind = str(line.get("type", "?"))
    return kind + (f" {message['role']}" if isinstance(message, dict) else "")


def _trace(ended: Outcome) -> list[str]:
    """Return the kinds of the records; the pieces of one text or one tool's output count once."""
    trace: list[str] = []
    for line in ended.out.splitlines():
        record = json.loads(line)
        label: str = record["type"]
        if label in ("message_start", "message_end"):
            label += " " + record["message"]["role"]
        elif label == "message_update":
            label += " " + record["assistantMessageEvent"]["type"]
        if label.endswith(("_delta", "_update")) and trace and trace[-1] == label:
            continue
        trace.append(label)
    return trace
