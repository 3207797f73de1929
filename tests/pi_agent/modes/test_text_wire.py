"""Print mode against a real server: what it sends, and what it says when the server does not do its part."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.pi_agent.tools.golden import png
from tests.pi_process import Pi
from tests.wire_server import (
    DROP,
    Reply,
    Request,
    WireServer,
    chunked_reply,
    json_reply,
    reply,
    sse_bytes,
    sse_reply,
)


def answer(text: str, finish: str = "stop") -> Reply:
    """Return an answer of one piece."""
    return sse_reply(
        sse_bytes({"choices": [{"delta": {"content": text}, "finish_reason": finish}]})
    )


def call(name: str, arguments: str) -> Reply:
    """Return an answer that calls a tool."""
    function = {"name": name, "arguments": arguments}
    delta = {"tool_calls": [{"index": 0, "id": "call_1", "function": function}]}
    return sse_reply(sse_bytes({"choices": [{"delta": delta, "finish_reason": "tool_calls"}]}))


def asked(request: Request) -> list[Any]:
    """Return the messages of a request without the system prompt."""
    messages: list[Any] = request.json()["messages"]
    assert messages[0]["role"] == "system"
    return messages[1:]


HALF = b'data: {"choices": [{"delta": {"content": "half an ans"}}]}\n\n'


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (Reply([DROP]), "Connection lost"),
        (chunked_reply(HALF, DROP), "Connection lost"),
        (sse_reply(HALF), "stream ended without finish_reason"),
        (reply(500, b'{"error": {"message": "the disk is on fire"}}'), "500: the disk is on fire"),
        (reply(200, b""), "the body of the response is empty"),
        (reply(200, b"<html><title>Welcome</title></html>"), "Welcome"),
        (sse_reply(b"data: {oops\n\n"), "an event that is not JSON: {oops"),
    ],
    ids=["dropped", "dropped midway", "cut off", "500", "empty", "no stream", "no JSON"],
)
def test_a_failure_says_what_happened(failure: Reply, said: str, pi: Pi) -> None:
    pi.prefers(retry__enabled=False)
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(failure)
        ended = pi.run("-p", "hello")
    assert (ended.code, ended.out) == (1, "")
    line = ended.err.splitlines()[-1]
    assert line.startswith("Error: ")
    assert said in line
    assert pi.messages("assistant")[0]["stopReason"] == "error"


def test_what_came_of_a_broken_answer_is_shown_but_not_taken_for_a_whole_one(pi: Pi) -> None:
    pi.prefers(retry__maxRetries=1, retry__baseDelayMs=1)
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(sse_reply(HALF), sse_reply(HALF))
        ended = pi.run("-p", "hello")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.splitlines() == [
        "stream ended without finish_reason",
        "Retrying (1/1) in 0.001 s",
        "half an ans",
        "Error: stream ended without finish_reason",
    ]


def test_a_failure_that_passes_costs_a_line_and_no_answer(pi: Pi) -> None:
    pi.prefers(retry__baseDelayMs=1)
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(reply(529, b"overloaded"), chunked_reply(HALF, DROP), answer("whole"))
        ended = pi.run("-p", "hello")
        assert (ended.code, ended.out) == (0, "whole\n")
        assert [len(asked(request)) for request in server.requests] == [1, 1, 1]
    assert ended.err.splitlines()[0] == "529: overloaded"
    assert "Retrying (2/3) in 0.002 s" in ended.err
    assert len(pi.messages("user")) == 1
    edits = [entry for entry in pi.entries() if entry["type"] == "context_edit"]
    assert [edit["replacement"] for edit in edits] == [None, None]


def test_after_a_failure_the_next_message_is_asked_without_the_failed_answer(pi: Pi) -> None:
    pi.prefers(retry__enabled=False)
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(answer("fine"), chunked_reply(HALF, DROP), answer("fine again"))
        ended = pi.run("-p", "one", "two", "three")
        assert (ended.code, ended.out) == (0, "fine again\n")
        (line,) = ended.err.splitlines()
        assert line.startswith("Warning: Message 2 of 3 was not answered: Connection lost")
        assert [(each["role"], each["content"]) for each in asked(server.requests[-1])] == [
            ("user", "one"),
            ("assistant", "fine"),
            ("user", "two"),
            ("user", "three"),
        ]


def test_a_server_that_is_not_there_is_told_with_its_address(pi: Pi) -> None:
    with WireServer() as server:
        gone = server.url
    pi.knows_server(gone)
    pi.prefers(retry__enabled=False)
    ended = pi.run("-p", "hello")
    assert (ended.code, ended.out) == (1, "")
    assert "ECONNREFUSED" in ended.err
    assert gone.removeprefix("http://") in ended.err


KEY = "sk-very-secret-key-0123456789"


def refuse_and_repeat(request: Request) -> Reply:
    return json_reply({"error": f"not a good key: {request.headers['authorization']}"}, 401)


def test_no_key_is_ever_shown_or_kept(pi: Pi) -> None:
    with WireServer(answer=refuse_and_repeat) as server:
        pi.environ |= {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": KEY}
        ended = pi.run("--model", "openai/m", "-p", "hello")
        assert ended.code == 1
        assert "401" in ended.err
        assert "OPENAI_API_KEY" in ended.err
        listed = pi.run("--list-models")
        assert "401" in listed.err
        given = pi.run("--model", "openai/m", "--api-key", KEY + "-given", "-p", "hello")
        assert "--api-key" in given.err
        sent = {request.headers["authorization"] for request in server.requests}
        assert sent == {f"Bearer {KEY}", f"Bearer {KEY}-given"}
    for said in (ended, listed, given):
        assert "secret" not in said.out + said.err
    kept = [path.read_bytes() for path in pi.agent_dir.rglob("*") if path.is_file()]
    assert len(kept) == len(pi.session_files()) == 2
    assert not any(b"secret" in content for content in kept)


def test_a_picture_goes_along_with_its_name(pi: Pi) -> None:
    picture = pi.write("red.txt", png(3, 2))
    with WireServer() as server:
        text = '{"providers": {"test": {"baseUrl": "%s", "models": [{"id": "m", "input": ["text", "image"]}]}}}'
        (pi.agent_dir / "models.json").write_text(text % server.url)
        server.queue(answer("I see"))
        assert pi.run("@red.txt", "-p", "What is it?").out == "I see\n"
        (message,) = asked(server.requests[0])
    said, shown = message["content"]
    assert said["text"] == f'<file name="{picture}"></file>\nWhat is it?'
    head, _, data = shown["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(data) == png(3, 2)


# What is kept, and when


def test_what_is_asked_is_on_disk_before_the_request_goes_out(pi: Pi) -> None:
    on_disk: list[list[Any]] = []
    answers = [call("bash", '{"command": "echo from the shell"}'), answer("done")]

    def look_and_answer(request: Request) -> Reply:
        on_disk.append([entry["type"] for entry in pi.entries()])
        roles.append([message["role"] for message in pi.messages()])
        return answers.pop(0)

    roles: list[list[str]] = []
    with WireServer(answer=look_and_answer) as server:
        pi.knows_server(server.url)
        assert pi.run("-p", "hello").out == "done\n"
    assert on_disk[0] == ["model_change", "thinking_level_change", "message", "message"]
    assert roles == [
        ["system", "user"],
        ["system", "user", "assistant", "toolResult"],
    ]


def test_a_session_goes_on_with_its_whole_history(pi: Pi) -> None:
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(call("bash", '{"command": "echo from the shell"}'), answer("done"))
        assert pi.run("-p", "hello").code == 0
        first = pi.session_files()[0].read_bytes()
        server.queue(answer("welcome back"))
        ended = pi.run("-c", "-p", "again")
        assert (ended.code, ended.out, ended.err) == (0, "welcome back\n", "")
        before, after = server.requests[1].json(), server.requests[2].json()
    assert after["messages"] == [
        *before["messages"],
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "again"},
    ]
    assert after["messages"][3]["content"] == "from the shell\n"
    assert after["tools"] == before["tools"]
    # Nothing is rewritten, and neither prompt, tools nor model are told again.
    (path,) = pi.session_files()
    assert path.read_bytes().startswith(first)
    assert [entry["type"] for entry in pi.entries()[7:]] == ["message", "message"]


def test_a_change_of_the_prompt_is_kept_as_a_patch(pi: Pi) -> None:
    pi.write("AGENTS.md", "Say please.\n")
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(answer("one"), answer("two"), answer("three"))
        assert pi.run("-p", "hello").code == 0
        pi.write("AGENTS.md", "Say thanks.\n")
        assert pi.run("-c", "-p", "again").code == 0
        assert pi.run("-c", "-t", "read", "-p", "once more").code == 0
        prompts = [request.json()["messages"][0]["content"] for request in server.requests]
        tools = [
            [tool["function"]["name"] for tool in request.json()["tools"]]
            for request in server.requests
        ]
    whole, patch, fewer_tools = pi.messages("system")
    assert "Say please." in whole["sections"]["project_context"]
    assert list(patch["sections"]) == ["project_context"]
    assert "Say thanks." in patch["sections"]["project_context"]
    assert "toolsAdded" not in patch and "toolsRemoved" not in patch
    others = ["bash", "edit", "write"]
    assert fewer_tools["toolsRemoved"] == [{"name": name} for name in others]
    assert "Say please." in prompts[0] and "Say thanks." not in prompts[0]
    assert "Say thanks." in prompts[1] and "Say please." not in prompts[1]
    assert tools == [["read", *others], ["read", *others], ["read"]]


def test_a_model_that_is_gone_is_told_and_another_one_goes_on(pi: Pi) -> None:
    with WireServer() as server:
        pi.knows_server(server.url, "old")
        server.queue(answer("one"), answer("two"))
        assert pi.run("-p", "hello").code == 0
        pi.knows_server(server.url, "new")
        ended = pi.run("-c", "-p", "again")
        assert (ended.code, ended.out) == (0, "two\n")
        assert ended.err == "Warning: Could not restore model test/old. Using test/new.\n"
        assert server.requests[1].json()["model"] == "new"


def test_tools_work_where_pi_was_started(pi: Pi) -> None:
    deep = pi.project / "deep"
    deep.mkdir()
    with WireServer() as server:
        pi.knows_server(server.url)
        server.queue(call("bash", '{"command": "pwd"}'), answer("done"))
        assert pi.run("-p", "where?", cwd=deep).code == 0
        *_, result = asked(server.requests[1])
    assert result["content"] == f"{deep}\n"
