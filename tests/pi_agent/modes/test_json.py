"""`pi --mode json`: the header, then every event, and nothing else on standard output."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Any

from pi_agent.loop.events import QueueUpdate
from pi_agent.modes.wire_events import event_to_wire
from tests.pi_process import Outcome, Pi

ECHO = ("--mode", "json", "--model", "demo/echo")
SCRIPT = ("--mode", "json", "--model", "demo/script")


def records(out: str) -> list[dict[str, Any]]:
    """Return the lines of the output; each has to be an object."""
    assert out.endswith("\n")
    found = [json.loads(line) for line in out.removesuffix("\n").split("\n")]
    assert all(isinstance(record, dict) for record in found)
    return found


def trace(outcome: Outcome) -> list[str]:
    """Return the kinds of the records, with roles, a row of deltas once."""
    kinds: list[str] = []
    for record in records(outcome.out):
        kind = record["type"]
        if kind in ("message_start", "message_end"):
            kind += " " + record["message"]["role"]
        if kind == "message_update":
            kind = record["assistantMessageEvent"]["type"]
        if not kinds or kinds[-1] != kind:
            kinds.append(kind)
    return kinds


def test_what_is_queued_is_told_in_whole_lists() -> None:
    lists = {"steering": ["a"], "followUp": ["b", "c"]}
    assert event_to_wire(QueueUpdate(["a"], ["b", "c"])) == {"type": "queue_update", **lists}
    assert event_to_wire(QueueUpdate(["a"], ["b", "c"], ["c"])) == {
        "type": "queue_update",
        **lists,
        "held": ["c"],
    }


def test_a_run_with_a_tool_is_told_in_order(pi: Pi) -> None:
    pi.plays(
        {"toolCalls": [{"name": "bash", "arguments": {"command": "echo hi"}, "id": "c1"}]},
        {"text": "done"},
    )
    outcome = pi.run(*SCRIPT, "go")
    assert outcome.code == 0
    assert trace(outcome) == [
        "session",
        "agent_start",
        "turn_start",
        "message_start system",
        "message_end system",
        "message_start user",
        "message_end user",
        "message_start assistant",
        "toolcall_start",
        "toolcall_delta",
        "toolcall_end",
        "message_end assistant",
        "tool_execution_start",
        "tool_execution_update",
        "tool_execution_end",
        "message_start toolResult",
        "message_end toolResult",
        "turn_end",
        "turn_start",
        "message_start assistant",
        "text_start",
        "text_delta",
        "text_end",
        "message_end assistant",
        "turn_end",
        "agent_end",
        "agent_settled",
    ]


def test_records_have_the_fields_that_clients_know(pi: Pi) -> None:
    pi.plays(
        {"toolCalls": [{"name": "bash", "arguments": {"command": "echo hi"}, "id": "c1"}]},
        {"text": "done"},
    )
    found = records(pi.run(*SCRIPT, "go").out)
    header = json.loads(pi.session_files()[0].read_text().split("\n")[0])
    assert found[0] == header
    updates = [record for record in found if record["type"] == "message_update"]
    assert all(set(each) == {"type", "usage", "assistantMessageEvent"} for each in updates)
    begin, *_, end = [each["assistantMessageEvent"] for each in updates if "toolcall" in str(each)]
    assert begin == {"type": "toolcall_start", "contentIndex": 0, "id": "c1", "toolName": "bash"}
    call = {"id": "c1", "name": "bash", "arguments": {"command": "echo hi"}}
    assert end == {
        "type": "toolcall_end",
        "contentIndex": 0,
        "toolCall": {"type": "toolCall", **call},
    }
    one = {record["type"]: record for record in found}
    owner = {"toolCallId": "c1", "toolName": "bash"}
    args = {"args": {"command": "echo hi"}}
    assert one["tool_execution_start"] == {"type": "tool_execution_start", **owner, **args}
    assert set(one["tool_execution_update"]) == {"type", *owner, "args", "partialResult"}
    end = one["tool_execution_end"]
    assert set(end) == {"type", *owner, "result", "isError", "durationMs"}
    assert end["result"]["content"] == [{"type": "text", "text": "hi\n"}]
    assert (end["isError"], end["result"]["structuredContent"]["exit_code"]) == (False, 0)
    assert one["turn_start"] == {"type": "turn_start"}
    assert set(one["turn_end"]) == {"type", "message", "toolResults"}
    assert set(one["agent_end"]) == {"type", "messages", "willRetry"}
    assert one["agent_settled"] == {"type": "agent_settled", "aborted": False}


def test_a_model_that_fails_is_told_in_events_and_the_status_is_0(pi: Pi) -> None:
    pi.plays({"error": "overloaded, bad luck"})
    pi.write("../agent/settings.json", '{"retry": {"enabled": false}}')
    outcome = pi.run(*SCRIPT, "go")
    assert (outcome.code, outcome.err) == (0, "")
    (answer,) = (
        record["message"]
        for record in records(outcome.out)
        if record["type"] == "message_end" and record["message"]["role"] == "assistant"
    )
    assert answer["stopReason"] == "error"
    assert "bad luck" in answer["errorMessage"]


def test_without_a_prompt_there_is_only_the_header(pi: Pi) -> None:
    outcome = pi.run(*ECHO)
    assert outcome.code == 0
    assert [record["type"] for record in records(outcome.out)] == ["session"]


def test_what_cannot_begin_says_so_on_standard_error_only(pi: Pi) -> None:
    outcome = pi.run("--mode", "json", "--model", "demo/nope", "go")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("Error: ")


def test_prompts_from_everywhere_are_said_in_turn(pi: Pi) -> None:
    pi.write("notes.md", "a note\n")
    outcome = pi.run(*ECHO, "@notes.md", "one", "two", stdin="piped")
    said = [
        record["message"]["content"][0]["text"]
        for record in records(outcome.out)
        if record["type"] == "message_end" and record["message"]["role"] == "user"
    ]
    assert len(said) == 2
    assert said[0].startswith("piped\n<file name=")
    assert said[0].endswith("</file>\none")
    assert said[1] == "two"


def test_what_extensions_and_their_children_print_goes_to_standard_error(pi: Pi) -> None:
    extension = pi.write(
        "prints.py",
        """
        import os, subprocess, sys
        print("imported")
        def setup(pi):
            @pi.on("session_start")
            def start(event, ctx):
                print("started", ctx.mode, ctx.has_ui)
                sys.__stdout__.write("underneath\\n")
                subprocess.run(["echo", "child"])
                os.write(1, b"descriptor\\n")
        """,
    )
    outcome = pi.run(*ECHO, "-e", extension, "hello")
    assert outcome.code == 0
    assert records(outcome.out)[-1]["type"] == "agent_settled"
    for said in ("imported", "started json False", "underneath", "child", "descriptor"):
        assert said in outcome.err


def test_a_line_separator_is_data(pi: Pi) -> None:
    said = "one\u2028two\x85three"
    outcome = pi.run(*ECHO, said)
    texts = [
        record["message"]["content"][0]["text"]
        for record in records(outcome.out)
        if record["type"] == "message_end" and record["message"]["role"] != "system"
    ]
    assert texts == [said, said]


def test_a_reader_that_has_seen_enough_ends_it_quietly(pi: Pi) -> None:
    pi.plays({"text": "word " * 5000, "tokensPerSecond": 50})
    process = pi.start(*SCRIPT, "go")
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["type"] == "session"
    process.stdout.close()
    assert process.wait(20) == 0
    assert process.stderr is not None
    assert process.stderr.read() == b""


def test_a_slow_reader_gets_everything(pi: Pi) -> None:
    text = "".join(f"word{number} " for number in range(3000))
    pi.plays({"text": text})
    process = pi.start(*SCRIPT, "go")
    assert process.stdout is not None
    first = process.stdout.readline()
    # Until now nobody took more: the pipe is full, and the run waits.
    out = (first + process.stdout.read()).decode()
    assert process.wait(20) == 0
    pieces = [
        record["assistantMessageEvent"].get("delta", "")
        for record in records(out)
        if record["type"] == "message_update"
    ]
    assert "".join(pieces) == text


def test_a_signal_ends_it_in_order(pi: Pi) -> None:
    pi.plays({"text": "word " * 5000, "tokensPerSecond": 20})
    process = pi.start(*SCRIPT, "go")
    assert process.stdout is not None
    lines = [process.stdout.readline()]
    while b"text_delta" not in lines[-1]:
        lines.append(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    out = b"".join([*lines, process.stdout.read()]).decode()
    assert process.wait(20) == 143
    *_, last = records(out)
    assert last == {"type": "agent_settled", "aborted": True}


def test_a_signal_ends_it_though_nobody_reads(pi: Pi) -> None:
    pi.plays({"text": "x" * 500_000})
    process = pi.start(*SCRIPT, "go", stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    # The file grows until the answer is complete: by then the pipe has been full for long.
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143
