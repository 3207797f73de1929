"""Play the measured tool calls: build the tree of a case, run its calls through a batch, compare."""

from __future__ import annotations

import base64
import hashlib
import re
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pi_agent.base.partial_json import parse_arguments
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import AssistantMessage, ToolCall, ToolResultMessage, text_of
from pi_agent.loop.calls import CallConfig, run_tool_calls
from pi_agent.loop.events import AgentEvent, ToolExecutionEnd
from pi_agent.loop.tool import ToolDefinition, Unset
from pi_tui.abort import AbortController
from tests.fixtures.load import Case

_SYSTEM_ERROR = re.compile(r"^E[A-Z]{3,}: |Error code: E[A-Z]{3,}")
_FAILURES = {
    "read": "Cannot read ",
    "write": "Cannot write ",
    "edit": "Could not edit file: ",
}
_STATUS = re.compile(r"\n+(Command (exited|timed out|aborted))")
_LOG_FILE = re.compile(r"(Full output: |^)[^\s\]]*/pi-bash-[^\]\s/]*\.log")
_PARSER_WORDS = re.compile(r'(Invalid arguments for tool "\w+": ).*(?=\n\nReceived arguments:)')


def build_tree(folder: Path, tree: JsonObject) -> None:
    """Make the files that a case starts with; folders get their mode last."""
    modes: list[tuple[Path, int]] = []
    for name, spec in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(spec, dict) and "link" in spec:
            path.symlink_to(spec["link"])
        elif isinstance(spec, dict) and spec.get("dir"):
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(content(spec))
        if isinstance(spec, dict) and "mode" in spec:
            modes.append((path, int(spec["mode"], 8)))
    for path, mode in modes:
        path.chmod(mode)


def content(spec: Any) -> bytes:
    """Return the bytes that a file of a tree has."""
    if isinstance(spec, str):
        return spec.encode()
    if "text" in spec:
        return str(spec["text"]).encode()
    if "base64" in spec:
        return base64.b64decode(spec["base64"])
    if "repeat" in spec:
        return str(spec["repeat"]).encode() * int(spec["times"])
    if "parts" in spec:
        return b"".join(content(part) for part in spec["parts"])
    if "picture" in spec:
        return png(*spec["size"])
    end: str = spec.get("end", "\n")
    each: str = spec.get("each", "line {i}")
    lines = [each.replace("{i}", str(number)) for number in range(1, spec["lines"] + 1)]
    return (end.join(lines) + (end if spec.get("last", True) else "")).encode()


def png(width: int, height: int) -> bytes:
    """Return a black picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\0\0\0" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (chunk(b"IHDR", header), chunk(b"IDAT", rows), chunk(b"IEND", b""))
    )


async def play(
    case: Case, folder: Path, tools: Sequence[ToolDefinition]
) -> list[tuple[ToolResultMessage, ToolExecutionEnd]]:
    """Run the calls of a case as one batch; returns each result and its end event in call order."""
    calls: list[ToolCall] = []
    for number, call in enumerate(case.input["calls"]):
        arguments, problem = _placed(call.get("args"), folder), None
        if "raw" in call:
            arguments, problem = parse_arguments(call["raw"].replace("{CWD}", str(folder)))
        calls.append(
            ToolCall(
                id=f"call_{number}", name=call["name"], arguments=arguments, arguments_error=problem
            )
        )
    ends: dict[str, ToolExecutionEnd] = {}

    async def emit(event: AgentEvent) -> None:
        if isinstance(event, ToolExecutionEnd):
            ends[event.tool_call_id] = event

    async def report(message: ToolResultMessage) -> ToolResultMessage:
        return message

    finished = await run_tool_calls(
        AssistantMessage(content=list(calls), stop_reason="toolUse"),
        CallConfig(tools=tools),
        emit=emit,
        report=report,
        signal=AbortController().signal,
    )
    return [(each.message, ends[each.message.tool_call_id]) for each in finished]


def assert_result(
    expected: JsonObject, message: ToolResultMessage, end: ToolExecutionEnd, folder: Path
) -> None:
    """Compare one result with the measured one, as far as words are not everybody's own."""
    text = text_of(message.content)
    assert message.is_error == expected["isError"], text
    wanted = expected["text"]
    if isinstance(wanted, str) and _SYSTEM_ERROR.search(wanted):
        assert text.startswith(_FAILURES[message.tool_name])
        return
    _assert_text(wanted, text, folder)
    if "details" in expected or not message.is_error:
        _assert_value(expected.get("details") or None, message.details or None, folder)
    if expected.get("structured") == "<text>":
        assert end.result.structured_content == text
    elif isinstance(expected.get("structured"), dict) and "output" in expected["structured"]:
        structured = end.result.structured_content
        assert not isinstance(structured, Unset)
        _assert_value(expected["structured"], structured, folder)


def look(folder: Path) -> dict[str, Any]:
    """Return what is in a folder: bytes and mode of files, targets of links, `None` for folders."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = str(path.readlink())
        else:
            mode = path.stat().st_mode & 0o777
            found[name] = None if path.is_dir() else (path.read_bytes(), mode)
    return found


def assert_files(
    expected: JsonObject, before: JsonObject, after: JsonObject, prefix: str = ""
) -> None:
    """Compare what became of a folder with what is measured; whatever is not mentioned is as it was."""
    changed = {name for name in before | after if before.get(name, ...) != after.get(name, ...)}
    wanted = {
        name.removeprefix(prefix): spec
        for name, spec in expected.items()
        if name.startswith(prefix) and (prefix or not name.startswith(("~/", "../")))
    }
    assert changed == set(wanted)
    for name, spec in wanted.items():
        if spec == {"dir": True}:
            assert after[name] is None
            continue
        data, mode = after[name]
        old = before.get(name)
        assert mode == (old[1] if isinstance(old, tuple) else 0o644)
        if isinstance(spec, dict) and "sha256" in spec:
            assert hashlib.sha256(data).hexdigest().startswith(spec["sha256"])
        else:
            assert data == content(spec)


def _placed(value: Any, folder: Path) -> Any:
    if isinstance(value, str):
        return value.replace("{CWD}", str(folder))
    if isinstance(value, dict):
        return {key: _placed(part, folder) for key, part in value.items()}
    return value


def _assert_value(expected: Any, actual: Any, folder: Path) -> None:
    if isinstance(expected, dict) and "sha256" not in expected:
        assert isinstance(actual, dict)
        assert set(actual) == set(expected)
        for key, part in expected.items():
            _assert_value(part, actual[key], folder)
    elif isinstance(expected, dict) or (isinstance(expected, str) and isinstance(actual, str)):
        _assert_text(expected, actual, folder)
    elif expected != "<t>":
        assert actual == expected


def _assert_text(expected: Any, actual: str, folder: Path) -> None:
    actual = _plain(actual, folder)
    if isinstance(expected, str):
        assert actual == _plain(expected, folder)
        return
    assert actual.startswith(_plain(expected["head"], folder)[:40])
    assert actual.endswith(_plain(expected["tail"], folder)[-40:])
    if "/pi-bash-" not in expected["tail"] and "Command" not in expected["tail"]:
        assert len(actual) == expected["chars"]
        assert hashlib.sha256(actual.encode()).hexdigest() == expected["sha256"]


def _plain(text: str, folder: Path) -> str:
    text = _PARSER_WORDS.sub(r"\1", text.replace(str(folder), "<CWD>"))
    return _STATUS.sub(r"\n\1", _LOG_FILE.sub(r"\1<LOG>", text))
