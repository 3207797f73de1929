"""Servers of this machine are found by what they answer; whatever else listens at their ports is none of them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing

import pytest

from pi_agent.base.http import HttpClient
from pi_agent.llm.local_servers import SERVER_KINDS, FoundServer, find_local_servers
from tests.near_servers import llama, lm_studio, locked_llama, ollama
from tests.wire_server import (
    DROP,
    STALL,
    Answer,
    Reply,
    Request,
    WireServer,
    json_reply,
    reply,
)

pytestmark = pytest.mark.anyio

KINDS = [kind.id for kind in SERVER_KINDS]
# Long enough for a machine that has much else to do.
PATIENT = 5.0
PAGE = b"<!doctype html><title>My project</title><h1>It works</h1>"


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    client = HttpClient({})
    yield client
    await client.aclose()


@pytest.fixture
def elsewhere() -> Iterator[WireServer]:
    with WireServer(answer=llama) as server:
        yield server


async def look(
    http: HttpClient, urls: Mapping[str, str], seconds: float = PATIENT
) -> list[FoundServer]:
    return [server async for server in find_local_servers(http, urls, seconds=seconds)]


async def found(http: HttpClient, kind: str, answer: Answer) -> list[str]:
    """Return what is found where `answer` listens at the address of a kind, in words."""
    with WireServer(answer=answer) as server:
        servers = await look(http, {kind: server.url})
        assert all(one.url == server.url for one in servers)
    key = {True: ", wants a key", False: ""}
    return [f"{s.kind.name}: {s.reading.models}{key[s.reading.wants_key]}" for s in servers]


@pytest.mark.parametrize(
    ("kind", "answer", "told"),
    [
        ("ollama", ollama("qwen3:8b", "llama3.2:3b"), "Ollama: 2"),
        ("ollama", ollama(), "Ollama: 0"),
        ("llama.cpp", llama, "llama.cpp: 1"),
        ("llama.cpp", locked_llama("k"), "llama.cpp: 0, wants a key"),
        ("lmstudio", lm_studio("qwen/qwen3-8b", "google/gemma-3"), "LM Studio: 2"),
        ("lmstudio", lm_studio(), "LM Studio: 0"),
    ],
)
async def test_each_server_is_known_by_its_own_answers(
    http: HttpClient, kind: str, answer: Answer, told: str
) -> None:
    assert await found(http, kind, answer) == [told]


def page(request: Request) -> Reply:
    return reply(200, PAGE, {"Content-Type": "text/html"})


def any_json(request: Request) -> Reply:
    return json_reply({"status": "ok", "path": request.path})


def some_list(request: Request) -> Reply:
    """A service whose own list happens to be under the same path."""
    return json_reply({"object": "list", "data": [{"id": 7, "price": 3}]})


def other_protocol(request: Request) -> Reply:
    return Reply([b"220 mail.example ESMTP\r\n"])


def breaks_off(request: Request) -> Reply:
    return Reply([DROP])


def refuses_otherwise(request: Request) -> Reply:
    return json_reply({"error": "please sign in"}, 401)


def deep(request: Request) -> Reply:
    return reply(200, b"[" * 100_000, {"Content-Type": "application/json"})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "answer",
    [page, any_json, some_list, other_protocol, breaks_off, refuses_otherwise, deep],
)
async def test_another_service_at_the_port_is_not_taken_for_it(
    http: HttpClient, kind: str, answer: Answer
) -> None:
    assert await found(http, kind, answer) == []


@pytest.mark.parametrize(
    ("kind", "answer"), [("llama.cpp", ollama("a")), ("ollama", llama), ("ollama", lm_studio("a"))]
)
async def test_one_server_at_the_port_of_another_is_not_mixed_up(
    http: HttpClient, kind: str, answer: Answer
) -> None:
    assert await found(http, kind, answer) == []


async def test_all_are_asked_at_once_and_one_that_hangs_keeps_no_other_back(
    http: HttpClient,
) -> None:
    hangs = WireServer(answer=lambda request: Reply([STALL]))
    with hangs as slow, WireServer(answer=ollama("a")) as quick:
        urls = {"llama.cpp": slow.url, "ollama": quick.url, "lmstudio": "http://127.0.0.1:1"}
        async with aclosing(find_local_servers(http, urls, seconds=PATIENT)) as servers:
            assert (await anext(servers)).kind.id == "ollama"
            # Nobody asks on: both questions to the other were on their way before this answer came.
            for _ in range(2):
                assert await asyncio.to_thread(slow.arrived.acquire, timeout=PATIENT)
        asked = [request.path for request in slow.requests[:2]]
        assert sorted(asked) == ["/props", "/v1/models"]


async def test_nobody_is_led_off_this_machine(http: HttpClient, elsewhere: WireServer) -> None:
    def sends_on(request: Request) -> Reply:
        return reply(302, b"", {"Location": f"{elsewhere.url}{request.path}"})

    assert await found(http, "llama.cpp", sends_on) == []
    assert elsewhere.requests == []
    far = {"llama.cpp": f"http://elsewhere.example:{elsewhere.port}"}
    assert await look(http, far) == []


async def test_neither_a_proxy_nor_being_offline_stands_between(elsewhere: WireServer) -> None:
    environ = {"HTTP_PROXY": "http://127.0.0.1:1", "PI_OFFLINE": "1"}
    http = HttpClient(environ, proxy="http://127.0.0.1:1")
    servers = await look(http, {"llama.cpp": elsewhere.url})
    await http.aclose()
    assert len(servers) == 1


async def test_one_that_never_answers_is_given_up(http: HttpClient) -> None:
    with WireServer(answer=lambda request: Reply([STALL])) as server:
        assert await look(http, {"lmstudio": server.url}, seconds=0.01) == []
        assert len(server.requests) > 1, "it was asked more than once"


def test_the_usual_ports_are_asked_on_this_machine_only() -> None:
    assert {kind.id: kind.url for kind in SERVER_KINDS} == {
        "ollama": "http://127.0.0.1:11434",
        "llama.cpp": "http://127.0.0.1:8080",
        "lmstudio": "http://127.0.0.1:1234",
    }


def test_nothing_is_loaded_while_an_answer_is_waited_for() -> None:
    """A client that was warmed up has all that its first request needs."""
    code = """
import asyncio, sys
from pi_agent.base.http import HttpClient
from tests.wire_server import WireServer, json_reply

async def main():
    http = HttpClient({})
    await asyncio.to_thread(http.warm_up)
    before = set(sys.modules)
    with WireServer(answer=lambda request: json_reply(1)) as server:
        async with http.stream("GET", server.url) as response:
            await response.read(10)
    print(sorted(set(sys.modules) - before))
    await http.aclose()

asyncio.run(main())
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout.strip() == "[]"
